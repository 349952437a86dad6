/* cpu_read.c: reads memory, once or more often, and keeps nothing: the roof of reductions on the
 * cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds 64-bit words, which costs less than any floating-point reduction. The same for every
 * precision, so compiled with the doubles only.
 */
#include "cpu/cpu_vector.h"

#ifdef PREC_D

typedef struct read_job {
    const unsigned char *x;
    int64_t passes;
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
static uint64_t read_once(const unsigned char *x, int64_t begin, int64_t end)
{
    enum { WORDS = GBL_CPU_LINE / 8 };
    const int64_t half = (end - begin) / 2 * WORDS, odd = (end - begin) % 2 * WORDS;
    const unsigned char *a = x + begin * GBL_CPU_LINE, *b = a + half * 8;
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
    return sum;
}

static void read_piece(void *job, int piece, int64_t begin, int64_t end)
{
    read_job *of = job;
    uint64_t sum = 0;
    for (int64_t pass = 0; pass < of->passes; pass++) {
        sum = sum * 3 + read_once(of->x, begin, end);
        __asm__ volatile("" ::: "memory"); /* or the compiler might read once for all passes */
    }
    of->parts[piece] = sum;
}

GBL_CPU_TASK(gbl_cpu_read)
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_read_args *call = args;
    read_job job;
    job.x = call->x;
    job.passes = call->passes > 0 ? call->passes : 1;
    const int64_t traffic = job.passes < INT32_MAX ? GBL_CPU_LINE * job.passes : INT32_MAX;
    int pieces = 1;
    if (call->alone != 0)
        read_piece(&job, 0, 0, call->bytes / GBL_CPU_LINE);
    else
        pieces = gbl_cpu_share(call->bytes / GBL_CPU_LINE, GBL_CPU_LINE, traffic, read_piece, &job);
    uint64_t sum = 0;
    for (int p = 0; p < pieces; p++)
        sum += job.parts[p];
    memcpy(call->result, &sum, sizeof sum);
    return GABLE_OK;
}

#endif
