/* divide_matrices.c: tridiagonal matrices that are hard for divide and conquer.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "divide_matrices.h"
#include "harness/check.h"

static uint64_t state;

double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

double ulp_of(gbl_dtype real)
{
    return real == GBL_S ? 0x1p-23 : 0x1p-52;
}

typedef void fill_function(tridiagonal *t);

static void fill_random(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = 2 * uniform() - 1;
        t->e[i] = 2 * uniform() - 1;
    }
}

static void fill_negative(tridiagonal *t) /* beside the diagonal */
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = uniform();
        t->e[i] = -uniform() - 0.1;
    }
}

static void fill_121(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = 2;
        t->e[i] = i % 2 == 0 ? 1 : -1;
    }
}

static void fill_no_diagonal(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = 0;
        t->e[i] = 0.5 + uniform();
    }
}

static void fill_equal(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = -3;
        t->e[i] = 0;
    }
}

static void fill_zero(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++)
        t->d[i] = t->e[i] = 0;
}

static void fill_rank_one(tridiagonal *t)
{
    fill_zero(t);
    const int64_t at = t->n / 2;
    t->d[at] = 4;
    if (at > 0) {
        t->d[at - 1] = 1;
        t->e[at - 1] = 2;
    }
}

static void fill_wilkinson(tridiagonal *t) /* of order 21, glued by small numbers */
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = fabs((double)(i % 21) - 10);
        t->e[i] = i % 21 == 20 ? 32 * ulp_of(t->real) : 1;
    }
}

static void fill_graded(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = exp2(-0.5 * (double)i);
        t->e[i] = 0.3 * exp2(-0.5 * (double)i - 0.25);
    }
}

static void fill_graded_up(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = exp2(-0.5 * (double)(t->n - 1 - i));
        t->e[i] = -0.3 * exp2(-0.5 * (double)(t->n - 1 - i) - 0.25);
    }
}

static void fill_exponents(tridiagonal *t)
{
    const double most = -2 * log(ulp_of(t->real));
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = exp((2 * uniform() - 1) * most) * (uniform() < 0.5 ? -1 : 1);
        t->e[i] = exp((2 * uniform() - 1) * most) * (uniform() < 0.5 ? -1 : 1);
    }
}

static void fill_clusters(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = (double)(i % 3) + 20 * ulp_of(t->real) * uniform();
        t->e[i] = (i % 5 == 0 ? 1e3 : 3) * ulp_of(t->real) * uniform();
    }
}

static void fill_split(tridiagonal *t)
{
    fill_random(t);
    for (int64_t i = 0; i < t->n; i++)
        if (uniform() < 0.3)
            t->e[i] = 0;
}

static void fill_small_block(tridiagonal *t) /* beside a large one */
{
    fill_random(t);
    for (int64_t i = t->n / 2; i < t->n; i++) {
        t->d[i] *= 1e-9;
        t->e[i] *= 1e-9;
    }
}

static void fill_huge(tridiagonal *t)
{
    fill_random(t);
    t->power = t->real == GBL_S ? 126 : 1022;
}

static void fill_tiny(tridiagonal *t)
{
    fill_random(t);
    t->power = t->real == GBL_S ? -110 : -1000;
}

static void fill_diagonal(tridiagonal *t) /* in no order */
{
    fill_random(t);
    memset(t->e, 0, (size_t)t->n * sizeof *t->e);
}

static void fill_weak_cut(tridiagonal *t) /* eigenvalues of both halves are alike */
{
    for (int64_t i = 0; i < t->n; i++) {
        t->d[i] = (double)(i % ((t->n + 1) / 2));
        t->e[i] = i + 1 == t->n / 2 ? 1e-3 : 0.25;
    }
}

static const struct kind {
    const char *name;
    fill_function *fill;
} kinds[KINDS] = {{"random", fill_random},       {"negative", fill_negative},
                  {"1-2-1", fill_121},           {"no diagonal", fill_no_diagonal},
                  {"all equal", fill_equal},     {"zero", fill_zero},
                  {"rank one", fill_rank_one},   {"glued Wilkinson", fill_wilkinson},
                  {"graded", fill_graded},       {"graded up", fill_graded_up},
                  {"exponents", fill_exponents}, {"clusters", fill_clusters},
                  {"split", fill_split},         {"small block", fill_small_block},
                  {"huge", fill_huge},           {"tiny", fill_tiny},
                  {"diagonal", fill_diagonal},   {"weak cut", fill_weak_cut}};
/* The numbers that the precision has, without the power. */
static void round_matrix(tridiagonal *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        if (t->real == GBL_S) {
            t->d[i] = (double)ldexpf((float)ldexp(t->d[i], t->power), 0) * ldexp(1, -t->power);
            t->e[i] = (double)ldexpf((float)ldexp(t->e[i], t->power), 0) * ldexp(1, -t->power);
        } else {
            t->d[i] = ldexp(ldexp(t->d[i], t->power), -t->power);
            t->e[i] = ldexp(ldexp(t->e[i], t->power), -t->power);
        }
    }
}

double norm_of(const tridiagonal *t)
{
    double most = 0;
    for (int64_t i = 0; i < t->n; i++) {
        const double sum =
            fabs(t->d[i]) + (i > 0 ? fabs(t->e[i - 1]) : 0) + (i + 1 < t->n ? fabs(t->e[i]) : 0);
        most = sum > most ? sum : most;
    }
    return most;
}

const char *kind_name(int kind)
{
    return kinds[kind].name;
}

tridiagonal make_matrix(gbl_dtype real, int64_t n, int kind)
{
    tridiagonal t = {.real = real,
                     .n = n,
                     .d = calloc((size_t)n, sizeof(double)),
                     .e = calloc((size_t)n, sizeof(double))};
    state = (uint64_t)(n * 31 + kind);
    kinds[kind].fill(&t);
    round_matrix(&t);
    return t;
}

void free_matrix(const tridiagonal *t)
{
    free(t->d);
    free(t->e);
}

int64_t sturm_count(const tridiagonal *t, long double x)
{
    const long double least = 1e-4000L;
    int64_t count = 0;
    long double q = 1;
    for (int64_t i = 0; i < t->n; i++) {
        const long double e = i > 0 ? (long double)t->e[i - 1] : 0;
        q = (long double)t->d[i] - x - (e == 0 ? 0 : e * e / q);
        if (fabsl(q) < least)
            q = -least;
        count += q < 0;
    }
    return count;
}

void put_reals(gable_context *ctx, gbl_dtype real, int64_t count, const double *from, double factor,
               void *to)
{
    void *numbers = malloc((size_t)count * gbl_dtype_bytes(real) + 1);
    for (int64_t i = 0; i < count; i++) {
        if (real == GBL_S)
            ((float *)numbers)[i] = (float)(from[i] * factor);
        else
            ((double *)numbers)[i] = from[i] * factor;
    }
    CHECK_OK(ctx, gable_set_vector(ctx, count, gbl_dtype_bytes(real), numbers, 1, to, 1));
    free(numbers);
}

void get_reals(gable_context *ctx, gbl_dtype real, int64_t count, const void *from, double factor,
               double *to)
{
    void *numbers = malloc((size_t)count * gbl_dtype_bytes(real) + 1);
    CHECK_OK(ctx, gable_get_vector(ctx, count, gbl_dtype_bytes(real), from, 1, numbers, 1));
    for (int64_t i = 0; i < count; i++)
        to[i] = (real == GBL_S ? (double)((float *)numbers)[i] : ((double *)numbers)[i]) * factor;
    free(numbers);
}
