/* test_stubborn.c: eigenvalues and singular values that do not converge: info and ifail.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On cpu, with a LAPACK that always fails (stubborn_lapack.c): what the headers say of info above 0
 * is what drivers tell, through the library's driver and through own steps with the library's
 * tridiagonal stage. A call that failed so is GABLE_OK.
 */
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"

#define N    6
#define PART (2 * (N + 1) + 4)

static gable_context *ctx;

static void fill(double *A, double *B, double first)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            A[i + j * N] = i == j ? 2 : 1.0 / (1 + i + j);
            B[i + j * N] = i != j ? 0 : i == 0 ? first : 4;
        }
}

static void told(int64_t info, int64_t wanted)
{
    CHECK(info == wanted, "info is %lld instead of %lld", (long long)info, (long long)wanted);
}

static void tridiagonal(void)
{
    double d[N] = {1, 2, 3, 4, 5, 6}, e[N] = {1, 1, 1, 1, 1}, Z[N * N];
    int64_t info = -77;
    test_case("sterf");
    CHECK_OK(ctx, gable_set_variant(ctx, "sterf=lapack,stedc=lapack"));
    CHECK_OK(ctx, gable_dsterf(ctx, N, d, e, &info));
    told(info, 2);
    test_case("stedc");
    CHECK_OK(ctx, gable_dstedc(ctx, GABLE_IDENTITY_VECTORS, N, d, e, Z, N, &info));
    told(info, PART);
}

static void standard(const char *choice)
{
    double A[N * N], B[N * N], w[N];
    int64_t info = -77;
    test_case("syevd, %s", choice);
    CHECK_OK(ctx, gable_set_variant(ctx, choice));
    fill(A, B, 4);
    CHECK_OK(ctx, gable_dsyevd(ctx, GABLE_VECTORS, GABLE_LOWER, N, A, N, w, &info));
    told(info, PART);
    fill(A, B, 4);
    CHECK_OK(ctx, gable_dsyevd(ctx, GABLE_NO_VECTORS, GABLE_UPPER, N, A, N, w, &info));
    told(info, 2);
}

/* Part of the vectors: all of them are listed. */
static void some(gable_range range, int64_t wanted)
{
    double A[N * N], Z[N * N], w[N];
    int64_t info = -77, found = -1, wrong = 0, failed[N];
    test_case("syevx, %d vectors", (int)wanted);
    CHECK_OK(ctx, gable_set_variant(ctx, "syevx=reduce,stedc=lapack"));
    fill(A, Z, 4);
    memset(failed, 0, sizeof failed);
    CHECK_OK(ctx, gable_dsyevx(ctx, GABLE_VECTORS, range, GABLE_LOWER, N, A, N, 0, 0, 2, 4, 0,
                               &found, w, Z, N, failed, &info));
    told(info, PART);
    CHECK(found == wanted, "m is %lld instead of %lld", (long long)found, (long long)wanted);
    for (int64_t i = 0; i < wanted; i++)
        wrong += failed[i] != i + 1;
    CHECK(wrong == 0, "%d vectors are not listed as failed", (int)wrong);
}

/* The first row of the part that failed, which is no pivot of B. */
static void general(const char *choice)
{
    double A[N * N], B[N * N], w[N];
    int64_t info = -77;
    test_case("sygvd, %s", choice);
    CHECK_OK(ctx, gable_set_variant(ctx, choice));
    fill(A, B, 4);
    CHECK_OK(ctx, gable_dsygvd(ctx, 1, GABLE_VECTORS, GABLE_LOWER, N, A, N, B, N, w, &info));
    told(info, 2);
    fill(A, B, -4);
    CHECK_OK(ctx, gable_dsygvd(ctx, 1, GABLE_VECTORS, GABLE_LOWER, N, A, N, B, N, w, &info));
    told(info, N + 1);
}

static void singular(void)
{
    double A[N * N], B[N * N], U[N * N], Vt[N * N], s[N];
    int64_t info = -77;
    test_case("gesdd");
    CHECK_OK(ctx, gable_set_variant(ctx, "gesdd=lapack"));
    fill(A, B, 4);
    CHECK_OK(ctx, gable_dgesdd(ctx, GABLE_ALL_VECTORS, N, N, A, N, s, U, N, Vt, N, &info));
    told(info, 1);
}

int main(void)
{
    test_start("test_stubborn");
    setenv("GABLE_LAPACK", STUBBORN_LAPACK, 1);
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    tridiagonal();
    standard("syevd=lapack");
    standard("syevd=reduce,sterf=lapack,stedc=lapack");
    some(GABLE_RANGE_ALL, N);
    some(GABLE_RANGE_INDICES, 3);
    general("sygvd=lapack");
    general("sygvd=reduce,stedc=lapack");
    singular();
    gable_close(ctx);
    return test_finish();
}
