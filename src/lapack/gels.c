/* gels.c: least squares and least norms: op(A) X = B with A of full rank
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `reflectors`: A = Q R, then X = R^-1 Q^H B minimises norm(B - A X), and X = Q (R^-H B) is the
 * solution of A^H X = B with the least norm. A matrix with more columns than rows is turned: then
 * the two change places, and its LQ factorization takes the place of A when it is turned back. Both
 * A and B are brought into a safe range first, and X out of it at the end (safe_range.h). Whether
 * that is needed is decided on the device.
 */
#include "core/launch.h"
#include "lapack/diagonal.h"
#include "lapack/safe_range.h"
#include "lapack/turned.h"

#define LAUNCHES 12 /* about: beside those of the factorization */

static int64_t longer_side(const gbl_product_call *call)
{
    return call->m > call->n ? call->m : call->n;
}

static bool is_wide(const gbl_product_call *call)
{
    return call->m < call->n;
}

/* ---- The steps ---- */

/* The same problem with at least as many rows as columns: with A, or with A^H in other memory. */
static gbl_product_call tall_of(const gbl_product_call *call, void *A, int64_t lda, void *tau)
{
    gbl_product_call tall = *call;
    const bool turned = (call->trans != GABLE_NO_TRANS) != is_wide(call);
    tall.trans = turned ? gbl_adjoint(call->dtype) : GABLE_NO_TRANS;
    tall.m = longer_side(call);
    tall.n = is_wide(call) ? call->m : call->n;
    tall.A = A;
    tall.lda = lda;
    tall.tau = tau;
    return tall;
}

static gbl_product_call factors_of(const gbl_product_call *tall)
{
    return (gbl_product_call){.dtype = tall->dtype,
                              .m = tall->m,
                              .n = tall->n,
                              .A = tall->A,
                              .lda = tall->lda,
                              .tau = tall->tau};
}

/* B := Q^H B, or Q B. */
static gbl_product_call product_of(const gbl_product_call *tall)
{
    gbl_product_call product = factors_of(tall);
    product.side = GABLE_LEFT;
    product.trans = tall->trans == GABLE_NO_TRANS ? gbl_adjoint(tall->dtype) : GABLE_NO_TRANS;
    product.n = tall->k;
    product.k = tall->n;
    product.C = tall->B;
    product.ldc = tall->ldb;
    return product;
}

static gbl_product_call solve_of(const gbl_product_call *tall)
{
    return (gbl_product_call){.dtype = tall->dtype,
                              .side = GABLE_LEFT,
                              .uplo = GABLE_UPPER,
                              .trans = tall->trans,
                              .diag = GABLE_NON_UNIT,
                              .m = tall->n,
                              .n = tall->k,
                              .alpha = {.re = 1},
                              .A = tall->A,
                              .lda = tall->lda,
                              .B = tall->B,
                              .ldb = tall->ldb};
}

/* Zeros in so many rows of B. */
static gbl_product_call zeros_of(const gbl_product_call *tall, int64_t from, int64_t rows)
{
    return (gbl_product_call){.dtype = tall->dtype,
                              .uplo = GABLE_GENERAL,
                              .m = rows,
                              .n = tall->k,
                              .A = gbl_element(tall->dtype, tall->B, tall->ldb, from, 0),
                              .lda = tall->ldb};
}

static gbl_range_matrix matrix_of(const gbl_product_call *tall)
{
    return (gbl_range_matrix){
        .dtype = tall->dtype, .m = tall->m, .n = tall->n, .A = tall->A, .lda = tall->lda};
}

static gbl_range_matrix sides_of(const gbl_product_call *tall, int64_t rows)
{
    return (gbl_range_matrix){
        .dtype = tall->dtype, .m = rows, .n = tall->k, .A = tall->B, .lda = tall->ldb};
}

/* Rows of B that are given, and those of X. */
static int64_t given_rows(const gbl_product_call *tall)
{
    return tall->trans == GABLE_NO_TRANS ? tall->m : tall->n;
}

static int64_t solved_rows(const gbl_product_call *tall)
{
    return tall->trans == GABLE_NO_TRANS ? tall->n : tall->m;
}

