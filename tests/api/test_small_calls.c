/* test_small_calls.c: what a small call costs on cpu beside the installed BLAS called directly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The aim is max(BLAS / 0.95, BLAS + 60 ns), and 25 ns per product of many small ones. Both
 * libraries take turns, and the best of several rounds counts. There are no more rounds once the
 * aim is reached. The test fails at twice the nanoseconds, on slower machines at more: they are
 * scaled by what a multiplication takes that waits for another. Before it fails it has many more
 * rounds: beside other programs few of them are undisturbed. Where those take most of all
 * processors, which share caches and maybe cores, a time that is too long is printed and not
 * judged. Sanitizers check every access, so there it only prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "device/cpu_blas.h"
#include "harness/check.h"
#include "harness/sanitized.h"
#include "model/busy.h"

enum { MOST = 256, ROUNDS = 15, LEAST_ROUNDS = 3, PATIENT_ROUNDS = 5000, CALLS = 2000 };
#define AIM_SECONDS    60e-9
#define MEMBER_SECONDS 25e-9
#define FAIL_TIMES     2
#define CROWDED        0.6    /* part of the processors' time that others take */
#define WAIT_SECONDS   1.5e-9 /* of a multiplication: 4 cycles at 2.7 GHz */

static gable_context *ctx;
static const gbl_cpu_blas *blas;
static double x[MOST], y[MOST], A[MOST * MOST], B[MOST * MOST], C[MOST * MOST], number;
static float single_a[MOST * MOST], single_b[MOST * MOST], single_c[MOST * MOST];
static int n;
static const double turn[5] = {-1, 0.6, -0.8, 0.8, 0.6};

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

static void gable_symv(void)
{
    gable_dsymv(ctx, GABLE_LOWER, n, 1e-9, A, n, x, 1, 1, y, 1);
}
static void blas_symv(void)
{
    blas->dsymv(GBL_CPU_BLAS_COLUMNS, GABLE_LOWER, n, 1e-9, A, n, x, 1, 1, y, 1);
}
static void gable_rotm(void)
{
    gable_drotm(ctx, n, x, 1, y, 1, turn);
}
static void blas_rotm(void)
{
    blas->drotm(n, x, 1, y, 1, turn);
}
static void gable_gemm(void)
{
    gable_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1e-9, A, n, B, n, 1, C, n);
}
static void blas_gemm(void)
{
    blas->dgemm(GBL_CPU_BLAS_COLUMNS, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1e-9, A, n, B, n, 1,
                C, n);
}
/* Calls in turns, as a blocked algorithm makes them: all of their shapes are known. */
static void gable_turns(void)
{
    gable_gemm();
    gable_dgemm(ctx, GABLE_TRANS, GABLE_NO_TRANS, n, n, n, 1e-9, A, n, B, n, 1, C, n);
    gable_gemv();
}
static void blas_turns(void)
{
    blas_gemm();
    blas->dgemm(GBL_CPU_BLAS_COLUMNS, GABLE_TRANS, GABLE_NO_TRANS, n, n, n, 1e-9, A, n, B, n, 1, C,
                n);
    blas_gemv();
}
static void gable_syrk(void)
{
    gable_dsyrk(ctx, GABLE_LOWER, GABLE_NO_TRANS, n, n, 1e-9, A, n, 1, C, n);
}
static void blas_syrk(void)
{
    blas->dsyrk(GBL_CPU_BLAS_COLUMNS, GABLE_LOWER, GABLE_NO_TRANS, n, n, 1e-9, A, n, 1, C, n);
}

static const struct {
    const char *name;
    void (*ours)(void), (*theirs)(void);
    int calls; /* of each */
} cases[] = {
    {.name = "ddot", .ours = gable_dot, .theirs = blas_dot, .calls = 1},
    {.name = "daxpy", .ours = gable_axpy, .theirs = blas_axpy, .calls = 1},
    {.name = "dscal", .ours = gable_scal, .theirs = blas_scal, .calls = 1},
    {.name = "dcopy", .ours = gable_copy, .theirs = blas_copy, .calls = 1},
    {.name = "dgemv", .ours = gable_gemv, .theirs = blas_gemv, .calls = 1},
    {.name = "dtrsv", .ours = gable_trsv, .theirs = blas_trsv, .calls = 1},
    {.name = "dsymv", .ours = gable_symv, .theirs = blas_symv, .calls = 1},
    {.name = "drotm", .ours = gable_rotm, .theirs = blas_rotm, .calls = 1},
    {.name = "dgemm", .ours = gable_gemm, .theirs = blas_gemm, .calls = 1},
    {.name = "dsyrk", .ours = gable_syrk, .theirs = blas_syrk, .calls = 1},
    {.name = "turns", .ours = gable_turns, .theirs = blas_turns, .calls = 3},
};

