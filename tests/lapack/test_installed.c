/* test_installed.c: factorizations and reductions through the installed LAPACK, where own code must
 * serve.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A recording that is made outside of an OpenMP region is replayed inside one, where a library
 * would start threads of its own: factors are the same but for roundings. Matrices with a NaN have
 * the pivots of own code. A call that is like one before is checked less, and still finds operands
 * that are not there, and tells its own info.
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"

#define MOST_ROWS 150

typedef struct shape {
    int64_t m, n;
} shape;
static const shape shapes[] = {{1, 1}, {31, 33}, {64, 64}, {150, 70}, {70, 150}, {97, 97}};

/* What a routine leaves of a matrix with its columns `lda` apart. */
typedef struct outcome {
    double A[MOST_ROWS * (MOST_ROWS + 3)], tau[MOST_ROWS];
    int64_t ipiv[MOST_ROWS], info;
} outcome;

static void fill(outcome *o)
{
    uint64_t state = 5;
    memset(o, 0, sizeof *o);
    for (size_t i = 0; i < sizeof o->A / sizeof o->A[0]; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        o->A[i] = (double)(int64_t)(state >> 11) * 0x1p-52 - 1;
    }
}

static gable_status run(gable_context *ctx, bool lu, const shape *s, int64_t lda, outcome *o)
{
    return lu ? gable_dgetrf(ctx, s->m, s->n, o->A, lda, o->ipiv, &o->info)
              : gable_dgeqrf(ctx, s->m, s->n, o->A, lda, o->tau);
}

static void compare(const outcome *a, const outcome *b, const shape *s, int64_t lda)
{
    const int64_t order = s->m < s->n ? s->m : s->n;
    double worst = 0;
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->m; i++) {
            const double x = a->A[i + j * lda], y = b->A[i + j * lda];
            const double off = fabs(x - y) / (1 + fabs(y));
            worst = off <= worst ? worst : off; /* NaN too */
        }
    for (int64_t j = 0; j < order; j++)
        worst = fmax(worst, fabs(a->tau[j] - b->tau[j]));
    CHECK(worst < 1e-9, "factors differ by %g", worst);
    CHECK(memcmp(a->ipiv, b->ipiv, sizeof a->ipiv) == 0 && a->info == b->info,
          "other pivots, or another info");
}

/* Recorded here, replayed by one of two threads. */
static void inside_region(gable_context *ctx, bool lu, const shape *s)
{
    static outcome outside, inside;
    const int64_t lda = s->m + 3;
    gable_recording *recording = NULL;
    gable_status status = GABLE_OK;
    bool active = false;
    test_case("%s %d x %d in a region", lu ? "getrf" : "geqrf", (int)s->m, (int)s->n);
    fill(&outside);
    CHECK_OK(ctx, run(ctx, lu, s, lda, &outside));
    fill(&inside);
    int64_t *info = NULL;
    void *memory = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, sizeof *info, &memory));
    info = memory;
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, lu ? gable_dgetrf(ctx, s->m, s->n, inside.A, lda, inside.ipiv, info)
                     : gable_dgeqrf(ctx, s->m, s->n, inside.A, lda, inside.tau));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
#pragma omp parallel num_threads(2)
#pragma omp master
    {
        active = omp_in_parallel();
        status = gable_replay(ctx, recording);
    }
    CHECK(active, "there is no region of two threads");
    CHECK_OK(ctx, status);
    CHECK_OK(ctx, gable_sync(ctx));
    inside.info = lu ? *info : 0;
    compare(&inside, &outside, s, lda);
    gable_recording_destroy(recording);
    CHECK_OK(ctx, gable_free(ctx, memory));
}

/* Called inside a region at once: composed of own code. */
static void called_inside(gable_context *ctx, bool lu, const shape *s)
{
    static outcome outside, inside;
    const int64_t lda = s->m + 3;
    gable_status status = GABLE_OK;
    test_case("%s %d x %d called in a region", lu ? "getrf" : "geqrf", (int)s->m, (int)s->n);
    fill(&outside);
    fill(&inside);
    CHECK_OK(ctx, run(ctx, lu, s, lda, &outside));
#pragma omp parallel num_threads(2)
#pragma omp master
    status = run(ctx, lu, s, lda, &inside);
    CHECK_OK(ctx, status);
    compare(&inside, &outside, s, lda);
}

/* The same of reductions, of a square matrix: recorded here, replayed inside a region. */
typedef struct reduced {
    double A[MOST_ROWS * (MOST_ROWS + 3)], d[MOST_ROWS], e[MOST_ROWS], tau[MOST_ROWS];
} reduced;

static gable_status reduce(gable_context *ctx, int way, int64_t n, reduced *o)
{
    const int64_t lda = n + 3, ilo = n > 9 ? 3 : 1, ihi = n > 9 ? n - 2 : n;
    return way == 2 ? gable_dgehrd(ctx, n, ilo, ihi, o->A, lda, o->tau)
                    : gable_dsytrd(ctx, way == 0 ? GABLE_LOWER : GABLE_UPPER, n, o->A, lda, o->d,
                                   o->e, o->tau);
}

static double apart(const double *a, const double *b, size_t bytes)
{
    double worst = 0;
    for (size_t i = 0; i < bytes / sizeof *a; i++) {
        const double off = fabs(a[i] - b[i]) / (1 + fabs(b[i]));
        worst = off <= worst ? worst : off; /* NaN too */
    }
    return worst;
}

