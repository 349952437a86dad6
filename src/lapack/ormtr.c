/* ormtr.c: C := op(Q) C or C op(Q), Q from sytrd; unmtr in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As orgtr: the first row (column) of C stays as it is, of the upper triangle the last one.
 */
#include "lapack/block_plan.h"
#include "lapack/reduction_q.h"

static gbl_q_call inner(const gbl_product_call *call)
{
    const int64_t order = gbl_q_applied_reflectors(call);
    if (call->uplo == GABLE_LOWER)
        return gbl_q_applied(call, 1, 0, 1, order, order);
    gbl_q_call upper = gbl_q_applied(call, 0, 1, 0, order, order);
    upper.call.uplo = GABLE_UPPER;
    return upper;
}

static const gbl_q_routine routine = {.stem = "ormtr", .inner = inner};

static void work(const void *call, gbl_work *least)
{
    gbl_q_work(&routine, call, least);
}

static const gbl_variant variants[] = {GBL_Q_VARIANT(&routine)};

static gable_status rules(gable_context *ctx, const void *call)
{
    return gbl_block_trans(ctx, call, 4);
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_SIDE,
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_TRANS,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_order, gbl_product_order, NULL,
                       "rows of A"),
    GBL_LAPACK_TAU(GBL_READ, gbl_q_applied_reflectors),
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_ormtr_op = {
    GBL_PRODUCT_OP("ormtr", operands, variants),
    .rules = rules,
    .work = work,
};

gable_status gbl_ormtr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_ormtr_op, call);
}
