/* ormlq.c: C := op(Q) C or C op(Q), Q from gelqf; unmlq in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `turned`: the vectors are turned into columns, and ormqr applies them (turned.h). Its Q is this
 * one's conjugate transpose.
 */
#include "lapack/block_plan.h"
#include "lapack/turned.h"

static gbl_product_call product_of(const gbl_product_call *call, void *V, int64_t ldv)
{
    gbl_product_call product = *call;
    product.trans = call->trans == GABLE_NO_TRANS ? gbl_adjoint(call->dtype) : GABLE_NO_TRANS;
    product.A = V;
    product.lda = ldv;
    return product;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t order = gbl_product_order(call);
    void *V;
    int64_t ldv;
    (void)self, (void)params;
    if (call->k == 0)
        return GABLE_OK;
    TRY(gbl_composed_room(ctx, call->dtype, order, call->k, &V, &ldv));
    TRY(gbl_turned(ctx, "ormlq", call->dtype, call->k, order, call->A, call->lda, V, ldv));
    const gbl_product_call product = product_of(call, V, ldv);
    return gbl_ormqr(ctx, "ormlq", &product);
}

static void work(const void *given, gbl_work *least)
{
    gbl_ormqr_op.work(given, least);
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(given, &least);
    gbl_composed_cost(&least, 2, out);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t order = gbl_product_order(call), ldv = gbl_composed_ld(call->dtype, order);
    (void)self, (void)params, (void)device;
    if (call->k == 0)
        return 0;
    const gbl_product_call product = product_of(call, call->A, ldv);
    const gbl_matrix_call there =
        gbl_turned_call(call->dtype, call->k, order, call->A, call->lda, NULL, ldv);
    const int count = gbl_composed_call(parts, 0, &gbl_transpose_op, &there, 1);
    return gbl_composed_call(parts, count, &gbl_ormqr_op, &product, 1);
}

static const gbl_variant variants[] = {{.name = "turned",
                                        .deterministic = true,
                                        .fits = gbl_turned_fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    const int64_t order = gbl_product_order(call);
    TRY(gbl_block_trans(ctx, call, 3));
    CHECK_ARG(ctx, call->k <= order, 6, "k", "is %lld, more than the %lld rows of Q",
              (long long)call->k, (long long)order);
    return GABLE_OK;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_SIDE,
    GBL_PRODUCT_TRANS,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_TERMS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_k, gbl_product_order, NULL, "k"),
    GBL_LAPACK_TAU(GBL_READ, gbl_product_k),
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_ormlq_op = {
    .stem = "ormlq",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_ormlq(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_ormlq_op, call);
}
