/* orgtr.c: A := Q, Q from sytrd; ungtr in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Lower: Q is 1 beside the Q of n - 1 reflectors that begin below the diagonal. Upper: the vectors
 * end above it, and the 1 comes last.
 */
#include "lapack/reduction_q.h"

static gbl_q_call inner(const gbl_product_call *call)
{
    const int64_t order = gbl_q_square_reflectors(call);
    if (call->uplo == GABLE_LOWER)
        return gbl_q_formed(call, 1, 0, 1, order);
    gbl_q_call upper = gbl_q_formed(call, 0, 1, 0, order);
    upper.call.uplo = GABLE_UPPER;
    return upper;
}

static const gbl_q_routine routine = {.stem = "orgtr", .inner = inner, .forms = true};

static void work(const void *call, gbl_work *least)
{
    gbl_q_work(&routine, call, least);
}

static const gbl_variant variants[] = {GBL_Q_VARIANT(&routine)};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "n"),
    GBL_LAPACK_TAU(GBL_READ, gbl_q_square_reflectors),
};

const gbl_op gbl_orgtr_op = {
    GBL_PRODUCT_OP("orgtr", operands, variants),
    .work = work,
};

gable_status gbl_orgtr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_orgtr_op, call);
}
