/* installed.h: routines through the LAPACK that is installed, on cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A routine says its stem and a task that calls the library (device/cpu_lapack.h). A line in its
 * table of variants, GBL_INSTALLED_VARIANT(&routine), is all that is left to write. The variant
 * comes last: where the library is there and its BLAS is not slow it is the choice.
 */
#ifndef GBL_INSTALLED_H
#define GBL_INSTALLED_H

#include "device/cpu_lapack.h"
#include "lapack/lapack.h"

typedef struct gbl_installed_routine {
    const char *stem;       /* of the library's function: "potrf", "orgqr" */
    gbl_task_function task; /* its args are a gbl_product_call */
} gbl_installed_routine;

/* The function is there, all sizes and leading dimensions fit its integers. */
bool gbl_installed_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_installed_run(gable_context *ctx, const gbl_variant *self, const void *call,
                               const gbl_params *params);
void gbl_installed_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_cost *cost);
void gbl_installed_tell(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, char *text, size_t text_bytes);

#define GBL_INSTALLED_VARIANT(routine)                                                             \
    {                                                                                              \
        .name = "lapack", .deterministic = true, .fits = gbl_installed_fits,                       \
        .run = gbl_installed_run, .cost = gbl_installed_cost, .detail = (routine),                 \
        .tell = gbl_installed_tell                                                                 \
    }

extern const gbl_installed_routine gbl_installed_potrf;

#endif
