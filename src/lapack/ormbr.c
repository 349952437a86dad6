/* ormbr.c: C := op(Q) C, C op(Q), op(P) C or C op(P), both from gebrd; unmbr in complex
 * precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As orgbr: where the reflectors stand beside the diagonal the first row (column) of C stays.
 */
#include "lapack/block_plan.h"
#include "lapack/reduction_q.h"

static bool is_q(const gbl_product_call *call)
{
    return call->vect != GABLE_VECT_P;
}

static gbl_q_call inner(const gbl_product_call *call)
{
    const int64_t order = gbl_product_order(call), less = order > 1 ? order - 1 : 0;
    if (is_q(call))
        return order >= call->k ? gbl_q_applied(call, 0, 0, 0, order, call->k)
                                : gbl_q_applied(call, 1, 0, 1, less, less);
    return order > call->k ? gbl_q_applied_rows(call, 0, 0, 0, order, call->k)
                           : gbl_q_applied_rows(call, 0, 1, 1, less, less);
}

static const gbl_q_routine routine = {.stem = "ormbr", .inner = inner};

static void work(const void *call, gbl_work *least)
{
    gbl_q_work(&routine, call, least);
}

static const gbl_variant variants[] = {GBL_Q_VARIANT(&routine)};

static gable_status rules(gable_context *ctx, const void *call)
{
    return gbl_block_trans(ctx, call, 4);
}

static int64_t rows_of(const void *given)
{
    const gbl_product_call *call = given;
    return is_q(call) ? gbl_product_order(call) : gbl_q_applied_least(call);
}

static int64_t columns_of(const void *given)
{
    const gbl_product_call *call = given;
    return is_q(call) ? gbl_q_applied_least(call) : gbl_product_order(call);
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_FLAG("vect", GBL_VECT, vect),
    GBL_PRODUCT_SIDE,
    GBL_PRODUCT_TRANS,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_TERMS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, rows_of, columns_of, NULL, "rows of A"),
    GBL_LAPACK_TAU(GBL_READ, gbl_q_applied_least),
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_ormbr_op = {
    GBL_PRODUCT_OP("ormbr", operands, variants),
    .rules = rules,
    .work = work,
};

gable_status gbl_ormbr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_ormbr_op, call);
}
