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

/* The words are copied out, as memory of another type may be: a plain load to the compilers. */
static void read_piece(void *job, int piece, int64_t begin, int64_t end)
{
    enum { WORDS = GBL_CPU_LINE / 8, SUMS = 2 * WORDS };
    const unsigned char *x = ((const read_job *)job)->x;
    uint64_t lane[SUMS] = {0}, word[SUMS];
    int64_t i = begin;
    for (; i + 2 <= end; i += 2) {
        memcpy(word, x + i * GBL_CPU_LINE, sizeof word);
        for (int k = 0; k < SUMS; k++)
            lane[k] += word[k];
    }
    if (i < end) {
        memcpy(word, x + i * GBL_CPU_LINE, GBL_CPU_LINE);
        for (int k = 0; k < WORDS; k++)
            lane[k] += word[k];
    }
    uint64_t sum = 0;
    for (int k = 0; k < SUMS; k++)
        sum += lane[k];
    ((read_job *)job)->parts[piece] = sum;
}

GBL_CPU_TASK(gbl_cpu_read)
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_read_args *call = args;
    read_job job;
    job.x = call->x;
    const int pieces = gbl_cpu_share(call->bytes / GBL_CPU_LINE, GBL_CPU_LINE, GBL_CPU_LINE,
                                     read_piece, &job);
    uint64_t sum = 0;
    for (int p = 0; p < pieces; p++)
        sum += job.parts[p];
    memcpy(call->result, &sum, sizeof sum);
    return GABLE_OK;
}

#endif
