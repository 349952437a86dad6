/* test_gmres_basis.c: what the kernels of GMRES make: an orthonormal basis, and the Hessenberg
 * matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Given vectors are random or nearly dependent (each is the one before, disturbed). The largest
 * element of I - V^H V, in wider arithmetic, stays below 8 m u: reorthogonalised vectors are as
 * orthogonal as an inner product of them can tell (Giraud, Langou, Rozloznik, van den Eshof 2005).
 * What V V^H leaves of a given vector stays below 8 m u of it. With products by a diagonal matrix
 * between the steps, A V = V H holds likewise; its numbers fall by 10^-10, so that the vectors of
 * the Krylov space are all but dependent.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "gmres_args.h"
#include "harness/data.h"
#include "sparse/solver/gmres.h"
#include "sparse/matrix/sparse_model.h"

typedef long double longer;

static gable_context *ctx;

typedef enum data_kind { RANDOM, CLOSE } data_kind;

typedef struct scene {
    gbl_dtype dtype;
    int64_t n, m, ld;
    data_kind kind;
    void *given, *made; /* m columns, ld apart */
} scene;

static double unit(const scene *s)
{
    return gbl_dtype_real_bytes(s->dtype) == 4 ? 0x1p-24 : 0x1p-53;
}

static number element(const scene *s, int64_t i, int64_t j)
{
    const uint64_t at = (uint64_t)(2 * (i + j * s->n));
    number x = {data_double(7, at), data_double(7, at + 1)};
    if (s->kind == CLOSE && j > 0) {
        const number before = element_get(s->dtype, s->given, i + (j - 1) * s->ld);
        const double little = gbl_dtype_real_bytes(s->dtype) == 4 ? 0x1p-9 : 0x1p-23;
        return (number){before.re + little * x.re, before.im + little * x.im};
    }
    return x;
}

/* sum of conj(a_i) b_i over columns of two blocks */
static void product(const scene *s, const void *a, int64_t j, const void *b, int64_t l, longer *sum)
{
    sum[0] = sum[1] = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const number x = element_get(s->dtype, a, i + j * s->ld),
                     y = element_get(s->dtype, b, i + l * s->ld);
        sum[0] += (longer)x.re * y.re;
        if (gbl_dtype_complex(s->dtype)) {
            sum[0] += (longer)x.im * y.im;
            sum[1] += (longer)x.re * y.im - (longer)x.im * y.re;
        }
    }
}

static void check_orthonormal(const scene *s)
{
    longer worst = 0;
    for (int64_t j = 0; j < s->m; j++)
        for (int64_t l = 0; l <= j; l++) {
            longer sum[2];
            product(s, s->made, l, s->made, j, sum);
            const longer off = hypotl(sum[0] - (j == l), sum[1]);
            if (!(off <= worst))
                worst = off;
        }
    const double ratio = (double)worst / ((double)s->m * unit(s));
    CHECK(ratio <= 8, "the basis is off by %.3g m u", ratio);
}

/* Column j of what was given lies in the span of columns [0, j] of V. */
static void check_span(const scene *s)
{
    longer *left = malloc((size_t)s->n * 2 * sizeof *left);
    for (int64_t j = 0; j<s->m; j += s->m> 4 ? s->m / 4 : 1) {
        longer size = 0, rest = 0;
        for (int64_t i = 0; i < s->n; i++) {
            const number x = element_get(s->dtype, s->given, i + j * s->ld);
            left[2 * i] = x.re;
            left[2 * i + 1] = gbl_dtype_complex(s->dtype) ? x.im : 0;
            size += left[2 * i] * left[2 * i] + left[2 * i + 1] * left[2 * i + 1];
        }
        for (int64_t l = 0; l <= j; l++) {
            longer sum[2];
            product(s, s->made, l, s->given, j, sum);
            for (int64_t i = 0; i < s->n; i++) {
                const number v = element_get(s->dtype, s->made, i + l * s->ld);
                const longer im = gbl_dtype_complex(s->dtype) ? v.im : 0;
                left[2 * i] -= v.re * sum[0] - im * sum[1];
                left[2 * i + 1] -= v.re * sum[1] + im * sum[0];
            }
        }
        for (int64_t i = 0; i < 2 * s->n; i++)
            rest += left[i] * left[i];
        const double ratio = (double)sqrtl(rest / size) / ((double)s->m * unit(s));
        CHECK(ratio <= 8, "column %lld is %.3g m u away from the basis", (long long)j, ratio);
    }
    free(left);
}

