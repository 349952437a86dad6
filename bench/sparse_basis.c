/* sparse_basis.c: the orthogonalisation of a cycle of GMRES, alone.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include "bench_reference.h"
#include "sparse_basis.h"

/* A congruence of 64 bits (Knuth's MMIX). */
double bench_sparse_number(uint64_t *state, uint64_t sign_bits)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const double size = (double)(*state >> 40) / 16777216.0;
    return *state >> 38 & sign_bits ? size : -size;
}

gable_status bench_basis_make(gable_context *ctx, gbl_dtype dtype, int64_t n, int64_t m,
                              bench_sparse_basis **basis, double *bytes)
{
    const double columns = (double)m;
    *basis = NULL;
    if (ctx->device->props.is_host)
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "the orthogonalisation alone is measured on devices with kernels; on cpu "
                        "it is a part of gmres");
    if (m > gbl_gmres_most())
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "a cycle of GMRES has at most %lld steps", (long long)gbl_gmres_most());
    *basis = calloc(1, sizeof **basis);
    if (*basis == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    (*basis)->mark = gbl_arena_mark_get(ctx->arena);
    *bytes = (columns * columns + 6 * columns + 1) * (double)n * (double)gbl_dtype_bytes(dtype);
    TRY(gbl_gmres_open(ctx, dtype, n, m, &(*basis)->cycle));
    return bench_basis_refill(*basis);
}

void bench_basis_free(bench_sparse_basis *basis)
{
    if (basis == NULL)
        return;
    gable_sync(basis->cycle.ctx);
    gbl_arena_release(basis->cycle.ctx->arena, basis->mark);
    free(basis);
}

gable_status bench_basis_run(bench_sparse_basis *basis)
{
    return gbl_gmres_orthogonalise(&basis->cycle);
}

gable_status bench_basis_refill(bench_sparse_basis *basis)
{
    const gbl_gmres *cycle = &basis->cycle;
    const size_t elem = gbl_dtype_bytes(cycle->dtype);
    const int64_t parts = gbl_dtype_complex(cycle->dtype) ? 2 : 1;
    uint64_t state = BENCH_SEED;
    void *column = malloc((size_t)cycle->n * elem);
    if (column == NULL)
        return gbl_fail(&cycle->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a vector");
    gable_status status = GABLE_OK;
    for (int64_t j = 0; status == GABLE_OK && j <= cycle->m; j++) {
        for (int64_t i = 0; i < cycle->n * parts; i++) {
            const double number = bench_sparse_number(&state, 1);
            if (gbl_dtype_real_bytes(cycle->dtype) == 4)
                ((float *)column)[i] = (float)number;
            else
                ((double *)column)[i] = number;
        }
        status =
            gable_set_vector(cycle->ctx, cycle->n, elem, column, 1, gbl_gmres_column(cycle, j), 1);
    }
    free(column);
    return status;
}

/* |x^H y - wanted|, in double: sums of n products of numbers whose squares add up to 1. */
static double pair_error(const gbl_gmres *cycle, const void *x, const void *y, double wanted)
{
    double re = 0, im = 0;
#pragma omp parallel for schedule(static) reduction(+ : re, im)
    for (int64_t i = 0; i < cycle->n; i++) {
        const bench_element a = bench_get(x, i, cycle->dtype), b = bench_get(y, i, cycle->dtype);
        re += a.re * b.re + a.im * b.im;
        im += a.re * b.im - a.im * b.re;
    }
    return hypot(re - wanted, im);
}

static bool is_checked(const gbl_gmres *cycle, int64_t l, int64_t j)
{
    const double terms = (double)cycle->n * (double)cycle->m * (double)cycle->m / 2;
    return terms <= BENCH_BASIS_TERMS || l == 0 || l == j / 2 || l >= j - 1;
}

gable_status bench_basis_check(bench_sparse_basis *basis, double *error)
{
    const gbl_gmres *cycle = &basis->cycle;
    const size_t elem = gbl_dtype_bytes(cycle->dtype), bytes = (size_t)cycle->n * elem;
    const double bound = (8 * sqrt((double)cycle->n) + 8 * (double)cycle->m) *
                         bench_unit_roundoff(cycle->dtype) * bench_complex_factor(cycle->dtype);
    char *V = malloc(bytes * (size_t)cycle->m);
    if (V == NULL)
        return gbl_fail(&cycle->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
    gable_status status = GABLE_OK;
    *error = 0;
    for (int64_t j = 0; status == GABLE_OK && j < cycle->m; j++) {
        char *at = V + (size_t)j * bytes;
        status = gable_get_vector(cycle->ctx, cycle->n, elem, gbl_gmres_column(cycle, j), 1, at, 1);
        for (int64_t l = 0; status == GABLE_OK && l <= j; l++) {
            if (!is_checked(cycle, l, j))
                continue;
            const double off = pair_error(cycle, V + (size_t)l * bytes, at, l == j) / bound;
            if (!(off <= *error)) /* NaN too, and it stays */
                *error = off;
        }
    }
    free(V);
    return status;
}
