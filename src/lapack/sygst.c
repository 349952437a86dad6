/* sygst.c: a generalized symmetric or Hermitian eigenproblem to standard form; hegst in complex
 * precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * B is a factor of potrf. itype 1: A := L^-1 A L^-H, or U^-H A U^-1; 2 and 3: L^H A L, or U A U^H.
 * `blocks`: a block of the diagonal at a time, as LAPACK does it: what stands beside the block
 * takes half of the block's product before and behind the update of rank 2 `BLOCK`, so that one
 * triangle is enough. A block itself is made whole in the workspace and multiplied from both sides.
 */
#include "blas/kernel_plan.h"
#include "lapack/eigen.h"

#define BLOCK 128

gable_status gbl_eigen_itype_rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    CHECK_ARG(ctx, call->k >= 1 && call->k <= 3, 2, "itype", "is %lld; it must be 1, 2 or 3",
              (long long)call->k);
    return GABLE_OK;
}

static bool is_lower(const gbl_product_call *call)
{
    return call->uplo == GABLE_LOWER;
}

static bool divides(const gbl_product_call *call)
{
    return gbl_eigen_itype(call) == 1;
}

/* ---- Calls ---- */

/* A or B as blocks: rows from i on, columns from j on. */
static void *a_at(const gbl_product_call *call, int64_t i, int64_t j)
{
    return gbl_element(call->dtype, call->A, call->lda, i, j);
}

static void *b_at(const gbl_product_call *call, int64_t i, int64_t j)
{
    return gbl_element(call->dtype, call->B, call->ldb, i, j);
}

/* X := op(F) X or X op(F), or with inverses: F is the diagonal block of B from `at` on. */
static gbl_product_call factor_of(const gbl_product_call *call, gable_side side, bool turned,
                                  int64_t at, int64_t m, int64_t n, void *X, int64_t ldx)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .side = side,
                              .uplo = call->uplo,
                              .trans = turned ? gbl_adjoint(call->dtype) : GABLE_NO_TRANS,
                              .diag = GABLE_NON_UNIT,
                              .m = m,
                              .n = n,
                              .alpha = {.re = 1},
                              .A = b_at(call, at, at),
                              .lda = call->ldb,
                              .B = X,
                              .ldb = ldx};
}

/* The block of A beside the diagonal block of `count` from `first` on: below or right of it where B
 * divides, left of or above it where it multiplies. */
typedef struct beside {
    int64_t first, count, at, rest; /* the other columns or rows: `rest` from `at` on */
    int64_t i, j, m, n;             /* the block itself */
    bool tall;                      /* its columns are those of the diagonal block */
} beside;

static beside beside_of(const gbl_product_call *call, int64_t first, int64_t count)
{
    const bool after = divides(call);
    beside of = {.first = first,
                 .count = count,
                 .at = after ? first + count : 0,
                 .rest = after ? call->n - first - count : first,
                 .tall = after == is_lower(call)};
    of.i = of.tall ? of.at : first;
    of.j = of.tall ? first : of.at;
    of.m = of.tall ? of.rest : count;
    of.n = of.tall ? count : of.rest;
    return of;
}

/* C += alpha B A or A B with the diagonal block A of A. */
static gbl_product_call half_of(const gbl_product_call *call, const beside *of)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .side = of->tall ? GABLE_RIGHT : GABLE_LEFT,
                              .uplo = call->uplo,
                              .conj = gbl_dtype_complex(call->dtype),
                              .m = of->m,
                              .n = of->n,
                              .alpha = {.re = divides(call) ? -0.5 : 0.5},
                              .A = a_at(call, of->first, of->first),
                              .lda = call->lda,
                              .B = b_at(call, of->i, of->j),
                              .ldb = call->ldb,
                              .beta = {.re = 1},
                              .C = a_at(call, of->i, of->j),
                              .ldc = call->lda};
}

