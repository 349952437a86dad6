/* cpu_random.c: uniform random numbers on the cpu, the same bits as on every other device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011):
 * a bijection of counters, so number r depends on the seed and on r alone. Counters go through
 * their ten rounds SIDE at a time, which is vector code. Of the four words a counter gives, float
 * takes one per number, double two.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

#define SIDE 32                                     /* counters at a time */
#define EACH ((int)(4 * sizeof(float) / sizeof(R))) /* numbers a counter gives */

typedef struct random_job {
    gbl_vector_args call;
    R low, width;
} random_job;

/* The words of SIDE counters, word by word. */
typedef struct words {
    uint32_t w[4][SIDE];
} words;

/* The words of the counters that number first, first + EACH, ... come from. */
static void philox(uint64_t first, uint64_t seed, words *out)
{
    uint32_t a[SIDE], b[SIDE], c[SIDE], d[SIDE];
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    for (int k = 0; k < SIDE; k++) {
        const uint64_t counter =
            (first + (uint64_t)(k * EACH)) / EACH; /* numbers wrap, not counters */
        a[k] = (uint32_t)counter;
        b[k] = (uint32_t)(counter >> 32);
        c[k] = d[k] = 0;
    }
    for (int round = 0; round < 10; round++) {
#pragma omp simd
        for (int k = 0; k < SIDE; k++) {
            const uint64_t p = (uint64_t)0xD2511F53 * a[k], q = (uint64_t)0xCD9E8D57 * c[k];
            a[k] = (uint32_t)(q >> 32) ^ b[k] ^ key0;
            b[k] = (uint32_t)q;
            c[k] = (uint32_t)(p >> 32) ^ d[k] ^ key1;
            d[k] = (uint32_t)p;
        }
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
    memcpy(out->w[0], a, sizeof a);
    memcpy(out->w[1], b, sizeof b);
    memcpy(out->w[2], c, sizeof c);
    memcpy(out->w[3], d, sizeof d);
}

/* SIDE * EACH numbers in [low, low + width], in order. */
static void make_numbers(uint64_t first, const random_job *job, R *numbers)
{
    words out;
    philox(first, job->call.seed, &out);
    for (int k = 0; k < SIDE; k++) {
#if defined(PREC_S) || defined(PREC_C)
        for (int j = 0; j < 4; j++) {
            const float u = (float)(out.w[j][k] >> 8) * 0x1p-24f;
            numbers[4 * k + j] = fmaf(u, job->width, job->low);
        }
#else
        for (int j = 0; j < 2; j++) {
            const uint64_t bits = (uint64_t)out.w[2 * j][k] << 32 | out.w[2 * j + 1][k];
            numbers[2 * k + j] = fma((double)(bits >> 11) * 0x1p-53, job->width, job->low);
        }
#endif
    }
}

static void random_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const random_job *job = given;
    const int64_t incx = job->call.incx, count = (end - begin) * REALS;
    R *x = (R *)((T *)job->call.x + begin * incx);
    uint64_t first = (job->call.first + (uint64_t)begin) * REALS;
    R numbers[SIDE * EACH];
    for (int64_t done = 0; done < count;) {
        const int skip = (int)(first % EACH); /* numbers of the first counter that come before */
        const int64_t most = SIDE * EACH - skip, n = count - done < most ? count - done : most;
        make_numbers(first - (uint64_t)skip, job, numbers);
        if (incx == 1)
            memcpy(x + done, numbers + skip, (size_t)n * sizeof(R));
        else
            for (int64_t i = 0; i < n; i++)
                x[(done + i) / REALS * incx * REALS + (done + i) % REALS] = numbers[skip + i];
        done += n;
        first += (uint64_t)n;
    }
}

/* gbl_cpu_srandom_omp gbl_cpu_drandom_omp gbl_cpu_crandom_omp gbl_cpu_zrandom_omp. The numbers take
 * about as long as moving sixteen times their bytes (Neoverse V1, 2026-11: 2 GB/s per core). */
GBL_CPU_TASK(PRIVATE(random_omp))
{
    (void)queue, (void)stream, (void)message;
    random_job job;
    job.call = *(const gbl_vector_args *)args;
    job.low = read_real(&job.call.alpha);
    job.width = read_real(&job.call.beta);
    if (job.call.n > 0)
        gbl_cpu_share(job.call.n, sizeof(T), 16 * sizeof(T), random_piece, &job);
    return GABLE_OK;
}
