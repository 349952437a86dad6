/* roofs_products.c: how fast the installed BLAS multiplies matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm in s and d, on all threads with n = 256, 1024 and 4096, on one thread with the first two:
 * from there on its rate does not change. Where n = 4096 would take longer than LIMIT, the largest
 * multiple of 256 that does not. A complex multiply-add is four real ones, so c and z take the
 * rates of s and d.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "device/cpu_blas.h"
#include "model/roofs_private.h"

#define LIMIT  0.25 /* seconds */
#define ENOUGH 0.02 /* seconds of runs after which no further one is needed */
#define STEP   256

static double seconds_now(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

/* Three matrices for the largest product, all of ones. */
typedef struct matrices {
    void *memory;
    size_t bytes; /* of each */
} matrices;

static void multiply(const gbl_cpu_blas *blas, gbl_dtype dtype, int n, const matrices *with)
{
    char *const A = with->memory, *const B = A + with->bytes, *const C = B + with->bytes;
    if (dtype == GBL_S)
        blas->sgemm(GBL_CPU_BLAS_COLUMNS, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1, A, n, B, n, 0,
                    C, n);
    else
        blas->dgemm(GBL_CPU_BLAS_COLUMNS, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1, A, n, B, n, 0,
                    C, n);
}

static void fill(gbl_dtype dtype, int n, const matrices *with)
{
    const size_t count = (size_t)n * (size_t)n;
    for (int i = 0; i < 3; i++) {
        char *const at = (char *)with->memory + (size_t)i * with->bytes;
        for (size_t k = 0; k < count; k++)
            if (dtype == GBL_S)
                ((float *)(void *)at)[k] = 1;
            else
                ((double *)(void *)at)[k] = 1;
    }
}

/* Flops per second of the best run; the first one of short products wakes the threads. */
static double rate_of(const gbl_cpu_blas *blas, gbl_dtype dtype, int n, const matrices *with)
{
    const double flops = 2.0 * n * n * n;
    double best = 0, total = 0;
    for (int runs = 0; runs == 0 || total < ENOUGH; runs++) {
        const double from = seconds_now();
        multiply(blas, dtype, n, with);
        const double took = seconds_now() - from;
        total += took;
        best = best == 0 || took < best ? took : best;
    }
    return flops / (best > 1e-9 ? best : 1e-9);
}

/* The largest size up to n that takes no longer than LIMIT at a rate. */
static int within_limit(int n, double rate)
{
    while (n > STEP && 2.0 * n * n * n > LIMIT * rate)
        n -= STEP;
    return n;
}

static int measure_sizes(const gbl_cpu_blas *blas, gbl_dtype dtype, int threads, bool all,
                         const matrices *with, gbl_cpu_sample *samples)
{
    static const int sizes[] = {256, 1024, 4096};
    double rate = 0;
    int count = 0, last = 0;
    for (int i = 0; i < (all ? 3 : 2); i++) {
        const int n = rate > 0 ? within_limit(sizes[i], rate) : sizes[i];
        if (n <= last)
            break;
        last = n;
        fill(dtype, n, with);
        rate = rate_of(blas, dtype, n, with);
        samples[count] = (gbl_cpu_sample){.tuned = true,
                                          .threads = threads,
                                          .routine = "gemm",
                                          .dtype = dtype,
                                          .multiply_adds = (double)n * n * n,
                                          .flops = rate};
        snprintf(samples[count++].words, sizeof samples[0].words, "%s", gbl_cpu_blas_name());
    }
    return count;
}

int gbl_measure_products(const gable_context *ctx, gbl_cpu_sample samples[GBL_ROOF_PRODUCTS])
{
    const gbl_cpu_blas *const blas = ctx->device->props.is_host ? gbl_cpu_blas_get() : NULL;
    const int threads = blas != NULL ? gbl_cpu_blas_threads(0) : 0;
    matrices with = {.bytes = (size_t)4096 * 4096 * sizeof(double)};
    int count = 0;
    if (threads == 0 || blas->sgemm == NULL || blas->dgemm == NULL ||
        ctx->device->props.memory_bytes / 16 < 3 * with.bytes)
        return 0;
    with.memory = malloc(3 * with.bytes);
    if (with.memory == NULL)
        return 0;
    for (int dtype = GBL_S; dtype <= GBL_D; dtype++) {
        count += measure_sizes(blas, (gbl_dtype)dtype, threads, true, &with, samples + count);
        if (threads > 1) {
            gbl_cpu_blas_threads(1);
            count += measure_sizes(blas, (gbl_dtype)dtype, 1, false, &with, samples + count);
            gbl_cpu_blas_threads(threads);
        }
    }
    free(with.memory);
    return count;
}
