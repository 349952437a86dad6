/* composed.h: what routines made of products share: gemmt, syrk, syr2k, symm, trmm and trsm.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where kernels run, each of them calls gbl_gemm with `triangle_c` or `triangular` set
 * (device/product_args.h). On cpu they have tasks of their own.
 */
#ifndef GBL_COMPOSED_H
#define GBL_COMPOSED_H

#include "blas/level3/level3.h"

/* Whether the device runs kernels. */
bool gbl_composed_fits(const gbl_variant *self, const void *call, const gbl_device *device);

/* The triangle of C that uplo names, as gemm takes it. */
static inline uint8_t gbl_composed_part(const gbl_product_call *call)
{
    return call->uplo == GABLE_UPPER ? GBL_UPPER_ONLY : GBL_LOWER_ONLY;
}

/* Bytes and flops of the op's work, in so many launches. The groups are gemm's, which this does not
 * look at. */
void gbl_composed_cost(const gbl_work *work, double launches, gbl_cost *cost);

/* A matrix in the workspace, until the op is done. Its columns start on whole cache lines:
 * gbl_composed_ld says how far they are apart. */
int64_t gbl_composed_ld(gbl_dtype dtype, int64_t rows);
gable_status gbl_composed_room(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                               void **matrix, int64_t *ld);

/* The bytes of it, for gbl_cost. */
double gbl_composed_room_bytes(gbl_dtype dtype, int64_t rows, int64_t columns);

/* ---- Parts, for the model ---- */

/* Adds a call of an op, so many times, to the parts of a variant; gives how many parts there are
 * then. */
int gbl_composed_call(gbl_part_call *parts, int count, const gbl_op *op, const void *call,
                      double times);
/* The same of a product. */
int gbl_composed_product(gbl_part_call *parts, int count, const gbl_product_call *product,
                         double times);
/* The same of a kernel of the variant itself. */
int gbl_composed_kernel(gbl_part_call *parts, int count, const gbl_cost *cost, double times);

/* ---- Variants that are one product ---- */

typedef struct gbl_one_product {
    const char *stem;
    gbl_product_call (*product_of)(const gbl_product_call *call);
    void (*work)(const void *call, gbl_work *least); /* NULL: the product's */
} gbl_one_product;

gable_status gbl_one_product_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
void gbl_one_product_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost);
int gbl_one_product_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts);
#define GBL_ONE_PRODUCT_VARIANT(name_, fits_, one_product)                                         \
    GBL_VARIANT(name_, .fits = fits_, .run = gbl_one_product_run, .cost = gbl_one_product_cost,    \
                .parts = gbl_one_product_parts, .detail = one_product)

/* ---- syrk and syr2k ---- */

/* Their first arguments. */
#define GBL_RANK_K_OPERANDS                                                                        \
    GBL_PRODUCT_UPLO, GBL_PRODUCT_TRANS, GBL_PRODUCT_ORDER, GBL_PRODUCT_TERMS, GBL_PRODUCT_ALPHA,  \
        GBL_PRODUCT_A

/* What trans may be: GABLE_TRANS where C is symmetric, GABLE_CONJ_TRANS where it is Hermitian. */
gable_status gbl_rank_k_rules(gable_context *ctx, const void *call);

/* C := alpha op(X) op'(Y) + beta C in the triangle of the call: X = A, Y = B; op' turns where op
 * does not. */
gbl_product_call gbl_rank_k_product(const gbl_product_call *call);

/* ---- trmm and trsm ---- */

/* The triangle is read, B read and written, each element of it with about half of the order in
 * terms. */
void gbl_triangle_work(const void *call, gbl_work *least);

/* Their arguments. */
#define GBL_TRIANGLE_OPERANDS                                                                      \
    GBL_PRODUCT_SIDE, GBL_PRODUCT_UPLO, GBL_PRODUCT_TRANS, GBL_PRODUCT_DIAG, GBL_PRODUCT_ROWS,     \
        GBL_PRODUCT_COLUMNS, GBL_PRODUCT_ALPHA,                                                    \
        GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, PRODUCT_AT(alpha), gbl_product_order,          \
                           gbl_product_order, gbl_product_triangle_unit, "rows of A"),             \
        GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL,   \
                           "m")

#endif