static gable_status solve_tall(gable_context *ctx, const gbl_product_call *tall)
{
    const gbl_range_matrix A = matrix_of(tall), B = sides_of(tall, given_rows(tall)),
                           X = sides_of(tall, tall->m);
    const gbl_product_call factors = factors_of(tall), product = product_of(tall),
                           solve = solve_of(tall),
                           zeros = zeros_of(tall, tall->n, tall->m - tall->n);
    void *scales;
    TRY(gbl_range_enter(ctx, &A, &B, &scales));
    TRY(gbl_geqrf(ctx, "gels", &factors));
    TRY(gbl_diagonal_info(ctx, tall, tall->n));
    if (tall->trans == GABLE_NO_TRANS) {
        TRY(gbl_ormqr(ctx, "gels", &product));
        TRY(gbl_trsm(ctx, "gels", &solve));
    } else {
        TRY(gbl_trsm(ctx, "gels", &solve));
        if (zeros.m > 0)
            TRY(gbl_laset(ctx, "gels", &zeros));
        TRY(gbl_ormqr(ctx, "gels", &product));
    }
    return gbl_range_leave(ctx, &X, solved_rows(tall), scales, tall->info);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const gbl_dtype dtype = call->dtype;
    const int64_t least = call->m + call->n - longer_side(call);
    void *A = call->A, *tau;
    int64_t lda = call->lda;
    (void)self, (void)params;
    if (call->k == 0)
        return gbl_fill_bytes(ctx, call->info, 0, sizeof *call->info);
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)least * gbl_dtype_bytes(dtype), &tau,
                       &ctx->message));
    if (is_wide(call)) {
        TRY(gbl_composed_room(ctx, dtype, call->n, call->m, &A, &lda));
        TRY(gbl_turned(ctx, "gels", dtype, call->m, call->n, call->A, call->lda, A, lda));
    }
    const gbl_product_call tall = tall_of(call, A, lda, tau);
    TRY(solve_tall(ctx, &tall));
    return is_wide(call)
               ? gbl_turned(ctx, "gels", dtype, call->n, call->m, A, lda, call->A, call->lda)
               : GABLE_OK;
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given, tall = tall_of(call, call->A, call->lda, NULL),
                           factors = factors_of(&tall), product = product_of(&tall);
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)tall.m,
                 n = (double)tall.n, sides = (double)tall.k;
    gbl_work factoring, applying;
    gbl_geqrf_op.work(&factors, &factoring);
    gbl_ormqr_op.work(&product, &applying);
    *least = (gbl_work){.bytes_read = elem * (m * n + (double)given_rows(&tall) * sides),
                        .bytes_written = elem * (m * n + m * sides),
                        .flops = factoring.flops + applying.flops +
                                 gbl_lapack_flops(call, n * (n + 1) / 2 * sides)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, LAUNCHES, out);
    out->workspace_bytes =
        (double)gbl_dtype_bytes(call->dtype) * (double)(call->m + call->n - longer_side(call));
    if (is_wide(call))
        out->workspace_bytes += gbl_composed_room_bytes(call->dtype, call->n, call->m);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const bool wide = is_wide(call);
    const int64_t lda = wide ? gbl_composed_ld(call->dtype, call->n) : call->lda;
    const gbl_product_call tall = tall_of(call, call->A, lda, call->A), factors = factors_of(&tall),
                           product = product_of(&tall), solve = solve_of(&tall),
                           zeros = zeros_of(&tall, tall.n, tall.m - tall.n);
    const gbl_range_matrix A = matrix_of(&tall), B = sides_of(&tall, given_rows(&tall));
    gbl_cost look;
    int count = 0;
    (void)self, (void)params;
    if (call->k == 0)
        return 0;
    count = gbl_range_parts(&A, &B, device, parts, count);
    count = gbl_composed_call(parts, count, &gbl_geqrf_op, &factors, 1);
    gbl_diagonal_cost(&tall, tall.n, &look);
    count = gbl_composed_kernel(parts, count, &look, 1);
    if (tall.trans != GABLE_NO_TRANS && zeros.m > 0)
        count = gbl_composed_call(parts, count, &gbl_laset_op, &zeros, 1);
    count = gbl_composed_call(parts, count, &gbl_ormqr_op, &product, 1);
    count = gbl_composed_call(parts, count, &gbl_trsm_op, &solve, 1);
    if (wide) {
        const gbl_matrix_call there = gbl_turned_call(call->dtype, call->m, call->n, call->A,
                                                      call->lda, NULL, lda),
                              back = gbl_turned_call(call->dtype, call->n, call->m, NULL, lda,
                                                     call->A, call->lda);
        count = gbl_composed_call(parts, count, &gbl_transpose_op, &there, 1);
        count = gbl_composed_call(parts, count, &gbl_transpose_op, &back, 1);
    }
    return count;
}

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    (void)self, (void)params;
    const int count = gbl_range_specs(call->dtype, device, specs);
    return count + gbl_diagonal_specs(call, device, specs + count);
}

/* ---- The table ---- */

static const gbl_variant variants[] = {{.name = "reflectors",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .kernels = GBL_RANGE_KERNELS " " GBL_DIAGONAL_KERNELS,
                                        .specs = specs,
                                        .parts = parts_of}};

static int64_t rows_of_b(const void *call)
{
    return longer_side(call);
}

static bool only_zeros(const gbl_product_call *call)
{
    return (call->m == 0 || call->n == 0) && longer_side(call) > 0 && call->k > 0;
}

/* Of a matrix without elements B is still written. */
static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    CHECK_ARG(ctx, !gbl_dtype_complex(call->dtype) || call->trans != GABLE_TRANS, 2, "trans",
              "is GABLE_TRANS; a complex A is taken as it is or conjugate-transposed");
    return only_zeros(call) ? gbl_check_address(ctx, 8, "B", call->B) : GABLE_OK;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_TRANS,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    {.name = "nrhs", .kind = GBL_WIDTH, .at = PRODUCT_AT(k)},
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ_WRITE, 0, rows_of_b, gbl_product_k, NULL, "m, n"),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_gels_op = {
    .stem = "gels",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_gels(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    TRY(gbl_info_run(ctx, name, &gbl_gels_op, call));
    if (!only_zeros(call))
        return GABLE_OK;
    const gbl_product_call zeros = zeros_of(call, 0, longer_side(call));
    return gbl_laset(ctx, name, &zeros);
}
