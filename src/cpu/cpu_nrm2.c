/* cpu_nrm2.c: the Euclidean norm on the cpu, in C with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One pass over memory. cpu_squares.h says why nothing overflows or underflows.
 */
#include "cpu/cpu_squares.h"

typedef struct nrm2_job {
    gbl_vector_args call;
    partial parts[GBL_CPU_MAX_PIECES];
} nrm2_job;

static void nrm2_piece(void *job, int piece, int64_t begin, int64_t end)
{
    const gbl_vector_args *call = &((nrm2_job *)job)->call;
    const int64_t incx = call->incx;
    ((nrm2_job *)job)->parts[piece] = sums_of(end - begin, (const T *)call->x + begin * incx, incx);
}

/* The norm of all of it, by all threads. */
static R norm_shared(nrm2_job *job)
{
    const int pieces = gbl_cpu_share(job->call.n, sizeof(T), sizeof(T), nrm2_piece, job);
    partial sum = job->parts[0];
    for (int p = 1; p < pieces; p++) {
        sum.big += job->parts[p].big;
        sum.medium += job->parts[p].medium;
        sum.small += job->parts[p].small;
    }
    return norm(sum);
}

/* ---- short vectors ---- */

/* Elements of a vector for which blocks are too much: next to each other, and with gaps. */
#define FEW       (16 / REALS)
#define FEW_APART (128 / REALS)

/* Whether a plain sum of squares in double has lost nothing. */
static inline bool is_exact(double sum)
{
    return sum >= (UP == 1 ? 0x1p-400 : LOW) && sum <= (UP == 1 ? 0x1p400 : HIGH);
}

/* The plain sum of squares of a few elements, in double. */
static inline double plain_squares(int64_t n, const T *x, int64_t incx)
{
    enum { SUMS = 8 / REALS };
    double sums[SUMS * REALS] = {0};
    int64_t i = 0;
    for (; i + SUMS <= n; i += SUMS) {
#pragma GCC unroll 8
        for (int k = 0; k < SUMS; k++) {
            const R *values = (const R *)(x + (i + k) * incx);
            for (int r = 0; r < REALS; r++)
                sums[k * REALS + r] += (double)values[r] * (double)values[r];
        }
    }
    for (int k = 0; i < n; i++, k++) {
        const R *values = (const R *)(x + i * incx);
        for (int r = 0; r < REALS; r++)
            sums[k * REALS + r] += (double)values[r] * (double)values[r];
    }
    for (int half = SUMS * REALS / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            sums[k] += sums[k + half];
    return sums[0];
}

/* gbl_cpu_snrm2_omp gbl_cpu_dnrm2_omp gbl_cpu_cnrm2_omp gbl_cpu_znrm2_omp */
WIDE_TASK(PRIVATE(nrm2_omp))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *given = args;
    nrm2_job job;
    R value;
    const double squares = given->n <= (given->incx == 1 ? FEW : FEW_APART)
                               ? plain_squares(given->n, given->x, given->incx)
                               : 0;
    if (is_exact(squares)) {
        value = (R)sqrt(squares);
    } else if (given->n > 0 && given->n <= HALF &&
               given->incx > 0) { /* one block, for one thread */
        value = norm(sums_of(given->n, given->x, given->incx));
    } else {
        job.call = *given;
        walk_upward(&job.call);
        value = norm_shared(&job);
    }
    memcpy(given->result, &value, sizeof value);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
/* gbl_cpu_snrm2_blas gbl_cpu_dnrm2_blas gbl_cpu_cnrm2_blas gbl_cpu_znrm2_blas. Libraries differ
 * over negative strides, so the vector is given from its low end. */
GBL_CPU_TASK(PRIVATE(nrm2_blas))
{
    const gbl_vector_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(nrm2_omp)(queue, stream, args, message);
    const int64_t n = call->n, incx = call->incx;
    const T *x = (const T *)call->x + low_end(n, incx);
    const R value = blas->BLAS(nrm2)((int)n, x, (int)(incx < 0 ? -incx : incx));
    memcpy(call->result, &value, sizeof value);
    return GABLE_OK;
}
#endif

/* ---- columns ---- */

/* Columns for a thread below which each is shared out by rows: shares of so few are unequal. */
#define FEW_COLUMNS 8

/* Real numbers of a column that is too short for blocks. */
#define SHORT 64

/* The norm of a short column: its plain sum of squares in double, unless that may have lost
 * something. */
static R short_norm(int64_t n, const T *x)
{
    const R *values = (const R *)x;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < REALS * n; i++)
        sum += (double)values[i] * (double)values[i];
    return is_exact(sum) ? (R)sqrt(sum) : norm(sums_of(n, x, 1));
}

static void mnrm2_columns(void *job, int piece, int64_t begin, int64_t end)
{
    const gbl_vector_args *call = job;
    (void)piece;
    for (int64_t j = begin; j < end; j++) {
        const T *x = (const T *)call->x + j * call->ldx;
        const R value =
            REALS * call->n <= SHORT ? short_norm(call->n, x) : norm(sums_of(call->n, x, 1));
        memcpy((R *)call->result + j, &value, sizeof value);
    }
}

/* gbl_cpu_smnrm2_omp gbl_cpu_dmnrm2_omp gbl_cpu_cmnrm2_omp gbl_cpu_zmnrm2_omp */
WIDE_TASK(PRIVATE(mnrm2_omp))
{
    (void)queue, (void)stream, (void)message;
    nrm2_job job;
    job.call = *(const gbl_vector_args *)args;
    gbl_vector_args *call = &job.call;
    T *const X = call->x;
    call->incx = 1;
    if (call->count >= FEW_COLUMNS * omp_get_max_threads()) {
        gbl_cpu_share(call->count, sizeof(R), call->n * (int64_t)sizeof(T), mnrm2_columns, call);
        return GABLE_OK;
    }
    for (int64_t j = 0; j < call->count; j++) {
        call->x = X + j * call->ldx;
        const R value = norm_shared(&job);
        memcpy((R *)call->result + j, &value, sizeof value);
    }
    return GABLE_OK;
}
