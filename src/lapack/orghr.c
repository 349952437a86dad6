/* orghr.c: A := Q, Q from gehrd; unghr in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows and columns ilo + 1 .. ihi have the Q of reflectors ilo .. ihi - 1, which stand one column
 * to the left of it.
 */
#include "lapack/reduction_q.h"

static gbl_q_call inner(const gbl_product_call *call)
{
    const int64_t low = gbl_q_low(call), high = gbl_q_high(call, call->n);
    return gbl_q_formed(call, low, low - 1, low, high > low ? high - low : 0);
}

static const gbl_q_routine routine = {.stem = "orghr", .inner = inner, .forms = true};

static void work(const void *call, gbl_work *least)
{
    gbl_q_work(&routine, call, least);
}

static const gbl_variant variants[] = {GBL_Q_VARIANT(&routine)};

static gable_status rules(gable_context *ctx, const void *call)
{
    return gbl_q_range_rules(ctx, call, 3, gbl_product_n(call));
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_ORDER,
    GBL_Q_ILO,
    GBL_Q_IHI,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "n"),
    GBL_LAPACK_TAU(GBL_READ, gbl_q_square_reflectors),
};

const gbl_op gbl_orghr_op = {
    GBL_PRODUCT_OP("orghr", operands, variants),
    .rules = rules,
    .work = work,
};

gable_status gbl_orghr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_orghr_op, call);
}
