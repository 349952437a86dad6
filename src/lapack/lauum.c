/* lauum.c: the triangle of L^H L or U U^H in place of L or U
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `halves` cuts the triangle in two: with L = [P 0; Q S] the product is [P^H P + Q^H Q, ; S^H Q,
 * S^H S], by syrk and trmm, and P and S go the same way. A block of at most BLOCK_ROWS is copied to
 * the workspace, with zeros beside it, and multiplied with itself by syrk.
 */
#include "blas/kernel_plan.h"
#include "lapack/lapack.h"

/* Rows of a block: on GPUs three launches of few groups each, which fewer rows make more of. */
#define BLOCK_ROWS 128

typedef struct squaring {
    gable_context *ctx;
    const gbl_product_call *call;
    int64_t rows; /* of a block */
    void *work;   /* such a block */
    int64_t work_ld;
} squaring;

static void *at(const gbl_product_call *call, int64_t i, int64_t j)
{
    return gbl_element(call->dtype, call->A, call->lda, i, j);
}

/* A triangle of C := X^H X + beta C (of L) or X X^H + beta C. */
static gbl_product_call square_of(const gbl_product_call *call, int64_t n, int64_t terms,
                                  const void *X, int64_t ldx, double beta, void *C)
{
    const bool complex = gbl_dtype_complex(call->dtype), upper = call->uplo == GABLE_UPPER;
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .trans = upper ? GABLE_NO_TRANS : gbl_adjoint(call->dtype),
                              .conj = complex,
                              .real_alpha = complex,
                              .real_beta = complex,
                              .m = n,
                              .n = n,
                              .k = terms,
                              .alpha = {.re = 1},
                              .A = (void *)(uintptr_t)X,
                              .lda = ldx,
                              .beta = {.re = beta},
                              .C = C,
                              .ldc = call->lda};
}

/* ---- A block ---- */

static gbl_product_call zeros_of(const squaring *s, int64_t count)
{
    return (gbl_product_call){.dtype = s->call->dtype,
                              .uplo = GABLE_GENERAL,
                              .m = count,
                              .n = count,
                              .A = s->work,
                              .lda = s->work_ld};
}

static gbl_product_call copy_of(const squaring *s, int64_t first, int64_t count)
{
    return (gbl_product_call){.dtype = s->call->dtype,
                              .uplo = s->call->uplo,
                              .m = count,
                              .n = count,
                              .A = at(s->call, first, first),
                              .lda = s->call->lda,
                              .B = s->work,
                              .ldb = s->work_ld};
}

static gable_status square_block(const squaring *s, int64_t first, int64_t count)
{
    const gbl_product_call zeros = zeros_of(s, count), copy = copy_of(s, first, count),
                           square = square_of(s->call, count, count, s->work, s->work_ld, 0,
                                              at(s->call, first, first));
    TRY(gbl_laset(s->ctx, "lauum", &zeros));
    TRY(gbl_lacpy(s->ctx, "lauum", &copy));
    return gbl_syrk(s->ctx, "lauum", &square);
}

/* ---- Halves ---- */

/* What the block beside the halves adds to the first of them. */
static gbl_product_call added_of(const gbl_product_call *call, int64_t first, int64_t middle,
                                 int64_t end)
{
    const void *beside =
        call->uplo == GABLE_UPPER ? at(call, first, middle) : at(call, middle, first);
    return square_of(call, middle - first, end - middle, beside, call->lda, 1,
                     at(call, first, first));
}

/* That block times the second half. */
static gbl_product_call times_of(const gbl_product_call *call, int64_t first, int64_t middle,
                                 int64_t end)
{
    const bool upper = call->uplo == GABLE_UPPER;
    return (gbl_product_call){.dtype = call->dtype,
                              .side = upper ? GABLE_RIGHT : GABLE_LEFT,
                              .uplo = call->uplo,
                              .trans = gbl_adjoint(call->dtype),
                              .diag = GABLE_NON_UNIT,
                              .m = upper ? middle - first : end - middle,
                              .n = upper ? end - middle : middle - first,
                              .alpha = {.re = 1},
                              .A = at(call, middle, middle),
                              .lda = call->lda,
                              .B = upper ? at(call, first, middle) : at(call, middle, first),
                              .ldb = call->lda};
}

static int64_t half_of(int64_t count, int64_t block)
{
    return gbl_parts(gbl_parts(count, block), 2) * block;
}

static gable_status square_range(const squaring *s, int64_t first, int64_t count)
{
    if (count <= s->rows)
        return square_block(s, first, count);
    const int64_t middle = first + half_of(count, s->rows), end = first + count;
    const gbl_product_call added = added_of(s->call, first, middle, end),
                           times = times_of(s->call, first, middle, end);
    TRY(square_range(s, first, middle - first));
    TRY(gbl_syrk(s->ctx, "lauum", &added));
    TRY(gbl_trmm(s->ctx, "lauum", &times));
    return square_range(s, middle, end - middle);
}

static int64_t block_rows(const gbl_product_call *call)
{
    return call->n < BLOCK_ROWS ? call->n : BLOCK_ROWS;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    squaring s = {.ctx = ctx, .call = call, .rows = block_rows(call)};
    (void)self, (void)params;
    TRY(gbl_composed_room(ctx, call->dtype, s.rows, s.rows, &s.work, &s.work_ld));
    return square_range(&s, 0, call->n);
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n,
                 bytes = (double)gbl_dtype_bytes(call->dtype) * n * (n + 1) / 2;
    *least = (gbl_work){.bytes_read = bytes,
                        .bytes_written = bytes,
                        .flops = gbl_lapack_flops(call, n * (n + 1) * (n + 2) / 6)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 5 * (double)gbl_parts(call->n, block_rows(call)) - 2, out);
}

/* Level by level: twice as many products of half the size. */
static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t block = block_rows(call);
    const squaring s = {.call = call,
                        .rows = block,
                        .work = call->A,
                        .work_ld = gbl_composed_ld(call->dtype, block)};
    const gbl_product_call zeros = zeros_of(&s, block), copy = copy_of(&s, 0, block),
                           square = square_of(call, block, block, s.work, s.work_ld, 0, call->A);
    const double blocks = (double)gbl_parts(call->n, block);
    (void)self, (void)params, (void)device;
    int count = gbl_composed_call(parts, 0, &gbl_laset_op, &zeros, blocks);
    count = gbl_composed_call(parts, count, &gbl_lacpy_op, &copy, blocks);
    count = gbl_composed_call(parts, count, &gbl_syrk_op, &square, blocks);
    double times = 1;
    for (int64_t size = call->n; size > block && count < GBL_MAX_PARTS - 1; times *= 2) {
        const int64_t half = half_of(size, block);
        const gbl_product_call added = added_of(call, 0, half, size),
                               product = times_of(call, 0, half, size);
        count = gbl_composed_call(parts, count, &gbl_syrk_op, &added, times);
        count = gbl_composed_call(parts, count, &gbl_trmm_op, &product, times);
        size = half;
    }
    return count;
}

static const gbl_variant variants[] = {{.name = "halves",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
};

const gbl_op gbl_lauum_op = {
    .stem = "lauum",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_lauum(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_lauum_op, call);
}
