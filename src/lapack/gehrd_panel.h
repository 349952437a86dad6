/* gehrd_panel.h: a panel of gehrd by one cooperative launch.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEHRD_PANEL_H
#define GBL_GEHRD_PANEL_H

#include "core/kernel.h"
#include "lapack/gehrd_columns.h"

/* What all panels of a call use. */
typedef struct gbl_gehrd_panels {
    gbl_kernel *kernel; /* NULL: panels are made of calls */
    int32_t items, own, deep, columns, block;
    int32_t slots;  /* pieces of a team that stay in local memory */
    int64_t groups; /* at most */
    void *column, *shares, *swept, *squares;
} gbl_gehrd_panels;

bool gbl_gehrd_panel_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash);
int gbl_gehrd_panel_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs);

/* For panels of at most so many rows. */
gable_status gbl_gehrd_panels_prepare(gable_context *ctx, const gbl_variant *self,
                                      const gbl_product_call *call, const gbl_params *params,
                                      int64_t rows, gbl_gehrd_panels *panels);

/* Reduces the columns of a panel from `first` on, as gbl_gehrd_columns does. */
gable_status gbl_gehrd_panel(gable_context *ctx, const gbl_gehrd_panels *panels,
                             const gbl_product_call *call, const gbl_gehrd_room *room,
                             int64_t first);

/* All panels of a call, as kernels; `order` rows and columns are reduced. */
int gbl_gehrd_panel_parts(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device, int64_t order, gbl_part_call *parts, int count);
double gbl_gehrd_panel_bytes(const gbl_product_call *call, const gbl_params *params,
                             const gbl_device *device, int64_t order);

#endif
