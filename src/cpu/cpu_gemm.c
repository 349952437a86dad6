/* cpu_gemm.c: C := alpha op(A) op(B) + beta C on the cpu, of all of C or of a triangle, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_product.h"

static void product_columns(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const product_job *job = given;
    const bool reads = !is_zero(job->alpha);
    for (int64_t j = begin; j < end; j++) {
        const int64_t first = job->part == GBL_LOWER_ONLY ? j : 0,
                      last = job->part == GBL_UPPER_ONLY ? j + 1 : job->m;
        for (int64_t i = first; i < last; i++) {
            T *const c = job->C + i + j * job->ldc;
            T sum = number(0);
            for (int64_t p = 0; reads && p < job->k; p++) {
                const T b = element_of(&job->b, p, j);
                add_multiple(element_of(&job->a, i, p), &b, &sum);
            }
#if COMPLEX
            const bool on_diagonal = job->real_diagonal && i == j;
            if (on_diagonal && !is_zero(job->beta))
                c->im = 0;
#endif
            if (is_zero(job->beta))
                put_multiple(job->alpha, &sum, c);
            else
                put_combination(job->alpha, &sum, job->beta, c, c);
#if COMPLEX
            if (on_diagonal)
                c->im = 0;
#endif
        }
    }
}

gable_status PRIVATE(product)(const product_job *given, gbl_message *message)
{
    product_job job = *given;
    (void)message;
    if (job.m <= 0 || job.n <= 0)
        return GABLE_OK;
    if (job.k <= 0)
        job.alpha = number(0);
    if (is_zero(job.alpha) && is_one(job.beta) && !job.real_diagonal)
        return GABLE_OK;
    const double bytes = (double)job.m * (double)(job.k + 1) * sizeof(T);
    gbl_cpu_share(job.n, GBL_CPU_LINE, bytes < 1e9 ? (int64_t)bytes : 1000000000, product_columns,
                  &job);
    return GABLE_OK;
}

/* gbl_cpu_sgemm_omp gbl_cpu_dgemm_omp gbl_cpu_cgemm_omp gbl_cpu_zgemm_omp */
GBL_CPU_TASK(PRIVATE(gemm_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    const product_job job = {.a = view_of(call->A, call->lda, call->trans),
                             .b = view_of(call->B, call->ldb, call->trans_b),
                             .m = call->m,
                             .n = call->n,
                             .k = call->k,
                             .C = call->C,
                             .ldc = call->ldc,
                             .alpha = read_scalar(&call->alpha),
                             .beta = read_scalar(&call->beta)};
    return PRIVATE(product)(&job, message);
}

/* gbl_cpu_sgemmt_omp gbl_cpu_dgemmt_omp gbl_cpu_cgemmt_omp gbl_cpu_zgemmt_omp */
GBL_CPU_TASK(PRIVATE(gemmt_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    const product_job job = {.a = view_of(call->A, call->lda, call->trans),
                             .b = view_of(call->B, call->ldb, call->trans_b),
                             .m = call->n,
                             .n = call->n,
                             .k = call->k,
                             .C = call->C,
                             .ldc = call->ldc,
                             .alpha = read_scalar(&call->alpha),
                             .beta = read_scalar(&call->beta),
                             .part = call->uplo == GABLE_UPPER ? GBL_UPPER_ONLY : GBL_LOWER_ONLY};
    return PRIVATE(product)(&job, message);
}
