/* test_small_calls.c: what a small call costs on cpu beside the installed BLAS called directly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The aim is max(BLAS / 0.9, BLAS + 40 ns). Both take turns, and the best of several rounds counts; the test fails at
 * ten times the 40 ns, as machines may be loaded, and prints what it saw.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "device/cpu_blas.h"
#include "harness/check.h"

enum { MOST = 256, ROUNDS = 15, CALLS = 2000 };
#define AIM_SECONDS  40e-9
#define FAIL_SECONDS 400e-9

static gable_context *ctx;
static const gbl_cpu_blas *blas;
static double x[MOST], y[MOST], A[MOST * MOST], number;
static int n;

static void gable_dot(void)
{
    gable_ddot(ctx, n, x, 1, y, 1, &number);
}
static void blas_dot(void)
{
    number = blas->ddot(n, x, 1, y, 1);
}
static void gable_axpy(void)
{
    gable_daxpy(ctx, n, 1e-9, x, 1, y, 1);
}
static void blas_axpy(void)
{
    blas->daxpy(n, 1e-9, x, 1, y, 1);
}
static void gable_scal(void)
{
    gable_dscal(ctx, n, 1.0000001, x, 1);
}
static void blas_scal(void)
{
    blas->dscal(n, 1.0000001, x, 1);
}
static void gable_copy(void)
{
    gable_dcopy(ctx, n, x, 1, y, 1);
}
static void blas_copy(void)
{
    blas->dcopy(n, x, 1, y, 1);
}
static void gable_gemv(void)
{
    gable_dgemv(ctx, GABLE_NO_TRANS, n, n, 1e-9, A, n, x, 1, 1, y, 1);
}
static void blas_gemv(void)
{
    blas->dgemv(GBL_CPU_BLAS_COLUMNS, GABLE_NO_TRANS, n, n, 1e-9, A, n, x, 1, 1, y, 1);
}
static void gable_trsv(void)
{
    gable_dtrsv(ctx, GABLE_LOWER, GABLE_NO_TRANS, GABLE_UNIT, n, A, n, x, 1);
}
static void blas_trsv(void)
{
    blas->dtrsv(GBL_CPU_BLAS_COLUMNS, GABLE_LOWER, GABLE_NO_TRANS, GABLE_UNIT, n, A, n, x, 1);
}

static const struct {
    const char *name;
    void (*ours)(void), (*theirs)(void);
} cases[] = {
    {.name = "ddot", .ours = gable_dot, .theirs = blas_dot},
    {.name = "daxpy", .ours = gable_axpy, .theirs = blas_axpy},
    {.name = "dscal", .ours = gable_scal, .theirs = blas_scal},
    {.name = "dcopy", .ours = gable_copy, .theirs = blas_copy},
    {.name = "dgemv", .ours = gable_gemv, .theirs = blas_gemv},
    {.name = "dtrsv", .ours = gable_trsv, .theirs = blas_trsv},
};

static double seconds_each(void (*call)(void))
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < CALLS; i++)
        call();
    clock_gettime(CLOCK_MONOTONIC, &to);
    return ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / CALLS;
}

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        x[i] = 1 + i % 7;
        y[i] = 1 + i % 5;
    }
    for (int i = 0; i < MOST * MOST; i++)
        A[i] = 1e-6 * (i % 11);
}

int main(void)
{
    static const int sizes[] = {1, 4, 16, 64};
    test_start("test_small_calls");
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    blas = gbl_cpu_blas_get();
    if (blas == NULL)
        test_skip("blas", "no BLAS to compare with");
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            double ours = 1, theirs = 1;
            n = sizes[s];
            test_case("%s, n = %d", cases[c].name, n);
            fill();
            for (int round = 0; round < ROUNDS; round++) {
                const double a = seconds_each(cases[c].ours), b = seconds_each(cases[c].theirs);
                ours = a < ours ? a : ours;
                theirs = b < theirs ? b : theirs;
            }
            const double aim =
                theirs / 0.9 > theirs + AIM_SECONDS ? theirs / 0.9 : theirs + AIM_SECONDS;
            printf("%-5s n = %2d: %6.1f ns, the BLAS alone %6.1f ns%s\n", cases[c].name, n,
                   1e9 * ours, 1e9 * theirs, ours <= aim ? "" : ", above the aim");
            CHECK(ours < theirs / 0.5 + FAIL_SECONDS, "%g s beside the BLAS's %g s", ours, theirs);
        }
    }
    gable_close(ctx);
    return test_finish();
}
