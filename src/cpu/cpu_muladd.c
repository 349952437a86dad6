/* cpu_muladd.c: multiply-adds and nothing else: the rate of arithmetic of the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every thread iterates v := v f + v on as many numbers as fill some vector registers; f is so
 * small that v hardly changes. Where the instruction adds to one of its operands no other form does
 * without moves. The file is compiled with contraction (CMakeLists.txt): one instruction where the
 * CPU has it. x86-64 without more says SSE2, so wider units are asked for at run time: what the
 * installed BLAS uses too. The complex precisions have no code of their own: theirs are the same
 * instructions.
 */
#include "cpu/cpu_vector.h"

#if defined(PREC_S) || defined(PREC_D)

typedef struct muladd_job {
    int64_t rounds;
    R f;
    R parts[GBL_CPU_MAX_PIECES];
} muladd_job;

/* `bytes` of numbers side by side: a constant of each call. */
INLINED R iterate(const muladd_job *job, int bytes)
{
    const int lanes = bytes / (int)sizeof(R);
    const R f = job->f;
    R v[512 / sizeof(R)], sum = 0;
    for (int k = 0; k < lanes; k++)
        v[k] = (R)(k + 1) / (R)lanes;
    for (int64_t round = 0; round < job->rounds; round++) {
#pragma omp simd
        for (int k = 0; k < lanes; k++)
            v[k] = v[k] * f + v[k];
    }
    for (int k = 0; k < lanes; k++)
        sum += v[k];
    return sum;
}

/* Registers of the narrowest unit that leave one for f: of 32, or of 16 that x86-64 has. */
#if defined(__x86_64__)
#define PLAIN_BYTES 160

__attribute__((target("avx2,fma"))) static R iterate_avx2(const muladd_job *job)
{
    return iterate(job, 320);
}

__attribute__((target("avx512f"))) static R iterate_avx512(const muladd_job *job)
{
    return iterate(job, 512);
}

static int lane_bytes(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return 512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 320 : PLAIN_BYTES;
}

static R iterate_best(const muladd_job *job)
{
    const int bytes = lane_bytes();
    if (bytes == 512)
        return iterate_avx512(job);
    return bytes == 320 ? iterate_avx2(job) : iterate(job, PLAIN_BYTES);
}
#else
static int lane_bytes(void)
{
    return 256;
}

static R iterate_best(const muladd_job *job)
{
    return iterate(job, 256);
}
#endif

static void muladd_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)begin, (void)end;
    ((muladd_job *)job)->parts[piece] = iterate_best(job);
}

/* gbl_cpu_smuladd gbl_cpu_dmuladd */
GBL_CPU_TASK(PRIVATE(muladd))
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_muladd_args *call = args;
    muladd_job job = {.rounds = call->rounds, .f = (R)call->f};
    /* An element a thread at least: no work is too little to share. */
    const int pieces =
        gbl_cpu_share(GBL_CPU_MAX_PIECES, GBL_CPU_LINE, INT32_MAX, muladd_piece, &job);
    double sum = 0;
    for (int p = 0; p < pieces; p++)
        sum += (double)job.parts[p];
    call->result->sum = sum;
    call->result->flops = 2.0 * (double)call->rounds * pieces * (lane_bytes() / (int)sizeof(R));
    return GABLE_OK;
}

#endif
