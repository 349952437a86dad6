/* cpu_scal.c: x := alpha x, and x := alpha everywhere, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * scal always multiplies, so that NaN and infinities in x show up in the result whatever alpha is.
 * A real alpha multiplies real and imaginary parts each: a complex vector of n elements is then a
 * real one of 2n.
 */
#include "cpu/cpu_vector.h"

typedef struct scal_job {
    gbl_vector_args call;
    T alpha;
    R real_alpha;
} scal_job;

/* ---- scal ---- */

static void scale_reals(int64_t n, R alpha, R *x)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        x[i] *= alpha;
}

#if COMPLEX
static void scale(int64_t n, T alpha, T *x)
{
    int64_t i = 0;
#if GROUPED
    const factor a = factor_of(alpha);
    for (; i + GROUP <= n; i += GROUP) {
        R term[2 * GROUP];
        group_times(&a, x + i, term);
        memcpy(x + i, term, sizeof term);
    }
#endif
#pragma omp simd
    for (int64_t j = i; j < n; j++)
        put_multiple(alpha, x + j, x + j);
}

static inline T times_real(R alpha, T x)
{
    const T product = {alpha * x.re, alpha * x.im};
    return product;
}
#else
static void scale(int64_t n, T alpha, T *x)
{
    scale_reals(n, alpha, x);
}

static inline T times_real(R alpha, T x)
{
    return alpha * x;
}
#endif

static void scal_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const scal_job *given = job;
    const gbl_vector_args *call = &given->call;
    const int64_t n = end - begin, incx = call->incx;
    T *x = (T *)call->x + begin * incx;
    if (call->real_scalars) {
        if (incx == 1)
            scale_reals(n * REALS, given->real_alpha, (R *)x);
        else
            for (int64_t i = 0; i < n; i++)
                x[i * incx] = times_real(given->real_alpha, x[i * incx]);
    } else if (incx == 1) {
        scale(n, given->alpha, x);
    } else {
        for (int64_t i = 0; i < n; i++)
            put_multiple(given->alpha, x + i * incx, x + i * incx);
    }
}

/* Copies the call and reads its alpha, which is of the real type where the call says so. */
static void read_job(const void *args, scal_job *job)
{
    memset(job, 0, sizeof *job);
    job->call = *(const gbl_vector_args *)args;
    if (job->call.real_scalars)
        job->real_alpha = read_real(&job->call.alpha);
    else
        job->alpha = read_scalar(&job->call.alpha);
    walk_upward(&job->call);
}

/* gbl_cpu_sscal_omp gbl_cpu_dscal_omp gbl_cpu_cscal_omp gbl_cpu_zscal_omp */
WIDE_TASK(PRIVATE(scal_omp))
{
    (void)queue, (void)stream, (void)message;
    scal_job job;
    read_job(args, &job);
    if (job.call.n > 0)
        gbl_cpu_share(job.call.n, sizeof(T), 2 * sizeof(T), scal_piece, &job);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
/* Whether a BLAS can be trusted to multiply. Where alpha, or a part of it, is 0, some write zeros
 * or leave out products, and a NaN or an infinity in x is lost. */
static bool blas_multiplies(const scal_job *job)
{
    if (job->call.real_scalars)
        return job->real_alpha != 0;
#if COMPLEX
    return job->alpha.re != 0 && job->alpha.im != 0;
#else
    return job->alpha != 0;
#endif
}

/* gbl_cpu_sscal_blas gbl_cpu_dscal_blas gbl_cpu_cscal_blas gbl_cpu_zscal_blas. Libraries do nothing
 * for negative strides, so the vector is given from its low end. */
GBL_CPU_TASK(PRIVATE(scal_blas))
{
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    scal_job job;
    read_job(args, &job);
    if (omp_in_parallel() || !blas_multiplies(&job))
        return PRIVATE(scal_omp)(queue, stream, args, message);
    const int n = (int)job.call.n, incx = (int)job.call.incx;
#if COMPLEX
    if (job.call.real_scalars)
        blas->BLAS(scal_real)(n, job.real_alpha, job.call.x, incx);
    else
        blas->BLAS(scal)(n, &job.alpha, job.call.x, incx);
#else
    const T alpha = job.call.real_scalars ? job.real_alpha : job.alpha;
    blas->BLAS(scal)(n, alpha, job.call.x, incx);
#endif
    return GABLE_OK;
}
#endif

/* ---- fill ---- */

static void fill_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_vector_args *call = &((const scal_job *)job)->call;
    const T alpha = ((const scal_job *)job)->alpha;
    const int64_t n = end - begin, incx = call->incx;
    T *x = (T *)call->x + begin * incx;
    if (incx == 1) {
        /* Whole lines, one after the other: such stores need not fetch them first. */
        T line[GBL_CPU_LINE / sizeof(T)];
        const int64_t whole = (int64_t)(sizeof line / sizeof *line);
        for (int64_t k = 0; k < whole; k++)
            line[k] = alpha;
        int64_t i = 0;
        for (; i < n && (uintptr_t)(x + i) % GBL_CPU_LINE != 0; i++)
            x[i] = alpha;
        for (; i + whole <= n; i += whole)
            memcpy(x + i, line, sizeof line);
        for (; i < n; i++)
            x[i] = alpha;
        return;
    }
    for (int64_t i = 0; i < n; i++)
        x[i * incx] = alpha;
}

/* gbl_cpu_sfill_omp gbl_cpu_dfill_omp gbl_cpu_cfill_omp gbl_cpu_zfill_omp */
WIDE_TASK(PRIVATE(fill_omp))
{
    (void)queue, (void)stream, (void)message;
    scal_job job;
    read_job(args, &job);
    if (job.call.n > 0)
        gbl_cpu_share(job.call.n, sizeof(T), sizeof(T), fill_piece, &job);
    return GABLE_OK;
}
