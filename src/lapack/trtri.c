/* trtri.c: A := A^-1, A triangular; info says where A is singular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `halves` cuts A in two: with A = [P 0; Q S] the block Q becomes -S^-1 Q P^-1, by two solves, and
 * P and S are inverted in the same way (Higham, Accuracy and Stability, 14.2). A block of at most
 * `rows` is solved with the identity in the workspace, of which its triangle is kept. Where a zero
 * is on the diagonal all runs all the same: nobody waits to find out.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "lapack/diagonal.h"

enum { INVERT_ROWS, INVERT_PARAMS };
static const int32_t rows[] = {16, 32, 64, 128, 256, 512};
static const gbl_param space[INVERT_PARAMS] = {
    {.name = "rows", GBL_VALUES(rows), .fallback = 128},
};

typedef struct inversion {
    gable_context *ctx;
    const gbl_product_call *call;
    int64_t rows; /* of a block */
    void *work;   /* such a block */
    int64_t work_ld;
} inversion;

static void *at(const gbl_product_call *call, int64_t i, int64_t j)
{
    return gbl_element(call->dtype, call->A, call->lda, i, j);
}

/* ---- A block ---- */

static gbl_product_call identity_of(const inversion *v, int64_t count)
{
    return (gbl_product_call){.dtype = v->call->dtype,
                              .uplo = GABLE_GENERAL,
                              .m = count,
                              .n = count,
                              .beta = {.re = 1},
                              .A = v->work,
                              .lda = v->work_ld};
}

static gbl_product_call block_solve_of(const inversion *v, int64_t first, int64_t count)
{
    return (gbl_product_call){.dtype = v->call->dtype,
                              .side = GABLE_LEFT,
                              .uplo = v->call->uplo,
                              .trans = GABLE_NO_TRANS,
                              .diag = v->call->diag,
                              .m = count,
                              .n = count,
                              .alpha = {.re = 1},
                              .A = at(v->call, first, first),
                              .lda = v->call->lda,
                              .B = v->work,
                              .ldb = v->work_ld};
}

/* Back to A: its triangle, without the diagonal where that is ones; then it starts one row, or
 * column, further on. */
static gbl_product_call back_of(const inversion *v, int64_t first, int64_t count)
{
    const bool unit = v->call->diag == GABLE_UNIT, upper = v->call->uplo == GABLE_UPPER;
    const int64_t down = unit && !upper, over = unit && upper;
    return (gbl_product_call){.dtype = v->call->dtype,
                              .uplo = v->call->uplo,
                              .m = count - unit,
                              .n = count - unit,
                              .A = gbl_element(v->call->dtype, v->work, v->work_ld, down, over),
                              .lda = v->work_ld,
                              .B = at(v->call, first + down, first + over),
                              .ldb = v->call->lda};
}

static gable_status invert_block(const inversion *v, int64_t first, int64_t count)
{
    const gbl_product_call identity = identity_of(v, count),
                           solve = block_solve_of(v, first, count), back = back_of(v, first, count);
    TRY(gbl_laset(v->ctx, "trtri", &identity));
    TRY(gbl_trsm(v->ctx, "trtri", &solve));
    return gbl_lacpy(v->ctx, "trtri", &back);
}

/* ---- Halves ---- */

/* The block beside the two halves, divided by one of them: `second` says by which. */
static gbl_product_call divide_of(const gbl_product_call *call, int64_t first, int64_t middle,
                                  int64_t end, bool second)
{
    const bool upper = call->uplo == GABLE_UPPER;
    const int64_t one = middle - first, two = end - middle;
    /* From the left by the half whose rows it has, from the right by the other. */
    const bool left = second != upper;
    const int64_t from = second ? middle : first;
    return (gbl_product_call){.dtype = call->dtype,
                              .side = left ? GABLE_LEFT : GABLE_RIGHT,
                              .uplo = call->uplo,
                              .trans = GABLE_NO_TRANS,
                              .diag = call->diag,
                              .m = upper ? one : two,
                              .n = upper ? two : one,
                              .alpha = {.re = second ? -1 : 1},
                              .A = at(call, from, from),
                              .lda = call->lda,
                              .B = upper ? at(call, first, middle) : at(call, middle, first),
                              .ldb = call->lda};
}

