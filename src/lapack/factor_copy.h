/* factor_copy.h: factorizations in a copy whose columns start on whole cache lines.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where columns of A start at odd addresses every block is one more kind of call: other kernels to
 * compile, loads of single elements, copies for products that want whole lines. The variant
 * `aligned` copies A once, calls the routine for the copy, and copies the factors back: two reads
 * and writes of A, which is little beside the factorization of a large one.
 */
#ifndef GBL_FACTOR_COPY_H
#define GBL_FACTOR_COPY_H

#include "lapack/lapack.h"

typedef struct gbl_factor_copy {
    const gbl_op *op;
    gable_status (*routine)(gable_context *ctx, const char *name, const gbl_product_call *call);
    bool triangle; /* only that of uplo is read and written */
} gbl_factor_copy;

bool gbl_factor_copy_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_factor_copy_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
void gbl_factor_copy_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost);
int gbl_factor_copy_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts);

#define GBL_FACTOR_COPY_VARIANT(factor_copy)                                                       \
    {                                                                                              \
        .name = "aligned", .deterministic = true, .fits = gbl_factor_copy_fits,                    \
        .run = gbl_factor_copy_run, .cost = gbl_factor_copy_cost, .detail = &(factor_copy),        \
        .parts = gbl_factor_copy_parts                                                             \
    }

#endif
