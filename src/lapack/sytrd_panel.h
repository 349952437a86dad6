/* sytrd_panel.h: a panel of sytrd by one cooperative launch.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SYTRD_PANEL_H
#define GBL_SYTRD_PANEL_H

#include "core/kernel.h"
#include "lapack/lapack.h"

/* What all panels of a call use. */
typedef struct gbl_sytrd_panels {
    gbl_kernel *kernel; /* NULL: panels are made of calls */
    int32_t items, own, deep, columns, block;
    int32_t slots;  /* pieces of a team that stay in local memory */
    int64_t groups; /* at most */
    void *column, *shares, *row_sums, *column_sums, *energy, *squares;
} gbl_sytrd_panels;

/* Whether the device runs such launches. */
bool gbl_sytrd_panel_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_sytrd_panel_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash);
int gbl_sytrd_panel_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs);

gable_status gbl_sytrd_panels_prepare(gable_context *ctx, const gbl_variant *self,
                                      const gbl_product_call *call, const gbl_params *params,
                                      gbl_sytrd_panels *panels);

/* Reduces columns first ... first + count - 1, as gbl_sytrd_columns does. */
gable_status gbl_sytrd_panel(gable_context *ctx, const gbl_sytrd_panels *panels,
                             const gbl_product_call *call, void *W, int64_t ldw, int64_t first,
                             int64_t count);

/* All panels of a call, as kernels. */
int gbl_sytrd_panel_parts(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts, int count);
double gbl_sytrd_panel_bytes(const gbl_product_call *call, const gbl_params *params,
                             const gbl_device *device);

#endif
