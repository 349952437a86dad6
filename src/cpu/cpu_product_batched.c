/* cpu_product_batched.c: many products and many solves with triangles on the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Batch entries are dealt out to threads in contiguous runs; each is a call of the routine's own
 * task, which is serial inside a thread. Batch entries so large that all threads can share one are
 * done one after another.
 */
#include "cpu/cpu_small_batched.h"

/* Multiply-adds of a batch entry that threads share: some 20 times a fork and join (Neoverse V1,
 * 2026-11: 0.7 us). */
#define LARGE_TERMS (1 << 20)

typedef GBL_CPU_TASK((*task_function));

typedef struct entries {
    const gbl_product_args *call;
    task_function task;
    gable_status status[GBL_CPU_MAX_PIECES];
} entries;

/* One batch entry, as a call of its own. C is not there in solves. */
static gable_status one_entry(const entries *all, int64_t b, gbl_message *message)
{
    const gbl_product_args *call = all->call;
    gbl_product_args one = *call;
    one.pointers = false;
    one.batch = 1;
    if (call->pointers) {
        one.A = call->A == NULL ? NULL : ((T **)call->A)[b];
        one.B = call->B == NULL ? NULL : ((T **)call->B)[b];
        one.C = call->C == NULL ? NULL : ((T **)call->C)[b];
    } else {
        one.A = call->A == NULL ? NULL : (T *)call->A + b * call->stride_a;
        one.B = call->B == NULL ? NULL : (T *)call->B + b * call->stride_b;
        one.C = call->C == NULL ? NULL : (T *)call->C + b * call->stride_c;
    }
    return all->task(NULL, NULL, &one, message);
}

static void entries_piece(void *given, int piece, int64_t begin, int64_t end)
{
    entries *all = given;
    gbl_message own = {NULL, ""}; /* threads do not share one */
    all->status[piece] = GABLE_OK;
    for (int64_t b = begin; b < end && all->status[piece] == GABLE_OK; b++)
        all->status[piece] = one_entry(all, b, &own);
}

static gable_status run(const gbl_product_args *call, task_function task, double terms,
                        gbl_message *message)
{
    entries all = {.call = call, .task = task};
    if (call->batch <= 0)
        return GABLE_OK;
    if (terms >= LARGE_TERMS) {
        for (int64_t b = 0; b < call->batch; b++)
            TRY(one_entry(&all, b, message));
        return GABLE_OK;
    }
    const int pieces = gbl_cpu_share(call->batch, GBL_CPU_LINE, (int64_t)terms * (int64_t)sizeof(T),
                                     entries_piece, &all);
    for (int p = 0; p < pieces; p++)
        if (all.status[p] != GABLE_OK)
            return gbl_fail(message, all.status[p], "no host memory for the panels of a product");
    return GABLE_OK;
}

/* gbl_cpu_sgemm_batched_omp gbl_cpu_dgemm_batched_omp gbl_cpu_cgemm_batched_omp
 * gbl_cpu_zgemm_batched_omp */
GBL_CPU_TASK(PRIVATE(gemm_batched_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    if (call->batch <= 0 || call->m <= 0 || call->n <= 0 || PRIVATE(small_gemm)(call))
        return GABLE_OK;
    return run(call, PRIVATE(gemm_omp), (double)call->m * (double)call->n * (double)(call->k + 1),
               message);
}

/* gbl_cpu_strsm_batched_omp gbl_cpu_dtrsm_batched_omp gbl_cpu_ctrsm_batched_omp
 * gbl_cpu_ztrsm_batched_omp */
GBL_CPU_TASK(PRIVATE(trsm_batched_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    if (call->batch <= 0 || call->m <= 0 || call->n <= 0 || PRIVATE(small_trsm)(call))
        return GABLE_OK;
    const double order = (double)(call->side == GABLE_LEFT ? call->m : call->n);
    return run(call, PRIVATE(trsm_omp), (double)call->m * (double)call->n * (order + 1) / 2,
               message);
}
