/* larfb.c: C := op(H) C or C op(H), H = I - V T V^H a block of reflectors with its triangle T
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `products`: V and T are copied to the workspace as plain matrices, with ones and zeros where the
 * caller may have other numbers, and three products apply them (reflect.h).
 */
#include "core/launch.h"
#include "lapack/block_plan.h"
#include "lapack/stored_block.h"

#define LAUNCHES 7

static int64_t wide_of(const gbl_product_call *call)
{
    return call->side == GABLE_LEFT ? call->n : call->m;
}

static gbl_product_call vectors_of(const gbl_product_call *call, void *V, int64_t ldv)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = GABLE_LOWER,
                              .m = gbl_product_order(call),
                              .n = call->k,
                              .A = call->A,
                              .lda = call->lda,
                              .B = V,
                              .ldb = ldv};
}

static gbl_product_call ones_of(const gbl_product_call *call, void *V, int64_t ldv)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = GABLE_UPPER,
                              .m = gbl_product_order(call),
                              .n = call->k,
                              .beta = {.re = 1},
                              .A = V,
                              .lda = ldv};
}

static gable_status copy_vectors(gable_context *ctx, const gbl_product_call *call, void *V,
                                 int64_t ldv)
{
    const gbl_product_call vectors = vectors_of(call, V, ldv), ones = ones_of(call, V, ldv);
    if (gbl_stored_rows(call))
        TRY(gbl_turned(ctx, "larfb", call->dtype, call->k, gbl_product_order(call), call->A,
                       call->lda, V, ldv));
    else
        TRY(gbl_lacpy(ctx, "larfb", &vectors));
    return gbl_laset(ctx, "larfb", &ones);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const bool left = call->side == GABLE_LEFT;
    const gbl_dtype dtype = call->dtype;
    const int64_t k = call->k, wide = wide_of(call);
    gbl_reflectors h = {.dtype = dtype, .m = gbl_product_order(call), .k = k};
    gbl_reflect_room room;
    (void)self, (void)params;
    if (k == 0)
        return GABLE_OK;
    TRY(gbl_composed_room(ctx, dtype, h.m, k, &h.V, &h.ldv));
    TRY(gbl_composed_room(ctx, dtype, k, k, &h.T, &h.ldt));
    TRY(gbl_reflect_take(ctx, dtype, left ? k : wide, left ? wide : k, &room));
    TRY(copy_vectors(ctx, call, h.V, h.ldv));
    TRY(gbl_fill_bytes(ctx, h.T, 0, (size_t)(h.ldt * k) * gbl_dtype_bytes(dtype)));
    const gbl_product_call triangle = gbl_stored_triangle(call, call->B, call->ldb, h.T, h.ldt);
    TRY(gbl_lacpy(ctx, "larfb", &triangle));
    return gbl_reflect(ctx, "larfb", call->side, call->trans != GABLE_NO_TRANS, &h, wide, call->C,
                       call->ldc, &room);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double order = (double)gbl_product_order(call), k = (double)call->k,
                 wide = (double)wide_of(call), elem = (double)gbl_dtype_bytes(call->dtype);
    *least = (gbl_work){.bytes_read = elem * (order * (wide + k) + k * k / 2),
                        .bytes_written = elem * order * wide,
                        .flops = gbl_lapack_flops(call, wide * k * (2 * order - k / 2))};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const int64_t k = call->k, wide = wide_of(call);
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, LAUNCHES, out);
    out->workspace_bytes = gbl_composed_room_bytes(call->dtype, gbl_product_order(call), k) +
                           gbl_composed_room_bytes(call->dtype, k, k) +
                           2 * gbl_composed_room_bytes(call->dtype, k, wide);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const gbl_dtype t = call->dtype;
    const int64_t order = gbl_product_order(call), k = call->k, wide = wide_of(call),
                  ldv = gbl_composed_ld(t, order), ldt = gbl_composed_ld(t, k);
    const bool left = call->side == GABLE_LEFT;
    (void)self, (void)params, (void)device;
    if (k == 0)
        return 0;
    const gbl_product_call vectors = vectors_of(call, call->A, ldv),
                           ones = ones_of(call, call->A, ldv),
                           triangle = gbl_stored_triangle(call, call->B, call->ldb, call->B, ldt),
                           down = left ? gbl_reflect_product(t, true, false, k, wide, order, 1, 0)
                                       : gbl_reflect_product(t, false, false, wide, k, order, 1, 0),
                           small = left ? gbl_reflect_product(t, false, false, k, wide, k, 1, 0)
                                        : gbl_reflect_product(t, false, false, wide, k, k, 1, 0),
                           up = left ? gbl_reflect_product(t, false, false, order, wide, k, -1, 1)
                                     : gbl_reflect_product(t, false, true, wide, order, k, -1, 1);
    const gbl_matrix_call there = gbl_turned_call(t, k, order, call->A, call->lda, NULL, ldv);
    int count = gbl_stored_rows(call) ? gbl_composed_call(parts, 0, &gbl_transpose_op, &there, 1)
                                      : gbl_composed_call(parts, 0, &gbl_lacpy_op, &vectors, 1);
    count = gbl_composed_call(parts, count, &gbl_laset_op, &ones, 1);
    count = gbl_composed_call(parts, count, &gbl_lacpy_op, &triangle, 1);
    count = gbl_composed_product(parts, count, &down, 1);
    count = gbl_composed_product(parts, count, &small, 1);
    return gbl_composed_product(parts, count, &up, 1);
}

static const gbl_variant variants[] = {{.name = "products",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    TRY(gbl_block_trans(ctx, call, 3));
    return gbl_stored_rules(ctx, call, 4, 8, gbl_product_order(call));
}

static int64_t v_rows(const void *call)
{
    return gbl_stored_rows(call) ? gbl_product_k(call) : gbl_product_order(call);
}

static int64_t v_columns(const void *call)
{
    return gbl_stored_rows(call) ? gbl_product_order(call) : gbl_product_k(call);
}

static gbl_shape upper(const void *call)
{
    (void)call;
    return GBL_UPPER_PART;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_SIDE,
    GBL_PRODUCT_TRANS,
    GBL_STORED_DIRECT,
    GBL_STORED_STOREV,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_TERMS,
    {.name = "V",
     .kind = GBL_MATRIX,
     .access = GBL_READ,
     .at = PRODUCT_AT(A),
     .step = PRODUCT_AT(lda),
     .rows = v_rows,
     .columns = v_columns},
    {.name = "ldv", .kind = GBL_LD, .at = PRODUCT_AT(lda), .least = "rows of V"},
    {.name = "T",
     .kind = GBL_MATRIX,
     .access = GBL_READ,
     .at = PRODUCT_AT(B),
     .step = PRODUCT_AT(ldb),
     .rows = gbl_product_k,
     .columns = gbl_product_k,
     .shape = upper},
    {.name = "ldt", .kind = GBL_LD, .at = PRODUCT_AT(ldb), .least = "k"},
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_larfb_op = {
    .stem = "larfb",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_larfb(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_larfb_op, call);
}
