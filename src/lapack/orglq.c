/* orglq.c: A := the first m rows of Q, Q from gelqf; unglq in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `turned` is orgqr of the vectors as columns (turned.h). Routines that are made of this one may
 * have Q written elsewhere: `C` and ldc.
 */
#include "lapack/turned.h"

static gbl_product_call columns_of(const gbl_product_call *call, void *B, int64_t ldb)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .m = call->n,
                              .n = call->m,
                              .k = call->k,
                              .A = B,
                              .lda = ldb,
                              .tau = call->tau};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    void *B;
    int64_t ldb;
    (void)self, (void)params;
    TRY(gbl_composed_room(ctx, call->dtype, call->n, call->m, &B, &ldb));
    if (call->k > 0)
        TRY(gbl_turned(ctx, "orglq", call->dtype, call->k, call->n, call->A, call->lda, B, ldb));
    const gbl_product_call columns = columns_of(call, B, ldb);
    TRY(gbl_orgqr(ctx, "orglq", &columns));
    return gbl_turned(ctx, "orglq", call->dtype, call->n, call->m, B, ldb,
                      call->C != NULL ? call->C : call->A, call->C != NULL ? call->ldc : call->lda);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given, columns = columns_of(call, call->A, call->n);
    gbl_orgqr_op.work(&columns, least);
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
    const gbl_product_call columns = columns_of(call, call->A, ldb);
    const gbl_matrix_call back =
        gbl_turned_call(call->dtype, call->n, call->m, NULL, ldb, call->A, call->lda);
    int count = 0;
    (void)self, (void)params, (void)device;
    if (call->k > 0) {
        const gbl_matrix_call there =
            gbl_turned_call(call->dtype, call->k, call->n, call->A, call->lda, NULL, ldb);
        count = gbl_composed_call(parts, count, &gbl_transpose_op, &there, 1);
    }
    count = gbl_composed_call(parts, count, &gbl_orgqr_op, &columns, 1);
    return gbl_composed_call(parts, count, &gbl_transpose_op, &back, 1);
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
    CHECK_ARG(ctx, call->n >= call->m, 3, "n", "is %lld, less than m = %lld", (long long)call->n,
              (long long)call->m);
    CHECK_ARG(ctx, call->k <= call->m, 4, "k", "is %lld, more than m = %lld", (long long)call->k,
              (long long)call->m);
    return GABLE_OK;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_TERMS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_LAPACK_TAU(GBL_READ, gbl_product_k),
};

const gbl_op gbl_orglq_op = {
    .stem = "orglq",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_orglq(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_orglq_op, call);
}
