/* band_variants.h: the variants of products with band matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A routine says by `form` (band_plan.h) which product a call is; the variants do the rest. `flat`
 * takes narrow bands whose columns follow each other in memory, `tile` other narrow ones, `wide_n`
 * and `wide_t` the rest on GPUs; `single_item` is for CPUs.
 */
#ifndef GBL_BAND_VARIANTS_H
#define GBL_BAND_VARIANTS_H

#include "blas/level2/band_plan.h"

enum {
    GBL_BAND_TILE_PARAMS = 3,
    GBL_BAND_FLAT_PARAMS = 3,
    GBL_BAND_WIDE_PARAMS = 4,
    GBL_BAND_SINGLE_ITEM_PARAMS = 1
};
extern const gbl_param gbl_band_tile_space[GBL_BAND_TILE_PARAMS];
extern const gbl_param gbl_band_flat_space[GBL_BAND_FLAT_PARAMS];
extern const gbl_param gbl_band_wide_n_space[GBL_BAND_WIDE_PARAMS];
extern const gbl_param gbl_band_wide_t_space[GBL_BAND_WIDE_PARAMS];
extern const gbl_param gbl_band_single_item_space[GBL_BAND_SINGLE_ITEM_PARAMS];

/* band_tile.c */
bool gbl_band_tile_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_band_tile)

/* band_flat.c: the other variants for GPUs leave to it what it fits. */
bool gbl_band_flat_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_band_flat)

/* band_wide.c */
bool gbl_band_wide_n_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_band_wide_t_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_band_wide)

/* band_single_item.c */
bool gbl_band_single_item_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_band_single_item)

/* The variants that general, triangular and symmetric bands share, and those of sums along one
 * side. */
#define GBL_BAND_VARIANTS(routine)                                                                 \
    GBL_VARIANT("tile", .fits = gbl_band_tile_fits, .run = gbl_band_tile_run,                      \
                .cost = gbl_band_tile_cost, .space = gbl_band_tile_space,                          \
                .space_count = GBL_BAND_TILE_PARAMS, .legal = gbl_band_tile_legal,                 \
                .detail = routine, .kernels = "band_tile.cl band_save.cl",                         \
                .specs = gbl_band_tile_specs),                                                     \
        GBL_VARIANT("flat", .fits = gbl_band_flat_fits, .run = gbl_band_flat_run,                  \
                    .cost = gbl_band_flat_cost, .space = gbl_band_flat_space,                      \
                    .space_count = GBL_BAND_FLAT_PARAMS, .legal = gbl_band_flat_legal,             \
                    .detail = routine, .kernels = "band_flat.cl band_save.cl",                     \
                    .specs = gbl_band_flat_specs),                                                 \
        GBL_VARIANT("single_item", .fits = gbl_band_single_item_fits,                              \
                    .run = gbl_band_single_item_run, .cost = gbl_band_single_item_cost,            \
                    .space = gbl_band_single_item_space,                                           \
                    .space_count = GBL_BAND_SINGLE_ITEM_PARAMS,                                    \
                    .legal = gbl_band_single_item_legal, .detail = routine,                        \
                    .kernels = "band_single_item.cl", .specs = gbl_band_single_item_specs)
#define GBL_BAND_WIDE_VARIANTS(routine)                                                            \
    GBL_VARIANT("wide_n", .fits = gbl_band_wide_n_fits, .run = gbl_band_wide_run,                  \
                .cost = gbl_band_wide_cost, .space = gbl_band_wide_n_space,                        \
                .space_count = GBL_BAND_WIDE_PARAMS, .legal = gbl_band_wide_legal,                 \
                .detail = routine, .kernels = "band_n.cl", .specs = gbl_band_wide_specs),          \
        GBL_VARIANT("wide_t", .fits = gbl_band_wide_t_fits, .run = gbl_band_wide_run,              \
                    .cost = gbl_band_wide_cost, .space = gbl_band_wide_t_space,                    \
                    .space_count = GBL_BAND_WIDE_PARAMS, .legal = gbl_band_wide_legal,             \
                    .detail = routine, .kernels = "band_t.cl", .specs = gbl_band_wide_specs)

#endif
