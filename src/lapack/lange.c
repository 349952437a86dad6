/* lange.c: a norm of an m by n matrix
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lapack/norm_plan.h"

static const gbl_norm_routine routine = {.stem = "lange"};

static const gbl_variant variants[] = {
    GBL_NORM_VARIANTS(&routine, "norm_max.cl norm_max_finish.cl norm_columns.cl norm_rows.cl "
                                "norm_sums_finish.cl norm_frobenius.cl norm_frobenius_finish.cl")};

static const gbl_operand operands[] = {
    GBL_NORM_FLAG,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_NORM_RESULT,
};

const gbl_op gbl_lange_op = {GBL_PRODUCT_OP("lange", operands, variants), .work = gbl_norm_work};

gable_status gbl_lange(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_norm_call(ctx, name, &gbl_lange_op, call);
}