static gbl_product_call update_of(const gbl_product_call *call, const beside *of)
{
    const bool complex = gbl_dtype_complex(call->dtype);
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .trans = of->tall ? GABLE_NO_TRANS : gbl_adjoint(call->dtype),
                              .conj = complex,
                              .real_beta = complex,
                              .m = of->rest,
                              .n = of->rest,
                              .k = of->count,
                              .alpha = {.re = divides(call) ? -1 : 1},
                              .beta = {.re = 1},
                              .A = a_at(call, of->i, of->j),
                              .lda = call->lda,
                              .B = b_at(call, of->i, of->j),
                              .ldb = call->ldb,
                              .C = a_at(call, of->at, of->at),
                              .ldc = call->lda};
}

static gable_status multiply(gable_context *ctx, const gbl_product_call *call,
                             const gbl_product_call *by)
{
    return divides(call) ? gbl_trsm(ctx, "sygst", by) : gbl_trmm(ctx, "sygst", by);
}

/* ---- The steps ---- */

/* Room for a diagonal block and for ones on a diagonal. */
typedef struct room {
    void *whole, *ones;
    int64_t ld;
} room;

static gbl_product_call ones_of(const gbl_product_call *call, const room *at, int64_t order)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = GABLE_GENERAL,
                              .m = order,
                              .n = order,
                              .beta = {.re = 1},
                              .A = at->ones,
                              .lda = at->ld};
}

/* Both triangles of a diagonal block. */
static gbl_product_call whole_of(const gbl_product_call *call, const room *at, int64_t first,
                                 int64_t count)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .side = GABLE_LEFT,
                              .uplo = call->uplo,
                              .conj = gbl_dtype_complex(call->dtype),
                              .m = count,
                              .n = count,
                              .alpha = {.re = 1},
                              .A = a_at(call, first, first),
                              .lda = call->lda,
                              .B = at->ones,
                              .ldb = at->ld,
                              .C = at->whole,
                              .ldc = at->ld};
}

static gbl_product_call kept_of(const gbl_product_call *call, const room *at, int64_t first,
                                int64_t count)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .m = count,
                              .n = count,
                              .A = at->whole,
                              .lda = at->ld,
                              .B = a_at(call, first, first),
                              .ldb = call->lda};
}

static gable_status diagonal_block(gable_context *ctx, const gbl_product_call *call, const room *at,
                                   int64_t first, int64_t count)
{
    /* L^-1 from the left, U^-H; L^H, U. */
    const bool left = divides(call) != is_lower(call);
    const gbl_product_call whole = whole_of(call, at, first, count),
                           before = factor_of(call, GABLE_LEFT, left, first, count, count,
                                              at->whole, at->ld),
                           behind = factor_of(call, GABLE_RIGHT, !left, first, count, count,
                                              at->whole, at->ld),
                           kept = kept_of(call, at, first, count);
    TRY(gbl_symm(ctx, "sygst", &whole));
    TRY(multiply(ctx, call, &before));
    TRY(multiply(ctx, call, &behind));
    return gbl_lacpy(ctx, "sygst", &kept);
}

/* The factors that the block beside meets before and behind the update. */
static gbl_product_call near_of(const gbl_product_call *call, const beside *of)
{
    return factor_of(call, of->tall ? GABLE_RIGHT : GABLE_LEFT, true, of->first, of->m, of->n,
                     a_at(call, of->i, of->j), call->lda);
}

static gbl_product_call far_of(const gbl_product_call *call, const beside *of)
{
    return factor_of(call, of->tall ? GABLE_LEFT : GABLE_RIGHT, false, of->at, of->m, of->n,
                     a_at(call, of->i, of->j), call->lda);
}

