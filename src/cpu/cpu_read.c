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

/* Two halves side by side, for the reason given in cpu_nrm2.c. The words are copied out, as memory
 * of another type may be: plain loads to the compilers. */
static void read_piece(void *job, int piece, int64_t begin, int64_t end)
{
    enum { WORDS = GBL_CPU_LINE / 8 };
    const int64_t half = (end - begin) / 2;
    const unsigned char *a = ((const read_job *)job)->x + begin * GBL_CPU_LINE;
    const unsigned char *b = a + half * GBL_CPU_LINE;
    uint64_t lane_a[WORDS] = {0}, lane_b[WORDS] = {0}, word_a[WORDS], word_b[WORDS];
    for (int64_t i = 0; i < half; i++) {
        memcpy(word_a, a + i * GBL_CPU_LINE, GBL_CPU_LINE);
        memcpy(word_b, b + i * GBL_CPU_LINE, GBL_CPU_LINE);
        for (int k = 0; k < WORDS; k++)
            lane_a[k] += word_a[k];
        for (int k = 0; k < WORDS; k++)
            lane_b[k] += word_b[k];
    }
    if ((end - begin) % 2 != 0) {
        memcpy(word_b, b + half * GBL_CPU_LINE, GBL_CPU_LINE);
        for (int k = 0; k < WORDS; k++)
            lane_b[k] += word_b[k];
    }
    uint64_t sum = 0;
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
