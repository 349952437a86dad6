/* test_small_calls.c: what a small call costs on cpu beside the installed BLAS called directly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The aim is max(BLAS / 0.95, BLAS + 60 ns), and 25 ns per product of many small ones. The test
 * fails at twice the nanoseconds. Both libraries take turns; medians of several rounds count. Times
 * are those of a Xeon of 2.5 GHz whose cores nobody shares: they are divided by what writing and
 * joining a few words takes, before and after each round, because a core's clock, and what the
 * other half of it does, can double times within a run. Rounds that differ before and after do not
 * count. Before the test fails it tries again: what another program did in one set of rounds it
 * does not do in twenty. CTest gives it one thread: a second one begins when a core is free, which
 * another program decides. Where others take most of all processors, a time that is too long is
 * printed and not judged. Sanitizers check every access, so there it only prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "device/cpu_blas.h"
#include "harness/check.h"
#include "harness/sanitized.h"
#include "model/busy.h"

enum { MOST = 256, ROUNDS = 15, LEAST_ROUNDS = 3, ATTEMPTS = 20, CALLS = 2000 };
#define AIM_SECONDS    60e-9
#define MEMBER_SECONDS 25e-9
#define FAIL_TIMES     2
#define CROWDED        0.6   /* part of the processors' time that others take */
#define STEADY         1.2   /* times that the same work may take longer on one side of a round */
#define WORDS_SECONDS  55e-9 /* of write_words and join_words on a Xeon of 2.5 GHz */

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

static double seconds_each(void (*call)(void), int count)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < count; i++)
        call();
    clock_gettime(CLOCK_MONOTONIC, &to);
    return ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / count;
}

/* Work of a call's kind: numbers are written through a pointer, read, and joined. Much of it can be
 * done at once, so that it also slows down where another program has the other half of the core. */
typedef struct words {
    int64_t at[32];
} words;

static void write_words(words *to, int64_t from)
{
    for (int i = 0; i < 32; i++)
        to->at[i] = (from >> (i & 7)) ^ i;
}
static int64_t join_words(const words *from)
{
    int64_t joined[4] = {0, 0, 0, 0};
    for (int i = 0; i < 32; i += 4)
        for (int j = 0; j < 4; j++)
            joined[j] = (joined[j] ^ from->at[i + j]) + (joined[j] >> 7);
    return joined[0] ^ joined[1] ^ joined[2] ^ joined[3];
}
static void (*volatile writes)(words *, int64_t) = write_words;
static int64_t (*volatile joins)(const words *) = join_words;

/* By how much the processor is slower now than one of WORDS_SECONDS; 1 at least. */
static double slowness(void)
{
    struct timespec from, to;
    words all;
    int64_t last = 1;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < CALLS; i++) {
        writes(&all, last + i);
        last = joins(&all);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    const double each =
        ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / CALLS;
    return each > WORDS_SECONDS ? each / WORDS_SECONDS : 1;
}

/* Times of several rounds, in seconds of a processor as fast as WORDS_SECONDS says. */
typedef struct round_times {
    int steady; /* rounds that count */
    double ours[ROUNDS], theirs[ROUNDS];
} round_times;

static void add_round(round_times *times, void (*ours)(void), void (*theirs)(void), int count)
{
    const double before = slowness();
    const double a = seconds_each(ours, count);
    const double b = theirs != NULL ? seconds_each(theirs, count) : 0;
    const double after = slowness();
    if (before > STEADY * after || after > STEADY * before)
        return;
    times->ours[times->steady] = a / (0.5 * (before + after));
    times->theirs[times->steady++] = b / (0.5 * (before + after));
}

static int compare(const void *a, const void *b)
{
    const double x_a = *(const double *)a, x_b = *(const double *)b;
    return (x_a > x_b) - (x_a < x_b);
}

/* 0: there is none. */
static double median(const double *values, int count)
{
    double sorted[ROUNDS];
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return count > 0 ? sorted[count / 2] : 0;
}