static void run(gbl_dtype dtype, int64_t n, int64_t m, data_kind kind)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    scene s = {.dtype = dtype, .n = n, .m = m, .kind = kind};
    gbl_gmres cycle;
    test_case("%c n=%lld m=%lld kind %d", "sdcz"[dtype], (long long)n, (long long)m, (int)kind);
    if (!CHECK_OK(ctx, gbl_gmres_open(ctx, dtype, n, m, &cycle)))
        return;
    s.ld = cycle.ld;
    s.given = calloc((size_t)((m + 1) * s.ld), elem);
    s.made = calloc((size_t)((m + 1) * s.ld), elem);
    for (int64_t j = 0; j <= m; j++)
        for (int64_t i = 0; i < n; i++)
            element_put(dtype, s.given, i + j * s.ld, element(&s, i, j));
    void *again = calloc((size_t)((m + 1) * s.ld), elem);
    for (int twice = 0; twice < 2; twice++) {
        CHECK_OK(ctx, gable_set_vector(ctx, (m + 1) * s.ld, elem, s.given, 1, cycle.V, 1));
        CHECK_OK(ctx, gbl_gmres_orthogonalise(&cycle));
        CHECK_OK(ctx, gable_get_vector(ctx, (m + 1) * s.ld, elem, cycle.V, 1,
                                       twice ? again : s.made, 1));
    }
    CHECK(memcmp(s.made, again, (size_t)((m + 1) * s.ld) * elem) == 0, "the second run differs");
    check_orthonormal(&s);
    check_span(&s);
    free(again);
    free(s.given);
    free(s.made);
    gbl_arena_release(ctx->arena, mark);
}

/* ---- With products ---- */

/* Entry i of a diagonal matrix, of modulus 1 down to 10^-10. */
static number entry(const scene *s, int64_t i)
{
    const double size = pow(10, -10 * (double)i / (double)s->n);
    return number_of(s->dtype, 0.8 * size, 0.6 * size);
}

static number multiplied(const scene *s, int64_t i, number x)
{
    const number d = entry(s, i);
    if (!gbl_dtype_complex(s->dtype))
        return number_of(s->dtype, d.re * x.re, 0);
    return number_of(s->dtype, d.re * x.re - d.im * x.im, d.re * x.im + d.im * x.re);
}

/* |A v_j - V H_j| over the columns that are done; |A| is 1. */
static void check_relation(const scene *s, const double *numbers, int64_t length)
{
    longer worst = 0;
    for (int64_t j = 0; j + 1 < s->m; j++) {
        longer rest = 0;
        for (int64_t i = 0; i < s->n; i++) {
            const number d = entry(s, i), v = element_get(s->dtype, s->made, i + j * s->ld);
            const longer v_im = gbl_dtype_complex(s->dtype) ? v.im : 0;
            const longer d_im = gbl_dtype_complex(s->dtype) ? d.im : 0;
            longer re = d.re * (longer)v.re - d_im * v_im, im = d.re * v_im + d_im * v.re;
            for (int64_t l = 0; l <= j + 1; l++) {
                const double *h = numbers + GMRES_H(length) + 2 * (j * (length + 1) + l);
                const number w = element_get(s->dtype, s->made, i + l * s->ld);
                const longer w_im = gbl_dtype_complex(s->dtype) ? w.im : 0;
                re -= h[0] * (longer)w.re - h[1] * w_im;
                im -= h[0] * w_im + h[1] * (longer)w.re;
            }
            rest += re * re + im * im;
        }
        rest = sqrtl(rest);
        if (!(rest <= worst))
            worst = rest;
    }
    const double ratio = (double)worst / ((double)length * unit(s));
    CHECK(ratio <= 8, "A V is %.3g m u away from V H", ratio);
}

