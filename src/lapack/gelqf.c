/* gelqf.c: the LQ factorization A = L Q, Q as Householder reflectors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `turned` is geqrf of A^H (turned.h).
 */
#include "lapack/turned.h"

static gbl_product_call factors_of(const gbl_product_call *call, void *B, int64_t ldb)
{
    return (gbl_product_call){
        .dtype = call->dtype, .m = call->n, .n = call->m, .A = B, .lda = ldb, .tau = call->tau};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    void *B;
    int64_t ldb;
    (void)self, (void)params;
    TRY(gbl_composed_room(ctx, call->dtype, call->n, call->m, &B, &ldb));
    TRY(gbl_turned(ctx, "gelqf", call->dtype, call->m, call->n, call->A, call->lda, B, ldb));
    const gbl_product_call factors = factors_of(call, B, ldb);
    TRY(gbl_geqrf(ctx, "gelqf", &factors));
    return gbl_turned(ctx, "gelqf", call->dtype, call->n, call->m, B, ldb, call->A, call->lda);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given, turned = factors_of(call, call->A, call->n);
    gbl_geqrf_op.work(&turned, least);
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(given, &least);
    gbl_composed_cost(&least, 3, out);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t ldb = gbl_composed_ld(call->dtype, call->n);
    const gbl_product_call factors = factors_of(call, call->A, ldb);
    const gbl_matrix_call there = gbl_turned_call(call->dtype, call->m, call->n, call->A, call->lda,
                                                  NULL, ldb),
                          back = gbl_turned_call(call->dtype, call->n, call->m, NULL, ldb, call->A,
                                                 call->lda);
    (void)self, (void)params, (void)device;
    int count = gbl_composed_call(parts, 0, &gbl_transpose_op, &there, 1);
    count = gbl_composed_call(parts, count, &gbl_geqrf_op, &factors, 1);
    return gbl_composed_call(parts, count, &gbl_transpose_op, &back, 1);
}

static const gbl_variant variants[] = {{.name = "turned",
                                        .deterministic = true,
                                        .fits = gbl_turned_fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static int64_t reflectors(const void *given)
{
    const gbl_product_call *call = given;
    return call->m < call->n ? call->m : call->n;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_LAPACK_TAU(GBL_WRITE, reflectors),
};

const gbl_op gbl_gelqf_op = {
    .stem = "gelqf",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_gelqf(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_gelqf_op, call);
}
