/* ormhr.c: C := op(Q) C or C op(Q), Q from gehrd; unmhr in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As orghr: rows (columns) ilo + 1 .. ihi of C change.
 */
#include "lapack/block_plan.h"
#include "lapack/reduction_q.h"

static gbl_q_call inner(const gbl_product_call *call)
{
    const int64_t low = gbl_q_low(call), high = gbl_q_high(call, gbl_product_order(call)),
                  count = high > low ? high - low : 0;
    return gbl_q_applied(call, low, low - 1, low, count, count);
}

static const gbl_q_routine routine = {.stem = "ormhr", .inner = inner};

static void work(const void *call, gbl_work *least)
{
    gbl_q_work(&routine, call, least);
}

static const gbl_variant variants[] = {GBL_Q_VARIANT(&routine)};

static gable_status rules(gable_context *ctx, const void *call)
{
    TRY(gbl_block_trans(ctx, call, 3));
    return gbl_q_range_rules(ctx, call, 6, gbl_product_order(call));
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_SIDE,
    GBL_PRODUCT_TRANS,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_Q_ILO,
    GBL_Q_IHI,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_order, gbl_product_order, NULL,
                       "rows of A"),
    GBL_LAPACK_TAU(GBL_READ, gbl_q_applied_reflectors),
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_ormhr_op = {
    GBL_PRODUCT_OP("ormhr", operands, variants),
    .rules = rules,
    .work = work,
};

gable_status gbl_ormhr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_ormhr_op, call);
}
