/* blas_speed.c: whether the installed BLAS multiplies matrices faster than Gable's own code.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <pthread.h>
#include <time.h>
#include "blas/blas_speed.h"
#include "cpu/cpu_kernels.h"
#include "device/cpu_blas.h"
#include "device/product_args.h"

#define N           GBL_SPEED_ORDER
#define FEW_ROUNDS  3 /* after which a library that is faster needs no more */
#define MOST_ROUNDS 8
#define SLOWER      2 /* times the time of own code */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static gbl_blas_speed found;

static double now(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

static double least(double a, double b)
{
    return a == 0 || b < a ? b : a;
}

static void multiply_both(const gbl_cpu_blas *blas, const gbl_product_args *call,
                          gbl_blas_speed *seen)
{
    gbl_message message;
    const double start = now();
    blas->sgemm(GBL_CPU_BLAS_COLUMNS, GABLE_NO_TRANS, GABLE_NO_TRANS, N, N, N, 1, call->A, N,
                call->B, N, 0, call->C, N);
    const double middle = now();
    gbl_cpu_sgemm_omp(NULL, NULL, call, &message);
    const double end = now();
    seen->library = least(seen->library, middle - start);
    seen->own = least(seen->own, end - middle);
}

/* The best of a few rounds each. The first one, in which a library makes its threads and buffers,
 * does not count. */
static void find(void)
{
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    float A[N * N], B[N * N], C[N * N];
    gbl_blas_speed first = {0, 0, false}, seen = first;
    if (blas == NULL || blas->sgemm == NULL)
        return;
    for (int i = 0; i < N * N; i++) {
        A[i] = (float)(i % 7) - 3;
        B[i] = (float)(i % 5) - 2;
    }
    const gbl_product_args call = {.dtype = GBL_S,
                                   .trans = GABLE_NO_TRANS,
                                   .trans_b = GABLE_NO_TRANS,
                                   .m = N,
                                   .n = N,
                                   .k = N,
                                   .lda = N,
                                   .ldb = N,
                                   .ldc = N,
                                   .A = A,
                                   .B = B,
                                   .C = C,
                                   .alpha = {.re = 1}};
    multiply_both(blas, &call, &first);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        multiply_both(blas, &call, &seen);
        if (round + 1 >= FEW_ROUNDS && seen.library < seen.own)
            break;
    }
    seen.slow = seen.library > SLOWER * seen.own;
    found = seen;
}

const gbl_blas_speed *gbl_blas_speed_get(void)
{
    pthread_once(&once, find);
    return &found;
}
