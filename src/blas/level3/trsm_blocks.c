/* trsm_blocks.c: a triangular solve by halves; see trsm_blocks.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/kernel_plan.h"
#include "blas/level3/trsm_blocks.h"

_Static_assert(sizeof(trsm_args) == (9 + 4 + 6) * 8, "host and device must agree");

int64_t gbl_trsm_unknowns(const gbl_product_call *call)
{
    return gbl_product_order(call);
}

int64_t gbl_trsm_sides(const gbl_product_call *call)
{
    return call->side == GABLE_RIGHT ? call->m : call->n;
}

static bool right(const gbl_product_call *call)
{
    return call->side == GABLE_RIGHT;
}

bool gbl_trsm_turned(const gbl_product_call *call)
{
    return (call->trans != GABLE_NO_TRANS) != right(call);
}

bool gbl_trsm_conjugated(const gbl_product_call *call)
{
    return call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype);
}

bool gbl_trsm_backward(const gbl_product_call *call)
{
    return (call->uplo == GABLE_UPPER) != gbl_trsm_turned(call);
}

int64_t gbl_trsm_room(const gbl_props *props)
{
    return gbl_launch_local_bytes(props);
}

static void *element(const void *matrix, gbl_dtype dtype, int64_t row, int64_t column, int64_t ld)
{
    return (char *)(uintptr_t)matrix + (row + column * ld) * (int64_t)gbl_dtype_bytes(dtype);
}

static void *a_at(const gbl_product_call *call, int64_t row, int64_t column)
{
    return element(call->A, call->dtype, row, column, call->lda);
}

/* From unknown number `first` on: rows of B, or columns. */
static void *b_at(const gbl_product_call *call, int64_t first)
{
    return right(call) ? element(call->B, call->dtype, 0, first, call->ldb)
                       : element(call->B, call->dtype, first, 0, call->ldb);
}

/* Solves for unknowns [first, first + count), at most as many as the kernel takes. */
static gable_status solve_leaf(gable_context *ctx, const gbl_product_call *call,
                               const gbl_trsm_leaf *leaf, int64_t first, int64_t count, bool scale)
{
    const trsm_args args = {.triangle = {.n = count,
                                         .lda = call->lda,
                                         .blocks = 1,
                                         .upper = call->uplo == GABLE_UPPER,
                                         .unit = call->diag == GABLE_UNIT},
                            .ldb = call->ldb,
                            .sides = gbl_trsm_sides(call),
                            .slabs = leaf->slabs,
                            .scale = scale,
                            .scalars = gbl_scalars(&call->alpha, &call->beta)};
    gbl_launch_spec launch = {
        .groups = {leaf->groups, 1},
        .group = {leaf->items, 1},
        .dynamic_local_bytes =
            ctx->device->props.max_dynamic_local_bytes > 0 ? (size_t)leaf->local_bytes : 0,
        .buffer_count = 3,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A), a_at(call, first, first),
                    b_at(call, first)},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, leaf->kernel, &launch);
}

/* Takes `found_count` unknowns from `found` on out of those from `rest` on, which are scaled by
 * alpha before. */
static gbl_product_call product_of(const gbl_product_call *call, int64_t found, int64_t found_count,
                                   int64_t rest, int64_t rest_count, bool scale)
{
    /* The block of op(A) between them, as it is stored. */
    void *block = gbl_trsm_turned(call) ? a_at(call, found, rest) : a_at(call, rest, found);
    const gbl_scalar one = {.re = 1};
    gbl_product_call product = {.dtype = call->dtype,
                                .k = found_count,
                                .C = b_at(call, rest),
                                .ldc = call->ldb,
                                .alpha = {.re = -1},
                                .beta = scale ? call->alpha : one};
    if (right(call)) {
        product.trans = GABLE_NO_TRANS;
        product.trans_b = call->trans;
        product.m = call->m;
        product.n = rest_count;
        product.A = b_at(call, found);
        product.lda = call->ldb;
        product.B = block;
        product.ldb = call->lda;
    } else {
        product.trans = call->trans;
        product.trans_b = GABLE_NO_TRANS;
        product.m = rest_count;
        product.n = call->n;
        product.A = block;
        product.lda = call->lda;
        product.B = b_at(call, found);
        product.ldb = call->ldb;
    }
    return product;
}

/* Where unknowns are cut: behind a whole number of blocks. */
static int64_t half_of(int64_t count, int64_t block)
{
    return gbl_parts(gbl_parts(count, block), 2) * block;
}

static gable_status solve_range(gable_context *ctx, const gbl_product_call *call,
                                const gbl_trsm_leaf *leaf, int64_t first, int64_t count, bool scale)
{
    if (count <= leaf->rows)
        return solve_leaf(ctx, call, leaf, first, count, scale);
    const int64_t half = half_of(count, leaf->rows), middle = first + half;
    const int64_t from[2] = {first, middle}, counts[2] = {half, count - half};
    const int a = gbl_trsm_backward(call) ? 1 : 0, b = 1 - a;
    TRY(solve_range(ctx, call, leaf, from[a], counts[a], scale));
    const gbl_product_call product =
        product_of(call, from[a], counts[a], from[b], counts[b], scale);
    TRY(gbl_gemm(ctx, "trsm", &product));
    return solve_range(ctx, call, leaf, from[b], counts[b], false);
}

gable_status gbl_trsm_solve(gable_context *ctx, const gbl_product_call *call,
                            const gbl_trsm_leaf *leaf)
{
    return solve_range(ctx, call, leaf, 0, gbl_trsm_unknowns(call), true);
}

gable_status gbl_trsm_clear(gable_context *ctx, const gbl_product_call *call)
{
    const gbl_product_call product = {.dtype = call->dtype,
                                      .trans = GABLE_NO_TRANS,
                                      .trans_b = GABLE_NO_TRANS,
                                      .m = call->m,
                                      .n = call->n,
                                      .A = call->B,
                                      .lda = call->ldb,
                                      .B = call->B,
                                      .ldb = call->ldb,
                                      .C = call->B,
                                      .ldc = call->ldb};
    return gbl_gemm(ctx, "trsm", &product);
}

void gbl_trsm_cost(const gbl_product_call *call, const gbl_trsm_leaf *leaf, gbl_cost *out)
{
    gbl_work least;
    gbl_triangle_work(call, &least);
    const double leaves = (double)gbl_parts(gbl_trsm_unknowns(call), leaf->rows);
    gbl_composed_cost(&least, 2 * leaves - 1, out);
    out->memory_bytes += least.bytes_written * (leaves > 1 ? 2 : 0);
    out->written_bytes = least.bytes_written * (leaves > 1 ? 2 : 1);
    out->groups = (double)leaf->groups;
}

/* Level by level: twice as many products, each with a quarter of the terms. */
int gbl_trsm_parts(const gbl_product_call *call, int64_t rows, const gbl_cost *leaf_cost,
                   gbl_part_call *parts)
{
    const int64_t n = gbl_trsm_unknowns(call);
    int count = gbl_composed_kernel(parts, 0, leaf_cost, (double)gbl_parts(n, rows));
    double times = 1;
    for (int64_t size = n; size > rows && count < GBL_MAX_PARTS; times *= 2) {
        const int64_t half = half_of(size, rows);
        const gbl_product_call product = product_of(call, 0, half, half, size - half, count == 1);
        count = gbl_composed_product(parts, count, &product, times);
        size = half;
    }
    return count;
}
