/* sparse_product_doors.c: the typed doors of products with sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "core/arguments.h"
#include "sparse/matrix/sparse_matrix.h"

#define PRODUCT(alpha_, beta_) .trans = trans, .A = A, .alpha = alpha_, .beta = beta_
#define PRODUCTS(alpha_, beta_)                                                                    \
    PRODUCT(alpha_, beta_), .k = k, .several = true, .ldx = ldx, .ldy = ldy, .x = X, .y = Y

/* gable_sparse_smv gable_sparse_dmv gable_sparse_cmv gable_sparse_zmv: y := alpha op(A) x + beta
 * y */
gable_status FN_SPARSE(mv)(gable_context *ctx, gable_trans trans, T alpha, gable_sparse *A,
                           const T *x, T beta, T *y)
{
    const gbl_sparse_product product = {PRODUCT(VALUE(alpha), VALUE(beta)), .x = x, .y = y};
    return gbl_sparse_multiply(ctx, NAME(FN_SPARSE(mv)), DTYPE, &product);
}

/* gable_sparse_smv_dev gable_sparse_dmv_dev gable_sparse_cmv_dev gable_sparse_zmv_dev: alpha and
 * beta on the device */
gable_status FN_SPARSE(mv_dev)(gable_context *ctx, gable_trans trans, const T *alpha,
                               gable_sparse *A, const T *x, const T *beta, T *y)
{
    const gbl_sparse_product product = {PRODUCT(AT(alpha), AT(beta)), .x = x, .y = y};
    return gbl_sparse_multiply(ctx, NAME(FN_SPARSE(mv_dev)), DTYPE, &product);
}

/* gable_sparse_smm gable_sparse_dmm gable_sparse_cmm gable_sparse_zmm: Y := alpha op(A) X + beta
 * Y */
gable_status FN_SPARSE(mm)(gable_context *ctx, gable_trans trans, int64_t k, T alpha,
                           gable_sparse *A, const T *X, int64_t ldx, T beta, T *Y, int64_t ldy)
{
    const gbl_sparse_product product = {PRODUCTS(VALUE(alpha), VALUE(beta))};
    return gbl_sparse_multiply(ctx, NAME(FN_SPARSE(mm)), DTYPE, &product);
}

/* gable_sparse_smm_dev gable_sparse_dmm_dev gable_sparse_cmm_dev gable_sparse_zmm_dev: alpha and
 * beta on the device */
gable_status FN_SPARSE(mm_dev)(gable_context *ctx, gable_trans trans, int64_t k, const T *alpha,
                               gable_sparse *A, const T *X, int64_t ldx, const T *beta, T *Y,
                               int64_t ldy)
{
    const gbl_sparse_product product = {PRODUCTS(AT(alpha), AT(beta))};
    return gbl_sparse_multiply(ctx, NAME(FN_SPARSE(mm_dev)), DTYPE, &product);
}
