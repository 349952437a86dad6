/* norm_plan.h: norms of matrices: what lange, lansy, lanhe and lantr share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A call has the norm, its matrix and `C`, where the result goes: a real number. `tiles` is one
 * launch over the matrix, which is read once, and one or two that put together what its groups
 * found; `omp` is a task of the cpu.
 */
#ifndef GBL_NORM_PLAN_H
#define GBL_NORM_PLAN_H

#include "core/kernel.h"
#include "lapack/lapack.h"

enum { NORM_ITEMS, NORM_COLUMNS, NORM_GROUPS, NORM_PARAMS };
extern const gbl_param gbl_norm_space[NORM_PARAMS];

/* What the variants need to know of a routine: their `detail`. */
typedef struct gbl_norm_routine {
    const char *stem;
    bool symmetric; /* a triangle stands for the whole matrix */
} gbl_norm_routine;

size_t gbl_norm_element(const void *call);
void gbl_norm_work(const void *call, gbl_work *least);

GBL_DECLARE_KERNEL_VARIANT(gbl_norm)
bool gbl_norm_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_norm_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_norm_run_omp(gable_context *ctx, const gbl_variant *self, const void *call,
                              const gbl_params *params);
void gbl_norm_cost_omp(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost);

/* Runs a call of a norm: as gbl_call_run, and brings the result to where it belongs. The norm of
 * nothing is 0. Within another routine `C` is in the device's memory already. */
gable_status gbl_norm_call(gable_context *ctx, const char *name, const gbl_op *op,
                           const gbl_product_call *call);

#define GBL_NORM_FLAG GBL_PRODUCT_FLAG("norm", GBL_NORM, norm)
#define GBL_NORM_RESULT                                                                            \
    {                                                                                              \
        .name = "result", .kind = GBL_RESULT, .access = GBL_WRITE, .at = PRODUCT_AT(C),            \
        .element = gbl_norm_element                                                                \
    }
#define GBL_NORM_VARIANTS(routine, kernels_)                                                       \
    GBL_VARIANT("tiles", .fits = gbl_norm_fits, .run = gbl_norm_run, .cost = gbl_norm_cost,        \
                .space = gbl_norm_space, .space_count = NORM_PARAMS, .legal = gbl_norm_legal,      \
                .detail = routine, .kernels = kernels_, .specs = gbl_norm_specs),                  \
        GBL_VARIANT("omp", .fits = gbl_norm_fits_omp, .run = gbl_norm_run_omp,                     \
                    .cost = gbl_norm_cost_omp, .detail = routine)

#endif
