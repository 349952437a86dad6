/* cpu_triangular_product.c: B := alpha op(A) B, alpha B op(A) (trmm) and their inverses (trsm) on the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of B, its columns where A is on the left and its rows otherwise, have nothing to do with each other.
 */
#include "cpu/cpu_product.h"

typedef struct triangular_job {
    factor_view A; /* the factor of a line: op(A) on the left, its transpose on the right */
    bool lower;    /* that factor is */
    bool unit;
    int64_t order, lines; /* of A; columns or rows of B */
    T *B;
    int64_t next, line; /* elements from one of a line to the next, and from line to line */
    T alpha;
} triangular_job;

static triangular_job triangular_job_of(const gbl_product_args *call)
{
    const bool left = call->side == GABLE_LEFT;
    triangular_job job = {.A = view_of(call->A, call->lda, call->trans),
                          .unit = call->diag == GABLE_UNIT,
                          .order = left ? call->m : call->n,
                          .lines = left ? call->n : call->m,
                          .B = call->B,
                          .next = left ? 1 : call->ldb,
                          .line = left ? call->ldb : 1,
                          .alpha = read_scalar(&call->alpha)};
    if (!left)
        job.A.transposed = !job.A.transposed;
    job.lower = (call->uplo == GABLE_LOWER) != job.A.transposed;
    return job;
}

static void clear_lines(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const triangular_job *job = given;
    for (int64_t l = begin; l < end; l++)
        for (int64_t i = 0; i < job->order; i++)
            job->B[l * job->line + i * job->next] = number(0);
}

/* Elements that still have their old values give the new ones: from the end of a lower triangle upwards. */
static void multiply_lines(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const triangular_job *job = given;
    for (int64_t l = begin; l < end; l++) {
        T *const b = job->B + l * job->line;
        for (int64_t step = 0; step < job->order; step++) {
            const int64_t i = job->lower ? job->order - 1 - step : step;
            T sum = number(0);
            for (int64_t p = job->lower ? 0 : i; p < (job->lower ? i + 1 : job->order); p++)
                add_multiple(job->unit && p == i ? number(1) : element_of(&job->A, i, p),
                             b + p * job->next, &sum);
            put_multiple(job->alpha, &sum, b + i * job->next);
        }
    }
}

static void solve_lines(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const triangular_job *job = given;
    for (int64_t l = begin; l < end; l++) {
        T *const b = job->B + l * job->line;
        for (int64_t step = 0; step < job->order; step++) {
            const int64_t i = job->lower ? step : job->order - 1 - step;
            T sum;
            put_multiple(job->alpha, b + i * job->next, &sum);
            for (int64_t p = job->lower ? 0 : i + 1; p < (job->lower ? i : job->order); p++)
                add_multiple(negative(element_of(&job->A, i, p)), b + p * job->next, &sum);
            b[i * job->next] = job->unit ? sum : quotient(sum, element_of(&job->A, i, i));
        }
    }
}

static gable_status run(const gbl_product_args *call, gbl_cpu_piece_function lines)
{
    triangular_job job = triangular_job_of(call);
    if (job.order <= 0 || job.lines <= 0)
        return GABLE_OK;
    const double bytes = (double)job.order * (double)job.order * sizeof(T);
    gbl_cpu_share(job.lines, job.line == 1 ? (int64_t)sizeof(T) : GBL_CPU_LINE,
                  bytes < 1e9 ? (int64_t)bytes : 1000000000,
                  is_zero(job.alpha) ? clear_lines : lines, &job);
    return GABLE_OK;
}

/* gbl_cpu_strmm_omp gbl_cpu_dtrmm_omp gbl_cpu_ctrmm_omp gbl_cpu_ztrmm_omp */
GBL_CPU_TASK(PRIVATE(trmm_omp))
{
    (void)queue, (void)stream, (void)message;
    return run(args, multiply_lines);
}

/* gbl_cpu_strsm_omp gbl_cpu_dtrsm_omp gbl_cpu_ctrsm_omp gbl_cpu_ztrsm_omp */
GBL_CPU_TASK(PRIVATE(trsm_omp))
{
    (void)queue, (void)stream, (void)message;
    return run(args, solve_lines);
}