static void arnoldi(gbl_dtype dtype, int64_t n, int64_t m)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    scene s = {.dtype = dtype, .n = n, .m = m, .kind = RANDOM};
    gbl_gmres cycle;
    test_case("%c n=%lld m=%lld with products", "sdcz"[dtype], (long long)n, (long long)m);
    if (!CHECK_OK(ctx, gbl_gmres_open(ctx, dtype, n, m, &cycle)))
        return;
    const size_t numbers_bytes = (size_t)GMRES_NUMBERS(m) * sizeof(double);
    double *numbers = calloc(1, numbers_bytes);
    s.ld = cycle.ld;
    s.made = calloc((size_t)((m + 1) * s.ld), elem);
    numbers[STATE_OUTCOME] = OUTCOME_NONE;
    numbers[STATE_LIMIT] = 1e9;
    CHECK_OK(ctx, gable_set_vector(ctx, STATE_COUNT, sizeof(double), numbers, 1, cycle.numbers, 1));
    for (int64_t i = 0; i < n; i++)
        element_put(dtype, s.made, i, element(&s, i, 0));
    CHECK_OK(ctx, gable_set_vector(ctx, n, elem, s.made, 1, cycle.V, 1));
    for (int64_t k = 0; k < m; k++) {
        void *column = gbl_gmres_column(&cycle, k), *next = gbl_gmres_column(&cycle, k + 1);
        CHECK_OK(ctx, gable_get_vector(ctx, n, elem, column, 1, s.made, 1));
        for (int64_t i = 0; i < n; i++)
            element_put(dtype, s.made, i, multiplied(&s, i, element_get(dtype, s.made, i)));
        CHECK_OK(ctx, gable_set_vector(ctx, n, elem, s.made, 1, next, 1));
        CHECK_OK(ctx, gbl_gmres_step(&cycle, k));
    }
    CHECK_OK(ctx, gbl_gmres_end(&cycle));
    CHECK_OK(ctx, gable_get_vector(ctx, (m + 1) * s.ld, elem, cycle.V, 1, s.made, 1));
    CHECK_OK(ctx,
             gable_get_vector(ctx, GMRES_NUMBERS(m), sizeof(double), cycle.numbers, 1, numbers, 1));
    const int64_t done = (int64_t)numbers[GMRES_COLUMNS];
    CHECK(done >= 8 && done <= m, "%lld columns are done", (long long)done);
    s.m = done; /* the space may end before the cycle */
    check_orthonormal(&s);
    check_relation(&s, numbers, m);
    free(numbers);
    free(s.made);
    gbl_arena_release(ctx->arena, mark);
}

int main(void)
{
    test_start("test_gmres_basis");
    ctx = test_open();
    if (ctx->device->props.is_host)
        test_skip(NULL, "the cpu has no kernels");
    for (int d = 0; d < GBL_DTYPES; d++) {
        /* Kernels compile slowly: half of the precisions but in check-all. */
        if (!test_all() && d != GBL_D && d != GBL_C)
            continue;
        run((gbl_dtype)d, 1500, 30, RANDOM);
        run((gbl_dtype)d, 1500, 30, CLOSE);
        run((gbl_dtype)d, 37, 1, RANDOM);
        run((gbl_dtype)d, 64, 5, RANDOM);
        arnoldi((gbl_dtype)d, 1500, 30);
        if (test_all())
            run((gbl_dtype)d, 300, 70, RANDOM); /* several launches per step */
    }
    gable_close(ctx);
    return test_finish();
}
