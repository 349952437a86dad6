/* cpu_read.c: reads memory once and keeps nothing: the roof of reductions on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds 64-bit words, which costs less than any floating-point reduction. The same for every
 * precision, so compiled with the doubles only.
 */
#include "cpu/cpu_vector.h"

#ifdef PREC_D

typedef struct read_job {
    const unsigned char *x;
    uint64_t parts[GBL_CPU_MAX_PIECES];
} read_job;

/* A word of memory of any type: a plain load to the compilers. */
static inline uint64_t word_at(const unsigned char *x, int64_t index)
{
    uint64_t word;
    memcpy(&word, x + index * 8, 8);
    return word;
}

/* Two halves side by side, for the reason given in cpu_nrm2.c. */
static void read_piece(void *job, int piece, int64_t begin, int64_t end)
{
    enum { WORDS = GBL_CPU_LINE / 8 };
    const int64_t half = (end - begin) / 2 * WORDS, odd = (end - begin) % 2 * WORDS;
    const unsigned char *a = ((const read_job *)job)->x + begin * GBL_CPU_LINE, *b = a + half * 8;
    uint64_t lane_a[WORDS] = {0}, lane_b[WORDS] = {0}, sum = 0;
    for (int64_t i = 0; i < half; i += WORDS) {
#pragma omp simd
        for (int k = 0; k < WORDS; k++)
            lane_a[k] += word_at(a, i + k);
#pragma omp simd
        for (int k = 0; k < WORDS; k++)
            lane_b[k] += word_at(b, i + k);
    }
    for (int64_t i = half; i < half + odd; i++)
        sum += word_at(b, i);
    for (int k = 0; k < WORDS; k++)
        sum += lane_a[k] + lane_b[k];
    ((read_job *)job)->parts[piece] = sum;
}

GBL_CPU_TASK(gbl_cpu_read)
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_read_args *call = args;
    read_job job;
    job.x = call->x;
    const int pieces =
        gbl_cpu_share(call->bytes / GBL_CPU_LINE, GBL_CPU_LINE, GBL_CPU_LINE, read_piece, &job);
    uint64_t sum = 0;
    for (int p = 0; p < pieces; p++)
        sum += job.parts[p];
    memcpy(call->result, &sum, sizeof sum);
    return GABLE_OK;
}

#endif
