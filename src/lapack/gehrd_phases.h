/* gehrd_phases.h: a panel of gehrd by a few launches per column.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEHRD_PHASES_H
#define GBL_GEHRD_PHASES_H

#include "core/kernel.h"
#include "lapack/gehrd_columns.h"
#include "lapack/phase_plan.h"

/* What all panels of a call use. */
typedef struct gbl_gehrd_phases {
    gbl_phase_plan plan;
    gbl_kernel *column, *reflect, *vector; /* NULL: panels are made otherwise */
    void *b, *swept, *shares, *with_v;     /* with_v: V^H v */
} gbl_gehrd_phases;

int gbl_gehrd_phases_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs);
/* For panels of at most so many rows. */
gable_status gbl_gehrd_phases_prepare(gable_context *ctx, const gbl_product_call *call,
                                      const gbl_params *params, int64_t rows,
                                      gbl_gehrd_phases *phases);

/* Reduces the columns of a panel from `first` on, as gbl_gehrd_columns does. */
gable_status gbl_gehrd_phases_run(gable_context *ctx, const gbl_gehrd_phases *phases,
                                  const gbl_product_call *call, const gbl_gehrd_room *room,
                                  int64_t first);

/* All panels of a call, as kernels and calls; `order` rows and columns are reduced. */
int gbl_gehrd_phases_parts(const gbl_product_call *call, const gbl_params *params,
                           const gbl_device *device, int64_t order, gbl_part_call *parts,
                           int count);
double gbl_gehrd_phases_bytes(const gbl_product_call *call, const gbl_params *params,
                              const gbl_device *device, int64_t order);
/* Launches for one column, with that of gemv. */
#define GBL_GEHRD_PHASE_LAUNCHES 4

#endif
