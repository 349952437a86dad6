/* lantr.c: a norm of a triangular or trapezoidal matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With GABLE_UNIT the diagonal is not read and counts as ones.
 */
#include "lapack/norm_plan.h"

static const gbl_norm_routine routine = {.stem = "lantr"};

static const gbl_variant variants[] = {
    GBL_NORM_VARIANTS(&routine, "norm_max.cl norm_max_finish.cl norm_columns.cl norm_rows.cl "
                                "norm_sums_finish.cl norm_frobenius.cl norm_frobenius_finish.cl")};

static const gbl_operand operands[] = {
    GBL_NORM_FLAG,
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_DIAG,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_NORM_RESULT,
};

const gbl_op gbl_lantr_op = {GBL_PRODUCT_OP("lantr", operands, variants), .work = gbl_norm_work};

gable_status gbl_lantr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_norm_call(ctx, name, &gbl_lantr_op, call);
}
