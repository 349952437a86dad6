/* cpu_lacpy.c: copies, fills and multiples of a matrix or of one of its triangles on the cpu, with
 * OpenMP: lacpy, laset and lascl.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <float.h>
#include <math.h>
#include "cpu/cpu_vector.h"

typedef struct part_job {
    const gbl_product_args *call;
    T alpha, beta;
    R factor;
} part_job;

/* The rows of column j that belong to the part. */
static void rows_of(const gbl_product_args *call, int64_t j, int64_t *first, int64_t *end)
{
    const int64_t m = call->m;
    *first = call->uplo == GABLE_LOWER ? (j < m ? j : m) : 0;
    *end = call->uplo == GABLE_UPPER ? (j + 1 < m ? j + 1 : m) : m;
}

static void copy_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const gbl_product_args *call = ((const part_job *)given)->call;
    (void)piece;
    for (int64_t j = begin; j < end; j++) {
        int64_t first, behind;
        rows_of(call, j, &first, &behind);
        memcpy((T *)call->B + first + j * call->ldb, (const T *)call->A + first + j * call->lda,
               (size_t)(behind - first) * sizeof(T));
    }
}

static void set_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const part_job *job = given;
    const gbl_product_args *call = job->call;
    (void)piece;
    for (int64_t j = begin; j < end; j++) {
        T *const column = (T *)call->A + j * call->lda;
        int64_t first, behind;
        rows_of(call, j, &first, &behind);
        for (int64_t i = first; i < behind; i++)
            column[i] = job->alpha;
        if (j < call->m)
            column[j] = job->beta;
    }
}

static void scale_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const part_job *job = given;
    (void)piece;
    for (int64_t j = begin; j < end; j++) {
        R *const column = (R *)((T *)job->call->A + j * job->call->lda);
        int64_t first, behind;
        rows_of(job->call, j, &first, &behind);
        for (int64_t i = REALS * first; i < REALS * behind; i++)
            column[i] *= job->factor;
    }
}

/* Threads share the columns. */
static void share_columns(part_job *job, int streams, gbl_cpu_piece_function columns)
{
    const int64_t bytes = job->call->m * (int64_t)sizeof(T);
    gbl_cpu_share(job->call->n, bytes, streams * bytes, columns, job);
}

/* gbl_cpu_slacpy_omp gbl_cpu_dlacpy_omp gbl_cpu_clacpy_omp gbl_cpu_zlacpy_omp */
GBL_CPU_TASK(PRIVATE(lacpy_omp))
{
    part_job job = {.call = args};
    (void)queue, (void)stream, (void)message;
    share_columns(&job, 2, copy_columns);
    return GABLE_OK;
}

/* gbl_cpu_slaset_omp gbl_cpu_dlaset_omp gbl_cpu_claset_omp gbl_cpu_zlaset_omp */
GBL_CPU_TASK(PRIVATE(laset_omp))
{
    part_job job = {.call = args};
    (void)queue, (void)stream, (void)message;
    job.alpha = read_scalar(&job.call->alpha);
    job.beta = read_scalar(&job.call->beta);
    share_columns(&job, 1, set_columns);
    return GABLE_OK;
}

#if defined(PREC_S) || defined(PREC_C)
#define LEAST FLT_MIN
#else
#define LEAST DBL_MIN
#endif

/* The next factor of to / from, as in kernels/lapack/lascl.cl; *from = 0 says that it is the
 * last. */
static R next_factor(R *from, R *to)
{
    const R f = *from, t = *to, smaller = f * LEAST, larger = t / (1 / LEAST);
    if (smaller != f && larger != t && t != 0 && fabs((double)smaller) > fabs((double)t)) {
        *from = smaller;
        return LEAST;
    }
    if (smaller != f && larger != t && fabs((double)larger) > fabs((double)f)) {
        *to = larger;
        return 1 / LEAST;
    }
    *from = 0;
    return smaller != f && larger == t ? t : t / f;
}

/* gbl_cpu_slascl_omp gbl_cpu_dlascl_omp gbl_cpu_clascl_omp gbl_cpu_zlascl_omp */
GBL_CPU_TASK(PRIVATE(lascl_omp))
{
    part_job job = {.call = args};
    R from = read_real(&job.call->alpha), to = read_real(&job.call->beta);
    (void)queue, (void)stream, (void)message;
    do {
        job.factor = next_factor(&from, &to);
        share_columns(&job, 2, scale_columns);
    } while (from != 0);
    return GABLE_OK;
}
