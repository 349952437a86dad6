/* lansy.c: a norm of a symmetric or Hermitian matrix, of which one triangle is stored
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its largest sums of columns and of rows are the same. With `conj` imaginary parts of the diagonal
 * are taken as 0. With `by_parts`, for drivers that scale, the largest element is that with the
 * largest part: the modulus of one that is finite may not be.
 */
#include "lapack/norm_plan.h"

static const gbl_norm_routine routine = {.stem = "lansy", .symmetric = true};

static const gbl_variant variants[] = {
    GBL_NORM_VARIANTS(&routine, "norm_max.cl norm_max_finish.cl norm_both.cl norm_sums_finish.cl "
                                "norm_frobenius.cl norm_frobenius_finish.cl")};

static const gbl_operand operands[] = {
    GBL_NORM_FLAG,
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
    GBL_NORM_RESULT,
    GBL_PRODUCT_CONJ,
    {.kind = GBL_MARK, .at = PRODUCT_AT(by_parts)},
};

const gbl_op gbl_lansy_op = {GBL_PRODUCT_OP("lansy", operands, variants), .work = gbl_norm_work};

gable_status gbl_lansy(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_norm_call(ctx, name, &gbl_lansy_op, call);
}
