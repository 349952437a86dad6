/* orgqr.c: A := the first n columns of Q, Q from geqrf; ungqr in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `blocks` goes backward: a block's reflectors are taken out (block_plan.h), their columns of A
 * become those of the identity, and the block is applied to them and to all columns behind. Where
 * vectors end on the diagonal (orgtr), Q = H_k ... H_1 is square and grows from its first columns.
 * Routines that are made of this one may have Q written elsewhere: `C` and ldc. C may be A moved by
 * one column and row, to where this goes: a block is taken out before its columns are written.
 */
#include "lapack/block_plan.h"

/* Rows [i, i + rows) of columns [j, j + columns) become zeros, with ones on the diagonal that
 * begins there if asked for. */
static gable_status set(gable_context *ctx, const gbl_product_call *q, int64_t i, int64_t j,
                        int64_t rows, int64_t columns, double diagonal)
{
    const gbl_product_call fill = {.dtype = q->dtype,
                                   .uplo = GABLE_GENERAL,
                                   .m = rows,
                                   .n = columns,
                                   .beta = {.re = diagonal},
                                   .A = gbl_element(q->dtype, q->C, q->ldc, i, j),
                                   .lda = q->ldc};
    return rows == 0 || columns == 0 ? GABLE_OK : gbl_laset(ctx, "orgqr", &fill);
}

static gable_status run_above(gable_context *ctx, const gbl_product_call *q, gbl_blocks *b)
{
    for (int64_t at = 0; at < q->k; at += b->plan.block) {
        TRY(gbl_blocks_take(b, at));
        TRY(set(ctx, q, 0, at, at, b->h.k, 0));
        TRY(set(ctx, q, at, 0, b->h.k, at, 0));
        TRY(set(ctx, q, at, at, b->h.k, b->h.k, 1));
        TRY(gbl_blocks_apply(b, GABLE_LEFT, true, at + b->h.k, q->C, q->ldc));
    }
    return GABLE_OK;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t m = call->m, n = call->n, k = call->k;
    gbl_product_call q = *call;
    gbl_blocks b;
    if (call->C == NULL) {
        q.C = call->A;
        q.ldc = call->lda;
    }
    TRY(set(ctx, &q, 0, k, k, n - k, 0));
    TRY(set(ctx, &q, k, k, m - k, n - k, 1));
    if (k == 0)
        return GABLE_OK;
    TRY(gbl_blocks_begin(ctx, self, "orgqr", call, params, m, GABLE_LEFT, n, &b));
    if (b.above)
        return run_above(ctx, &q, &b);
    const int64_t block = b.plan.block;
    for (int64_t at = (k - 1) / block * block; at >= 0; at -= block) {
        TRY(gbl_blocks_take(&b, at));
        TRY(set(ctx, &q, 0, at, at, b.h.k, 0));
        TRY(set(ctx, &q, at, at, m - at, b.h.k, 1));
        TRY(gbl_blocks_apply(&b, GABLE_LEFT, false, n - at,
                             gbl_element(q.dtype, q.C, q.ldc, at, at), q.ldc));
    }
    return GABLE_OK;
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double m = (double)call->m, n = (double)call->n, k = (double)call->k,
                 elem = (double)gbl_dtype_bytes(call->dtype);
    *least =
        (gbl_work){.bytes_read = elem * m * k,
                   .bytes_written = elem * m * n,
                   .flops = gbl_lapack_flops(call, k * (2 * m * n - (m + n) * k + 2 * k * k / 3))};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_block_plan plan;
    gbl_work least;
    (void)self;
    gbl_block_make_plan(given, params, device, &plan);
    work(given, &least);
    gbl_composed_cost(&least, gbl_block_launches(given, &plan) + 2, out);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const gbl_product_call fill = {.dtype = call->dtype,
                                   .uplo = GABLE_GENERAL,
                                   .m = call->m,
                                   .n = call->n,
                                   .beta = {.re = 1},
                                   .A = call->A,
                                   .lda = call->lda};
    gbl_block_plan plan;
    int count = 0;
    (void)self;
    gbl_block_make_plan(call, params, device, &plan);
    if (call->k > 0)
        count = gbl_block_parts(call, &plan, call->m, GABLE_LEFT, call->n - call->k / 2, parts);
    return gbl_composed_call(parts, count, &gbl_laset_op, &fill, 1);
}

static const gbl_variant variants[] = {{.name = "blocks",
                                        .deterministic = true,
                                        .fits = gbl_block_fits,
                                        .run = run,
                                        .cost = cost,
                                        .space = gbl_block_space,
                                        .space_count = BLOCK_PARAMS,
                                        .legal = gbl_block_legal,
                                        .kernels = "larft_leaf.cl",
                                        .specs = gbl_block_specs,
                                        .parts = parts_of}};

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    CHECK_ARG(ctx, call->n <= call->m, 3, "n", "is %lld, more than m = %lld", (long long)call->n,
              (long long)call->m);
    CHECK_ARG(ctx, call->k <= call->n, 4, "k", "is %lld, more than n = %lld", (long long)call->k,
              (long long)call->n);
    return GABLE_OK;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_TERMS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_LAPACK_TAU(GBL_READ, gbl_product_k),
};

const gbl_op gbl_orgqr_op = {
    .stem = "orgqr",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_orgqr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_orgqr_op, call);
}