static gable_status block_beside(gable_context *ctx, const gbl_product_call *call, int64_t first,
                                 int64_t count)
{
    const beside of = beside_of(call, first, count);
    const gbl_product_call near_by = near_of(call, &of), far_off = far_of(call, &of),
                           half = half_of(call, &of), update = update_of(call, &of);
    if (of.rest == 0)
        return GABLE_OK;
    TRY(multiply(ctx, call, divides(call) ? &near_by : &far_off));
    TRY(gbl_symm(ctx, "sygst", &half));
    TRY(gbl_syr2k(ctx, "sygst", &update));
    TRY(gbl_symm(ctx, "sygst", &half));
    return multiply(ctx, call, divides(call) ? &far_off : &near_by);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t n = call->n, order = n < BLOCK ? n : BLOCK;
    room at;
    int64_t ld;
    (void)self, (void)params;
    TRY(gbl_composed_room(ctx, call->dtype, order, order, &at.whole, &at.ld));
    TRY(gbl_composed_room(ctx, call->dtype, order, order, &at.ones, &ld));
    const gbl_product_call ones = ones_of(call, &at, order);
    TRY(gbl_laset(ctx, "sygst", &ones));
    for (int64_t first = 0; first < n; first += BLOCK) {
        const int64_t count = n - first < BLOCK ? n - first : BLOCK;
        if (divides(call)) {
            TRY(diagonal_block(ctx, call, &at, first, count));
            TRY(block_beside(ctx, call, first, count));
        } else {
            TRY(block_beside(ctx, call, first, count));
            TRY(diagonal_block(ctx, call, &at, first, count));
        }
    }
    /* Rounding leaves something in the imaginary parts of the diagonal. */
    const gbl_vector_call parts = {.dtype = gbl_eigen_real(call->dtype),
                                   .n = n,
                                   .x = (char *)call->A + gbl_dtype_real_bytes(call->dtype),
                                   .incx = 2 * (call->lda + 1)};
    return gbl_dtype_complex(call->dtype) ? gbl_fill(ctx, "sygst", &parts) : GABLE_OK;
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype),
                 triangle = elem * n * (n + 1) / 2;
    *least = (gbl_work){.bytes_read = 2 * triangle,
                        .bytes_written = triangle,
                        .flops = gbl_lapack_flops(call, n * n * n / 2)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const int64_t order = call->n < BLOCK ? call->n : BLOCK;
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 9 * (double)gbl_parts(call->n, BLOCK), out);
    out->workspace_bytes = 2 * gbl_composed_room_bytes(call->dtype, order, order);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t n = call->n, order = n < BLOCK ? n : BLOCK;
    const double blocks = (double)gbl_parts(n, BLOCK);
    const room at = {.whole = call->A, .ones = call->A, .ld = gbl_composed_ld(call->dtype, order)};
    const gbl_op *const by = divides(call) ? &gbl_trsm_op : &gbl_trmm_op;
    const gbl_product_call whole = whole_of(call, &at, 0, order),
                           factor =
                               factor_of(call, GABLE_LEFT, false, 0, order, order, at.whole, at.ld),
                           kept = kept_of(call, &at, 0, order);
    (void)self, (void)params, (void)device;
    int count = gbl_composed_call(parts, 0, &gbl_symm_op, &whole, blocks);
    count = gbl_composed_call(parts, count, by, &factor, 2 * blocks);
    count = gbl_composed_call(parts, count, &gbl_lacpy_op, &kept, blocks);
    if (n <= BLOCK)
        return count;
    /* A block in the middle: what stands beside it is half as long as the matrix. */
    const int64_t middle = (n - 1) / 2 / BLOCK * BLOCK;
    const beside of = beside_of(call,
                                divides(call) ? middle
                                : middle > 0  ? middle
                                              : BLOCK,
                                n - middle < BLOCK ? n - middle : BLOCK);
    if (of.rest <= 0)
        return count;
    const gbl_product_call near_by = near_of(call, &of), far_off = far_of(call, &of),
                           half = half_of(call, &of), update = update_of(call, &of);
    count = gbl_composed_call(parts, count, by, &near_by, blocks - 1);
    count = gbl_composed_call(parts, count, by, &far_off, blocks - 1);
    count = gbl_composed_call(parts, count, &gbl_symm_op, &half, 2 * (blocks - 1));
    return gbl_composed_call(parts, count, &gbl_syr2k_op, &update, blocks - 1);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("blocks", .fits = gbl_lapack_fits, .run = run, .cost = cost, .parts = parts_of),
    GBL_EIGEN_LAPACK_VARIANT(GBL_SYGST)};

static const gbl_operand operands[] = {
    GBL_EIGEN_ITYPE,
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
};

const gbl_op gbl_sygst_op = {GBL_PRODUCT_OP("sygst", operands, variants),
                             .rules = gbl_eigen_itype_rules, .work = work};

gable_status gbl_sygst(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_sygst_op, call);
}