static double more_of(double theirs, double ratio, double seconds)
{
    return theirs / ratio > theirs + seconds ? theirs / ratio : theirs + seconds;
}

/* What two libraries take, ours for `calls` calls. */
typedef struct duel {
    void (*ours)(void), (*theirs)(void); /* theirs NULL: `aim` is given */
    int calls, count;                    /* count: how often a round calls each */
    double aim, most;
    double our_seconds, their_seconds;
} duel;

/* Whether ours is fast enough in one set of rounds. */
static bool fits_once(duel *of)
{
    round_times times = {.steady = 0};
    of->our_seconds = 0;
    for (int round = 0; round < 4 * ROUNDS && times.steady < ROUNDS; round++) {
        add_round(&times, of->ours, of->theirs, of->count);
        of->our_seconds = median(times.ours, times.steady);
        of->their_seconds = median(times.theirs, times.steady);
        if (of->theirs != NULL) {
            of->aim = more_of(of->their_seconds, 0.95, of->calls * AIM_SECONDS);
            of->most = more_of(of->their_seconds, 0.5, of->calls * FAIL_TIMES * AIM_SECONDS);
        }
        if (times.steady >= LEAST_ROUNDS && of->our_seconds <= of->aim)
            break;
    }
    return times.steady > 0 && of->our_seconds < of->most;
}

static void judge(duel *of)
{
    gbl_busy before, after;
    bool fits = false;
    gbl_busy_look(&before);
    for (int attempt = 0; attempt < (SANITIZED ? 1 : ATTEMPTS) && !fits; attempt++)
        fits = fits_once(of);
    gbl_busy_look(&after);
    const double others = gbl_busy_between(&before, &after);
    if (!fits && (SANITIZED || others > CROWDED))
        printf("    not judged: others take %.0f %% of the processors\n", 100 * others);
    else
        CHECK(fits, "%g s, at most %g s", of->our_seconds, of->most);
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

static void calls(void)
{
    static const int sizes[] = {1, 4, 16, 64};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            duel of = {.ours = cases[c].ours, .theirs = cases[c].theirs, .calls = cases[c].calls};
            n = sizes[s];
            of.count = n > 16 ? CALLS / 10 : CALLS;
            test_case("%s, n = %d", cases[c].name, n);
            fill();
            judge(&of);
            printf("%-5s n = %2d: %6.1f ns, the BLAS alone %6.1f ns%s\n", cases[c].name, n,
                   1e9 * of.our_seconds, 1e9 * of.their_seconds,
                   of.our_seconds <= of.aim ? "" : ", above the aim");
        }
    }
}

enum { BATCH = 1000 };
static void single_members(void)
{
    const int64_t stride = n * n;
    CHECK_OK(ctx, gable_sgemm_strided(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1, single_a, n,
                                      stride, single_b, n, stride, 0, single_c, n, stride, BATCH));
}
static void double_members(void)
{
    const int64_t stride = n * n;
    CHECK_OK(ctx, gable_dgemm_strided(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1, A, n, stride,
                                      B, n, stride, 0, C, n, stride, BATCH));
}

/* Many products of n by n matrices in s and d: nanoseconds of a member. */
static void members(void)
{
    for (n = 3; n <= 4; n++) {
        for (int single = 0; single < 2; single++) {
            duel of = {.ours = single ? single_members : double_members, .calls = 1, .count = 1};
            of.aim = BATCH * MEMBER_SECONDS;
            of.most = FAIL_TIMES * of.aim;
            test_case("gemm_strided in %c, n = %d", single ? 's' : 'd', n);
            fill();
            judge(&of);
            printf("gemm_strided %c n = %d: %6.1f ns per product%s\n", single ? 's' : 'd', n,
                   1e9 / BATCH * of.our_seconds, of.our_seconds <= of.aim ? "" : ", above the aim");
        }
    }
}

int main(void)
{
    test_start("test_small_calls");
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    members();
    blas = gbl_cpu_blas_get();
    if (blas == NULL)
        test_skip("blas", "no BLAS to compare with");
    calls();
    gable_close(ctx);
    return test_finish();
}