static double seconds_each(void (*call)(void))
{
    const int count = n > 16 ? CALLS / 10 : CALLS;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < count; i++)
        call();
    clock_gettime(CLOCK_MONOTONIC, &to);
    return ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / count;
}

/* Whether there is another round, from the best time so far. */
static bool goes_on(int round, double best, double aim, double most)
{
    return round < LEAST_ROUNDS || (round < ROUNDS && best > aim) ||
           (round < PATIENT_ROUNDS && best >= most && !SANITIZED);
}

/* By how much the machine is slower than one of WAIT_SECONDS; 1 at least. */
static double slowness(void)
{
    double best = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec from, to;
        volatile double product = 1;
        clock_gettime(CLOCK_MONOTONIC, &from);
        double at = product;
        for (int i = 0; i < CALLS; i++)
            at *= 1.0000001;
        product = at;
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double each =
            ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) /
            CALLS;
        best = each < best ? each : best;
    }
    return best > WAIT_SECONDS ? best / WAIT_SECONDS : 1;
}

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        x[i] = 1 + i % 7;
        y[i] = 1 + i % 5;
    }
    for (int i = 0; i < MOST * MOST; i++)
        single_a[i] = single_b[i] = (float)(A[i] = B[i] = C[i] = 1e-6 * (i % 11));
}

static double more_of(double theirs, double ratio, double seconds)
{
    return theirs / ratio > theirs + seconds ? theirs / ratio : theirs + seconds;
}

static void judge(bool fits, const gbl_busy *before, double ours, double theirs)
{
    gbl_busy after;
    gbl_busy_look(&after);
    const double others = gbl_busy_between(before, &after);
    if (!fits && (SANITIZED || others > CROWDED))
        printf("    not judged: others take %.0f %% of the processors\n", 100 * others);
    else
        CHECK(fits, "%g s beside %g s", ours, theirs);
}

static void calls(double slower)
{
    static const int sizes[] = {1, 4, 16, 64};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            double ours = 1, theirs = 1, aim = 0, most = 0;
            gbl_busy before;
            gbl_busy_look(&before);
            n = sizes[s];
            test_case("%s, n = %d", cases[c].name, n);
            fill();
            for (int round = 0; goes_on(round, ours, aim, most); round++) {
                const double a = seconds_each(cases[c].ours), b = seconds_each(cases[c].theirs);
                ours = a < ours ? a : ours;
                theirs = b < theirs ? b : theirs;
                aim = more_of(theirs, 0.95, cases[c].calls * AIM_SECONDS);
                most = more_of(theirs, 0.5, FAIL_TIMES * slower * cases[c].calls * AIM_SECONDS);
            }
            printf("%-5s n = %2d: %6.1f ns, the BLAS alone %6.1f ns%s\n", cases[c].name, n,
                   1e9 * ours, 1e9 * theirs, ours <= aim ? "" : ", above the aim");
            judge(ours < most, &before, ours, theirs);
        }
    }
}

/* Many products of n by n matrices in s and d: nanoseconds of a member. */
static void members(double slower)
{
    enum { BATCH = 1000 };
    for (n = 3; n <= 4; n++) {
        for (int single = 0; single < 2; single++) {
            const int64_t stride = n * n;
            const double most = FAIL_TIMES * slower * MEMBER_SECONDS;
            double best = 1;
            gbl_busy before;
            gbl_busy_look(&before);
            test_case("gemm_strided in %c, n = %d", single ? 's' : 'd', n);
            fill();
            for (int round = 0; goes_on(round, best, MEMBER_SECONDS, most); round++) {
                struct timespec from, to;
                clock_gettime(CLOCK_MONOTONIC, &from);
                if (single)
                    CHECK_OK(ctx, gable_sgemm_strided(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n,
                                                      1, single_a, n, stride, single_b, n, stride,
                                                      0, single_c, n, stride, BATCH));
                else
                    CHECK_OK(ctx,
                             gable_dgemm_strided(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1, A,
                                                 n, stride, B, n, stride, 0, C, n, stride, BATCH));
                clock_gettime(CLOCK_MONOTONIC, &to);
                const double each = ((double)(to.tv_sec - from.tv_sec) +
                                     1e-9 * (double)(to.tv_nsec - from.tv_nsec)) /
                                    BATCH;
                best = each < best ? each : best;
            }
            printf("gemm_strided %c n = %d: %6.1f ns per product%s\n", single ? 's' : 'd', n,
                   1e9 * best, best <= MEMBER_SECONDS ? "" : ", above the aim");
            judge(best < most, &before, best, MEMBER_SECONDS);
        }
    }
}

int main(void)
{
    test_start("test_small_calls");
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    const double slower = slowness();
    members(slower);
    blas = gbl_cpu_blas_get();
    if (blas == NULL)
        test_skip("blas", "no BLAS to compare with");
    calls(slower);
    gable_close(ctx);
    return test_finish();
}
