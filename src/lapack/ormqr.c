/* ormqr.c: C := op(Q) C or C op(Q), Q from geqrf; unmqr in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `blocks` takes out the reflectors block by block (block_plan.h) and applies each by products.
 * Where vectors end on the diagonal (ormtr), it is Q^H that is their product in forward order.
 */
#include "lapack/block_plan.h"

static bool is_left(const gbl_product_call *call)
{
    return call->side == GABLE_LEFT;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const bool left = is_left(call), above = call->uplo == GABLE_UPPER,
               adjoint = (call->trans != GABLE_NO_TRANS) != above;
    const int64_t order = left ? call->m : call->n, wide = left ? call->n : call->m;
    gbl_blocks b;
    if (call->k == 0)
        return GABLE_OK;
    TRY(gbl_blocks_begin(ctx, self, "ormqr", call, params, order, call->side, wide, &b));
    /* Q = H_1 H_2 ..., or Q^H: which end meets C first */
    const bool forward = left == adjoint;
    const int64_t block = b.plan.block, count = (call->k + block - 1) / block;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = (forward ? i : count - 1 - i) * block;
        TRY(gbl_blocks_take(&b, at));
        const int64_t first = above ? 0 : at;
        void *C = left ? gbl_element(call->dtype, call->C, call->ldc, first, 0)
                       : gbl_element(call->dtype, call->C, call->ldc, 0, first);
        TRY(gbl_blocks_apply(&b, call->side, adjoint, wide, C, call->ldc));
    }
    return GABLE_OK;
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double order = (double)gbl_product_order(call), k = (double)call->k,
                 wide = (double)(is_left(call) ? call->n : call->m),
                 elem = (double)gbl_dtype_bytes(call->dtype);
    *least = (gbl_work){.bytes_read = elem * (order * wide + order * k),
                        .bytes_written = elem * order * wide,
                        .flops = gbl_lapack_flops(call, wide * k * (2 * order - k))};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_block_plan plan;
    gbl_work least;
    (void)self;
    gbl_block_make_plan(given, params, device, &plan);
    work(given, &least);
    gbl_composed_cost(&least, gbl_block_launches(given, &plan), out);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    gbl_block_plan plan;
    (void)self;
    if (call->k == 0)
        return 0;
    gbl_block_make_plan(call, params, device, &plan);
    return gbl_block_parts(call, &plan, gbl_product_order(call), call->side,
                           is_left(call) ? call->n : call->m, parts);
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
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_order, gbl_product_k, NULL,
                       "rows of A"),
    GBL_LAPACK_TAU(GBL_READ, gbl_product_k),
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_ormqr_op = {
    .stem = "ormqr",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_ormqr(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_ormqr_op, call);
}
