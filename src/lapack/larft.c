/* larft.c: the triangle T of a block of reflectors: H_1 H_2 ... H_k = I - V T V^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `blocks` takes the reflectors out of V as one block (block_plan.h), which makes T; rows are
 * turned into columns first. Its upper triangle is copied to the caller's.
 */
#include "lapack/block_plan.h"
#include "lapack/stored_block.h"

/* The reflectors as columns. */
static gbl_product_call columns_of(const gbl_product_call *call, void *V, int64_t ldv)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .m = call->m,
                              .n = call->k,
                              .k = call->k,
                              .A = V,
                              .lda = ldv,
                              .tau = call->tau};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    void *V = call->A;
    int64_t ldv = call->lda;
    gbl_blocks b;
    if (gbl_stored_rows(call)) {
        TRY(gbl_composed_room(ctx, call->dtype, call->m, call->k, &V, &ldv));
        TRY(gbl_turned(ctx, "larft", call->dtype, call->k, call->m, call->A, call->lda, V, ldv));
    }
    const gbl_product_call columns = columns_of(call, V, ldv);
    TRY(gbl_blocks_begin_whole(ctx, self, "larft", &columns, params, call->m, &b));
    TRY(gbl_blocks_take(&b, 0));
    const gbl_product_call triangle = gbl_stored_triangle(call, b.h.T, b.h.ldt, call->B, call->ldb);
    return gbl_lacpy(ctx, "larft", &triangle);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->m,
                 k = (double)call->k;
    *least =
        (gbl_work){.bytes_read = elem * (n * k + k),
                   .bytes_written = elem * k * (k + 1) / 2,
                   .flops = gbl_lapack_flops(call, k * (k - 1) / 2 * (n - k / 3) + k * k * k / 6)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    gbl_block_plan plan;
    gbl_work least;
    (void)self;
    gbl_block_make_whole(call, params, device, &plan);
    work(call, &least);
    gbl_composed_cost(&least, gbl_block_launches(call, &plan) + gbl_stored_rows(call), out);
    if (gbl_stored_rows(call))
        out->workspace_bytes = gbl_composed_room_bytes(call->dtype, call->m, call->k);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t ldt = gbl_composed_ld(call->dtype, call->k),
                  ldv = gbl_composed_ld(call->dtype, call->m);
    const gbl_product_call columns = columns_of(call, call->A, call->lda),
                           triangle = gbl_stored_triangle(call, call->B, ldt, call->B, call->ldb);
    gbl_block_plan plan;
    (void)self;
    gbl_block_make_whole(call, params, device, &plan);
    int count = gbl_block_parts(&columns, &plan, call->m, GABLE_LEFT, 0, parts);
    count = gbl_composed_call(parts, count, &gbl_lacpy_op, &triangle, 1);
    if (gbl_stored_rows(call)) {
        const gbl_matrix_call there =
            gbl_turned_call(call->dtype, call->k, call->m, call->A, call->lda, NULL, ldv);
        count = gbl_composed_call(parts, count, &gbl_transpose_op, &there, 1);
    }
    return count;
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
    return gbl_stored_rules(ctx, call, 2, 5, call->m);
}

static int64_t v_rows(const void *call)
{
    return gbl_stored_rows(call) ? gbl_product_k(call) : gbl_product_m(call);
}

static int64_t v_columns(const void *call)
{
    return gbl_stored_rows(call) ? gbl_product_m(call) : gbl_product_k(call);
}

static gbl_shape upper(const void *call)
{
    (void)call;
    return GBL_UPPER_PART;
}

static const gbl_operand operands[] = {
    GBL_STORED_DIRECT,
    GBL_STORED_STOREV,
    {.name = "n", .kind = GBL_SIZE, .at = PRODUCT_AT(m)},
    {.name = "k", .kind = GBL_SIZE, .at = PRODUCT_AT(k)},
    {.name = "V",
     .kind = GBL_MATRIX,
     .access = GBL_READ,
     .at = PRODUCT_AT(A),
     .step = PRODUCT_AT(lda),
     .rows = v_rows,
     .columns = v_columns},
    {.name = "ldv", .kind = GBL_LD, .at = PRODUCT_AT(lda), .least = "rows of V"},
    GBL_LAPACK_TAU(GBL_READ, gbl_product_k),
    {.name = "T",
     .kind = GBL_MATRIX,
     .access = GBL_WRITE,
     .at = PRODUCT_AT(B),
     .step = PRODUCT_AT(ldb),
     .rows = gbl_product_k,
     .columns = gbl_product_k,
     .shape = upper},
    {.name = "ldt", .kind = GBL_LD, .at = PRODUCT_AT(ldb), .least = "k"},
};

const gbl_op gbl_larft_op = {
    .stem = "larft",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_larft(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_larft_op, call);
}
