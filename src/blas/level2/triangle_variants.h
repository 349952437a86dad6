/* triangle_variants.h: the variants of full triangles whose kernels also take those that are stored
 * otherwise.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An op of packed triangles or of bands lists them with its own routine, whose work they count.
 * Products take full and packed triangles, solves bands too. Of a band A is as in BLAS, and ku is
 * its k.
 */
#ifndef GBL_TRIANGLE_VARIANTS_H
#define GBL_TRIANGLE_VARIANTS_H

#include "blas/level2/level2.h"
#include "core/kernel.h"

enum { GBL_TRMV_PARAMS = 6, GBL_SYMV_PARAMS = 8, GBL_TRSV_PARAMS = 7 };
extern const gbl_param gbl_trmv_space_n[GBL_TRMV_PARAMS], gbl_trmv_space_t[GBL_TRMV_PARAMS],
    gbl_symv_space[GBL_SYMV_PARAMS], gbl_trsv_space[GBL_TRSV_PARAMS];

bool gbl_trmv_fits_n(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_trmv_fits_t(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_trmv)

bool gbl_symv_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_symv)

bool gbl_trsv_fits_n(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_trsv_fits_t(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_trsv)

/* Two variants, because lanes lie best in other ways where A is transposed. */
#define GBL_TRMV_VARIANTS(routine)                                                                 \
    GBL_VARIANT("blocks_n", .fits = gbl_trmv_fits_n, .run = gbl_trmv_run, .cost = gbl_trmv_cost,   \
                .space = gbl_trmv_space_n, .space_count = GBL_TRMV_PARAMS,                         \
                .legal = gbl_trmv_legal, .detail = routine, .kernels = "trmv_n.cl",                \
                .specs = gbl_trmv_specs),                                                          \
        GBL_VARIANT("blocks_t", .fits = gbl_trmv_fits_t, .run = gbl_trmv_run,                      \
                    .cost = gbl_trmv_cost, .space = gbl_trmv_space_t,                              \
                    .space_count = GBL_TRMV_PARAMS, .legal = gbl_trmv_legal, .detail = routine,    \
                    .kernels = "trmv_t.cl", .specs = gbl_trmv_specs)

#define GBL_SYMV_VARIANT(routine)                                                                  \
    GBL_VARIANT("two_pass", .fits = gbl_symv_fits, .run = gbl_symv_run, .cost = gbl_symv_cost,     \
                .space = gbl_symv_space, .space_count = GBL_SYMV_PARAMS, .legal = gbl_symv_legal,  \
                .detail = routine, .kernels = "symv.cl symv_finish.cl", .specs = gbl_symv_specs)

#define GBL_TRSV_VARIANTS(routine)                                                                 \
    GBL_VARIANT("progress_n", .fits = gbl_trsv_fits_n, .run = gbl_trsv_run, .cost = gbl_trsv_cost, \
                .space = gbl_trsv_space, .space_count = GBL_TRSV_PARAMS, .legal = gbl_trsv_legal,  \
                .detail = routine, .kernels = "trsv.cl", .specs = gbl_trsv_specs),                 \
        GBL_VARIANT("progress_t", .fits = gbl_trsv_fits_t, .run = gbl_trsv_run,                    \
                    .cost = gbl_trsv_cost, .space = gbl_trsv_space,                                \
                    .space_count = GBL_TRSV_PARAMS, .legal = gbl_trsv_legal, .detail = routine,    \
                    .kernels = "trsv.cl", .specs = gbl_trsv_specs)

/* trsv_single_item.c: one work-item, where groups cannot hand over: the first variant of tpsv and
 * tbsv, which have no steps. */
bool gbl_trsv_single_item_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_trsv_single_item_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                      const gbl_params *params);
void gbl_trsv_single_item_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                               const gbl_device *device, gbl_cost *cost);
int gbl_trsv_single_item_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                               const gbl_device *device, gbl_kernel_spec *spec);
#define GBL_TRSV_SINGLE_ITEM_VARIANT(routine)                                                      \
    GBL_VARIANT("single_item", .fits = gbl_trsv_single_item_fits, .run = gbl_trsv_single_item_run, \
                .cost = gbl_trsv_single_item_cost, .detail = routine,                              \
                .kernels = "trsv_single_item.cl", .specs = gbl_trsv_single_item_specs)

#endif
