/* test_link_overhead.c: what a small call costs more with libgable_link before the CPU library.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both ways call plain_blas.c. The figures are printed; the limit is far above them, because the
 * machine may be busy.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "harness/check.h"

#define CALLS   200000
#define REPEATS 7
#define MOST    500.0 /* nanoseconds */

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
        const double took =
            (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        best = took / CALLS < best ? took / CALLS : best;
    }
    return best;
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
    return test_finish();
}