static void reduced_in_region(gable_context *ctx, int way, int64_t n)
{
    static outcome given;
    static reduced outside, inside;
    gable_recording *recording = NULL;
    gable_status status = GABLE_OK, called = GABLE_OK;
    test_case("%s %d in a region", way == 2 ? "gehrd" : "sytrd", (int)n);
    fill(&given);
    memset(&outside, 0, sizeof outside);
    memcpy(outside.A, given.A, sizeof outside.A);
    inside = outside;
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, reduce(ctx, way, n, &inside));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    CHECK_OK(ctx, reduce(ctx, way, n, &outside));
    for (int round = 0; round < 2; round++) { /* replayed, then called there */
#pragma omp parallel num_threads(2)
#pragma omp master
        if (round == 0)
            status = gable_replay(ctx, recording);
        else
            called = reduce(ctx, way, n, &inside);
        CHECK_OK(ctx, status);
        CHECK_OK(ctx, called);
        CHECK_OK(ctx, gable_sync(ctx));
        const double worst = fmax(fmax(apart(inside.A, outside.A, sizeof inside.A),
                                       apart(inside.tau, outside.tau, sizeof inside.tau)),
                                  fmax(apart(inside.d, outside.d, sizeof inside.d),
                                       apart(inside.e, outside.e, sizeof inside.e)));
        CHECK(worst < 1e-9, "results differ by %g", worst);
        memset(&inside, 0, sizeof inside);
        memcpy(inside.A, given.A, sizeof inside.A);
    }
    gable_recording_destroy(recording);
}

/* The pivots of a matrix with a NaN beside the diagonal, by the library's variant and by own code;
 * only those in front of it say something. */
static void beside_nan(gable_context *ctx, const shape *s)
{
    static outcome library, own;
    const int64_t lda = s->m + 3, at = s->n / 2;
    test_case("getrf %d x %d with a NaN", (int)s->m, (int)s->n);
    fill(&library);
    library.A[s->m - 1 + at * lda] = (double)NAN;
    own = library;
    CHECK_OK(ctx, gable_dgetrf(ctx, s->m, s->n, library.A, lda, library.ipiv, &library.info));
    CHECK_OK(ctx, gable_set_variant(ctx, "getrf=columns"));
    CHECK_OK(ctx, gable_dgetrf(ctx, s->m, s->n, own.A, lda, own.ipiv, &own.info));
    CHECK_OK(ctx, gable_set_variant(ctx, NULL));
    for (int64_t i = 0; i < at && i < s->m; i++)
        CHECK(library.ipiv[i] == own.ipiv[i], "pivot %d is %d instead of %d", (int)i,
              (int)library.ipiv[i], (int)own.ipiv[i]);
    for (int64_t i = 0; i < (s->m < s->n ? s->m : s->n); i++)
        CHECK(library.ipiv[i] > i && library.ipiv[i] <= s->m, "pivot %d is outside", (int)i);
}

static void like_one_before(gable_context *ctx)
{
    enum { N = 5 };
    double A[N * N] = {0};
    int64_t info = -7, ipiv[N];
    test_case("calls like one before");
    for (int round = 0; round < 3; round++) { /* the last one is singular */
        for (int i = 0; i < N; i++)
            A[i + N * i] = round == 2 && i == 3 ? 0 : 4;
        CHECK_OK(ctx, gable_dpotrf(ctx, GABLE_LOWER, N, A, N, &info));
        CHECK(info == (round == 2 ? 4 : 0), "potrf: info is %d", (int)info);
        for (int i = 0; i < N; i++)
            A[i + N * i] = round == 2 && i == 3 ? 0 : 4;
        info = -7;
        CHECK_OK(ctx, gable_dgetrf(ctx, N, N, A, N, ipiv, &info));
        CHECK(info == (round == 2 ? 4 : 0), "getrf: info is %d", (int)info);
        info = -7;
    }
    CHECK_REFUSED(ctx, gable_dpotrf(ctx, GABLE_LOWER, N, NULL, N, &info), GABLE_BAD_ARGUMENT,
                  "gable_dpotrf", "argument 4 (A)", "NULL");
    CHECK_REFUSED(ctx, gable_dgetrf(ctx, N, N, A, N, NULL, &info), GABLE_BAD_ARGUMENT,
                  "gable_dgetrf", "argument 6 (ipiv)", "NULL");
    CHECK_REFUSED(ctx, gable_dgetrf(ctx, N, N, A, N, ipiv, NULL), GABLE_BAD_ARGUMENT,
                  "gable_dgetrf", "argument 7 (info)", "NULL");
    CHECK(info == -7, "an argument error wrote info");
}

int main(void)
{
    gable_context *ctx = NULL;
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    like_one_before(ctx);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (int lu = 0; lu < 2; lu++) {
            inside_region(ctx, lu == 1, &shapes[i]);
            called_inside(ctx, lu == 1, &shapes[i]);
        }
        beside_nan(ctx, &shapes[i]);
    }
    for (int way = 0; way < 3; way++)
        for (int64_t n = 1; n <= MOST_ROWS; n += 37)
            reduced_in_region(ctx, way, n);
    gable_close(ctx);
    return test_finish();
}
