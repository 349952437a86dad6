/* gebrd_panel.h: a panel of gebrd by one cooperative launch.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEBRD_PANEL_H
#define GBL_GEBRD_PANEL_H

#include "core/kernel.h"
#include "lapack/lapack.h"

/* A kernel for panels of at most `most` rows; with `twice`, of any number. */
typedef struct gbl_gebrd_shape {
    gbl_kernel *kernel;
    int32_t items, own, deep, columns, vec, stages, v_local, twice, bulk, early, block;
    int64_t most;
} gbl_gebrd_shape;

#define GBL_GEBRD_SHAPES 6

/* What all panels of a call use. P and Q have 2 `block` numbers for each row and column behind the
 * last panel's first: what stands behind the panel becomes A - P Q. */
typedef struct gbl_gebrd_panels {
    gbl_gebrd_shape shapes[GBL_GEBRD_SHAPES]; /* for many rows first */
    int count;
    int32_t block;
    int64_t groups; /* at most */
    void *P, *Q, *column, *row, *shares, *swept, *squares;
} gbl_gebrd_panels;

bool gbl_gebrd_panel_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_gebrd_panel_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash);
int gbl_gebrd_panel_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs);

/* For a call with m >= n. */
gable_status gbl_gebrd_panels_prepare(gable_context *ctx, const gbl_variant *self,
                                      const gbl_product_call *call, const gbl_params *params,
                                      gbl_gebrd_panels *panels);

/* Reduces columns and rows [first, first + count), writes d, e, tauq and taup of them, and P and Q
 * from row and column `first` on. */
gable_status gbl_gebrd_panel(gable_context *ctx, const gbl_gebrd_panels *panels,
                             const gbl_product_call *call, int64_t first, int64_t count);

/* All panels of a call with m >= n, as kernels. */
int gbl_gebrd_panel_parts(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts, int count);
double gbl_gebrd_panel_bytes(const gbl_product_call *call, const gbl_params *params,
                             const gbl_device *device);

#endif
