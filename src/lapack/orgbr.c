/* orgbr.c: A := Q or P^H of gebrd; ungbr in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix with at least as many rows as columns leaves the reflectors of Q as geqrf does, and
 * those of P one column beside the diagonal; one with fewer rows, the other way round. k is the
 * other size of that matrix: columns for Q, rows for P.
 */
#include "lapack/reduction_q.h"

static bool is_q(const gbl_product_call *call)
{
    return call->vect != GABLE_VECT_P;
}

static gbl_q_call inner(const gbl_product_call *call)
{
    if (is_q(call) ? call->m < call->k : call->n <= call->k)
        return is_q(call) ? gbl_q_formed(call, 1, 0, 1, call->m > 1 ? call->m - 1 : 0)
                          : gbl_q_formed_rows(call, 0, 1, 1, call->n > 1 ? call->n - 1 : 0);
    gbl_q_call whole = {.op = is_q(call) ? &gbl_orgqr_op : &gbl_orglq_op,
                        .run = is_q(call) ? gbl_orgqr : gbl_orglq,
                        .call = *call};
    whole.call.vect = 0;
    return whole;
}

static const gbl_q_routine routine = {.stem = "orgbr", .inner = inner, .forms = true};

static void work(const void *call, gbl_work *least)
{
    gbl_q_work(&routine, call, least);
}

static const gbl_variant variants[] = {GBL_Q_VARIANT(&routine)};

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    const int64_t most = is_q(call) ? call->m : call->n, side = is_q(call) ? call->n : call->m,
                  least = most < call->k ? most : call->k;
    CHECK_ARG(ctx, side <= most, 4, "n", "is %lld, and m %lld: %s has no more %s than %s",
              (long long)call->n, (long long)call->m, is_q(call) ? "Q" : "P^H",
              is_q(call) ? "columns" : "rows", is_q(call) ? "rows" : "columns");
    CHECK_ARG(ctx, side >= least, 4, "n", "is %lld, and m %lld: the smaller must be at least %lld",
              (long long)call->n, (long long)call->m, (long long)least);
    return GABLE_OK;
}

static int64_t reflectors(const void *given)
{
    const gbl_product_call *call = given;
    const int64_t order = is_q(call) ? call->m : call->n;
    return order < call->k ? order : call->k;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_FLAG("vect", GBL_VECT, vect),
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_TERMS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_LAPACK_TAU(GBL_READ, reflectors),
};

const gbl_op gbl_orgbr_op = {
    GBL_PRODUCT_OP("orgbr", operands, variants),
    .rules = rules,
    .work = work,
};

gable_status gbl_orgbr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_orgbr_op, call);
}
