/* sytrd_phases.h: a panel of sytrd by a few launches per column.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SYTRD_PHASES_H
#define GBL_SYTRD_PHASES_H

#include "core/kernel.h"
#include "lapack/lapack.h"
#include "lapack/phase_plan.h"

/* What all panels of a call use. */
typedef struct gbl_sytrd_phases {
    gbl_phase_plan plan;
    gbl_kernel *rows, *vector;                 /* NULL: panels are made otherwise */
    void *v, *y, *column, *shares, *with_both; /* with_both: V^H v and W^H v */
} gbl_sytrd_phases;

int gbl_sytrd_phases_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs);
gable_status gbl_sytrd_phases_prepare(gable_context *ctx, const gbl_product_call *call,
                                      const gbl_params *params, gbl_sytrd_phases *phases);

/* Reduces columns first ... first + count - 1, as gbl_sytrd_columns does. */
gable_status gbl_sytrd_phases_run(gable_context *ctx, const gbl_sytrd_phases *phases,
                                  const gbl_product_call *call, void *W, int64_t ldw, int64_t first,
                                  int64_t count);

/* All panels of a call, as kernels and calls. */
int gbl_sytrd_phases_parts(const gbl_product_call *call, const gbl_params *params,
                           const gbl_device *device, gbl_part_call *parts, int count);
double gbl_sytrd_phases_bytes(const gbl_product_call *call, const gbl_params *params,
                              const gbl_device *device);
/* Launches for one column, with the two of symv. */
#define GBL_SYTRD_PHASE_LAUNCHES 4

#endif