static int64_t half_of(int64_t count, int64_t block)
{
    return gbl_parts(gbl_parts(count, block), 2) * block;
}

static gable_status invert_range(const inversion *v, int64_t first, int64_t count)
{
    if (count <= v->rows)
        return invert_block(v, first, count);
    const int64_t middle = first + half_of(count, v->rows), end = first + count;
    const gbl_product_call one = divide_of(v->call, first, middle, end, false),
                           two = divide_of(v->call, first, middle, end, true);
    TRY(gbl_trsm(v->ctx, "trtri", &two));
    TRY(gbl_trsm(v->ctx, "trtri", &one));
    TRY(invert_range(v, first, middle - first));
    return invert_range(v, middle, end - middle);
}

/* Solving with the identity takes three times the flops of an inversion, so on cpu, where calls
 * cost little, blocks have few rows. Two cores of a Xeon with AVX-512, 2026-11-18, blocks of 16
 * against 128: 0.3 to 0.6 of the time for n = 32 to 200 in s and d. */
#define HOST_BLOCKS 16
#define HOST_ROWS   16

static int64_t block_rows(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device)
{
    int64_t most = params->value[INVERT_ROWS];
    while (device->table->build == NULL && most > HOST_ROWS && most * HOST_BLOCKS > call->n)
        most /= 2;
    return call->n < most ? call->n : most;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    inversion v = {.ctx = ctx, .call = call, .rows = block_rows(call, params, ctx->device)};
    (void)self;
    TRY(gbl_diagonal_info(ctx, call, call->n));
    TRY(gbl_composed_room(ctx, call->dtype, v.rows, v.rows, &v.work, &v.work_ld));
    return invert_range(&v, 0, call->n);
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, bytes = (double)gbl_dtype_bytes(call->dtype) * n *
                                              (call->diag == GABLE_UNIT ? n - 1 : n + 1) / 2;
    *least = (gbl_work){.bytes_read = bytes,
                        .bytes_written = bytes,
                        .flops = gbl_lapack_flops(call, n * (n + 1) * (n + 2) / 6)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    gbl_work least;
    (void)self;
    work(call, &least);
    gbl_composed_cost(&least, 5 * (double)gbl_parts(call->n, block_rows(call, params, device)) - 1,
                      out);
}

/* Level by level: twice as many solves of half the size. */
static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t block = block_rows(call, params, device);
    const inversion v = {.call = call,
                         .rows = block,
                         .work = call->A,
                         .work_ld = gbl_composed_ld(call->dtype, block)};
    const gbl_product_call identity = identity_of(&v, block), solve = block_solve_of(&v, 0, block),
                           back = back_of(&v, 0, block);
    const double blocks = (double)gbl_parts(call->n, block);
    gbl_cost look;
    (void)self;
    gbl_diagonal_cost(call, call->n, &look);
    int count = gbl_composed_kernel(parts, 0, &look, 1);
    count = gbl_composed_call(parts, count, &gbl_laset_op, &identity, blocks);
    count = gbl_composed_call(parts, count, &gbl_trsm_op, &solve, blocks);
    count = gbl_composed_call(parts, count, &gbl_lacpy_op, &back, blocks);
    double times = 1;
    for (int64_t size = call->n; size > block && count < GBL_MAX_PARTS - 1; times *= 2) {
        const int64_t half = half_of(size, block);
        const gbl_product_call one = divide_of(call, 0, half, size, false),
                               two = divide_of(call, 0, half, size, true);
        count = gbl_composed_call(parts, count, &gbl_trsm_op, &two, times);
        count = gbl_composed_call(parts, count, &gbl_trsm_op, &one, times);
        size = half;
    }
    return count;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    (void)self, (void)params;
    return gbl_diagonal_specs(call, device, specs);
}

static bool legal(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    const int64_t block = block_rows(call, params, device);
    (void)self;
    *hash = gbl_plan_hash(&block, sizeof block);
    return true;
}

static const gbl_variant variants[] = {{.name = "halves",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .space = space,
                                        .space_count = INVERT_PARAMS,
                                        .legal = legal,
                                        .kernels = GBL_DIAGONAL_KERNELS,
                                        .specs = specs,
                                        .parts = parts_of}};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_DIAG,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle_unit, "n"),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_trtri_op = {
    .stem = "trtri",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_trtri(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_trtri_op, call);
}
