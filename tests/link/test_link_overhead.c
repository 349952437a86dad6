/* test_link_overhead.c: what a small call, and a process that calls nothing, cost more with
 * libgable_link.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small calls go to plain_blas.c both ways. The figures are printed; the limits are far above them,
 * because the machine may be busy.
 */
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include "harness/check.h"

#define CALLS     200000
#define REPEATS   7
#define MOST      500.0 /* nanoseconds */
#define PROCESSES 40
#define MOST_IDLE 0.02 /* seconds */

extern char **environ;

typedef void gemm_function(const char *transa, const char *transb, const int *m, const int *n,
                           const int *k, const double *alpha, const double *A, const int *lda,
                           const double *B, const int *ldb, const double *beta, double *C,
                           const int *ldc, size_t length_a, size_t length_b);
gemm_function dgemm_;

void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name;
    (void)argument;
    (void)length;
}

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

/* The best time of one call, in nanoseconds. */
static double time_of(gemm_function *gemm, int n)
{
    static double A[64], B[64], C[64];
    const double one = 1, zero = 0;
    double best = 1e30;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < CALLS; i++)
            gemm("N", "N", &n, &n, &n, &one, A, &n, B, &n, &zero, C, &n, 1, 1);
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double took = 1e9 * seconds_between(&from, &to);
        best = took / CALLS < best ? took / CALLS : best;
    }
    return best;
}

/* From the start of a process that does nothing to its end: seconds; below 0 where it failed. */
static double time_of_process(void)
{
    char name[] = "true";
    char *const arguments[] = {name, NULL};
    struct timespec from, to;
    pid_t child;
    int status = -1;
    clock_gettime(CLOCK_MONOTONIC, &from);
    const bool ended = posix_spawnp(&child, name, NULL, NULL, arguments, environ) == 0 &&
                       waitpid(child, &status, 0) == child && status == 0;
    clock_gettime(CLOCK_MONOTONIC, &to);
    return ended ? seconds_between(&from, &to) : -1;
}

/* The ways take turns, so that both see the same load. */
static void test_idle_process(void)
{
    double best[] = {1e30, 1e30};
    test_case("a process that calls nothing");
    for (int i = 0; i < 2 * PROCESSES; i++) {
        const int linked = i % 2;
        if (linked)
            setenv("LD_PRELOAD", GABLE_LINK_FILE, 1);
        else
            unsetenv("LD_PRELOAD");
        const double took = time_of_process();
        CHECK(took >= 0, "it failed");
        best[linked] = took < best[linked] ? took : best[linked];
    }
    unsetenv("LD_PRELOAD");
    printf("a process: %.3f ms, with the door %.3f ms: %.3f more\n", 1e3 * best[0], 1e3 * best[1],
           1e3 * (best[1] - best[0]));
    CHECK(best[1] - best[0] <= MOST_IDLE, "it takes %.3f ms more", 1e3 * (best[1] - best[0]));
}

int main(void)
{
    gemm_function *direct = NULL;
    test_start("test_link_overhead");
    unsetenv("GABLE_LINK");
    unsetenv("GABLE_LINK_LOG");
    void *const library = dlopen("libplain_blas.so", RTLD_NOW | RTLD_NOLOAD);
    void *const address = library != NULL ? dlsym(library, "dgemm_") : NULL;
    CHECK(address != NULL, "%s", dlerror());
    if (address == NULL)
        return test_finish();
    memcpy(&direct, &address, sizeof direct);
    CHECK(direct != dgemm_, "the door does not stand before the CPU library");
    for (int n = 1; n <= 8; n *= 2) {
        const double alone = time_of(direct, n), linked = time_of(dgemm_, n);
        printf("dgemm n = %d: %.1f ns, with the door %.1f ns: %.1f more\n", n, alone, linked,
               linked - alone);
        CHECK(linked - alone <= MOST, "a small call takes %.1f ns more", linked - alone);
    }
    test_idle_process();
    return test_finish();
}
