/* cpu_gemv_batched.c: y := alpha op(A) x + beta y for many matrices on the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices are dealt out to threads in contiguous runs. A small one is a few calls of the inner
 * loops of cpu_columns.h on buffers that stay in the first-level cache; for others gemv's task is
 * called, which runs serially inside a thread. Matrices so large that all threads can share one are
 * done one after another.
 */

/* Rows and columns of a small matrix at most: its sums and x take 4 KiB in z. */
#define ROWS 128

#include "cpu/cpu_columns.h"
#include "cpu/cpu_small_batched.h"

#define LARGE_BYTES (1 << 20) /* of a matrix that threads share: 16 times what is worth a thread */

typedef struct batch_job {
    const gbl_matrix_args *call;
    bool transposed, conj;
    int64_t outputs, terms; /* the length of y, and of x */
    T alpha, beta;
    gable_status status[GBL_CPU_MAX_PIECES];
} batch_job;

/* The operands of one product, where the caller of BLAS would point. */
typedef struct product {
    T *A, *x, *y;
} product;

static product product_of(const gbl_matrix_args *call, int64_t b)
{
    if (call->pointers)
        return (product){((T **)call->A)[b], ((T **)call->x)[b], ((T **)call->y)[b]};
    return (product){(T *)call->A + b * call->stride_a, (T *)call->x + b * call->stride_x,
                     (T *)call->y + b * call->stride_y};
}

/* ---- a small product ---- */

static void sum_rows(const gbl_matrix_args *call, const T *A, const T *x, T *sum)
{
    const size_t bytes = (size_t)call->m * sizeof(T);
#if COMPLEX
    R u[2 * ROWS], v[2 * ROWS];
    const target into = {u, v};
    memset(u, 0, bytes);
    memset(v, 0, bytes);
#else
    const target into = {sum, NULL};
    memset(sum, 0, bytes);
#endif
    for (int64_t j = 0; j < call->n; j += TOGETHER) {
        const int columns = call->n - j < TOGETHER ? (int)(call->n - j) : TOGETHER;
        T a[TOGETHER];
        for (int c = 0; c < TOGETHER; c++)
            a[c] = x[(c < columns ? j + c : j) * call->incx];
        add_columns(columns, call->m, a, A + j * call->lda, call->lda, &into);
    }
#if COMPLEX
    for (int64_t i = 0; i < call->m; i++) {
        sum[i].re = u[2 * i] - v[2 * i + 1];
        sum[i].im = u[2 * i + 1] + v[2 * i];
    }
#endif
}

static void sum_columns(const batch_job *job, const T *A, const T *x, T *sum)
{
    const gbl_matrix_args *call = job->call;
    block b;
    partial wide[ROWS];
    memset(wide, 0, (size_t)call->n * sizeof wide[0]);
    take_block(call->m, x, call->incx, job->conj, &b);
    add_products(call->n, call->m, A, call->lda, &b, wide);
    for (int64_t c = 0; c < call->n; c++) {
#if COMPLEX
        sum[c].re = (R)wide[c].re;
        sum[c].im = (R)wide[c].im;
#else
        sum[c] = (R)wide[c].re;
#endif
    }
}

static void small_product(const batch_job *job, product p)
{
    const gbl_matrix_args *call = job->call;
    const int64_t incy = call->incy;
    const T *x = p.x - low_end(job->terms, call->incx);
    T *y = p.y - low_end(job->outputs, incy);
    T sum[ROWS];
    if (is_zero(job->alpha))
        memset(sum, 0, (size_t)job->outputs * sizeof(T));
    else if (job->transposed)
        sum_columns(job, p.A, x, sum);
    else
        sum_rows(call, p.A, x, sum);
    if (is_zero(job->beta)) {
        for (int64_t i = 0; i < job->outputs; i++)
            put_multiple(job->alpha, sum + i, y + i * incy);
    } else {
        for (int64_t i = 0; i < job->outputs; i++)
            put_combination(job->alpha, sum + i, job->beta, y + i * incy, y + i * incy);
    }
}

/* ---- pieces ---- */

static void small_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    for (int64_t b = begin; b < end; b++)
        small_product(given, product_of(((const batch_job *)given)->call, b));
}

/* One product through gemv's task. */
static gable_status one_product(const gbl_matrix_args *call, int64_t b, gbl_message *message)
{
    const product p = product_of(call, b);
    gbl_matrix_args one = *call;
    one.A = p.A;
    one.x = p.x;
    one.y = p.y;
    return PRIVATE(gemv_omp)(NULL, NULL, &one, message);
}

static void gemv_piece(void *given, int piece, int64_t begin, int64_t end)
{
    batch_job *job = given;
    gbl_message own = {NULL, ""}; /* threads do not share one */
    job->status[piece] = GABLE_OK;
    for (int64_t b = begin; b < end && job->status[piece] == GABLE_OK; b++)
        job->status[piece] = one_product(job->call, b, &own);
}

/* gbl_cpu_sgemv_batched_omp gbl_cpu_dgemv_batched_omp gbl_cpu_cgemv_batched_omp
 * gbl_cpu_zgemv_batched_omp */
GBL_CPU_TASK(PRIVATE(gemv_batched_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const bool transposed = call->trans != GABLE_NO_TRANS;
    if (call->m <= 0 || call->n <= 0 || call->batch <= 0 || PRIVATE(small_gemv)(call))
        return GABLE_OK;
    batch_job job = {.call = call,
                     .transposed = transposed,
                     .conj = call->trans == GABLE_CONJ_TRANS,
                     .outputs = transposed ? call->n : call->m,
                     .terms = transposed ? call->m : call->n,
                     .alpha = read_scalar(&call->alpha),
                     .beta = read_scalar(&call->beta)};
    const bool small = call->m <= ROWS && call->n <= ROWS;
    const int64_t columns = call->n < LARGE_BYTES ? call->n : LARGE_BYTES,
                  rows = call->m < LARGE_BYTES ? call->m : LARGE_BYTES;
    const int64_t bytes = rows * columns * (int64_t)sizeof(T);
    if (bytes >= LARGE_BYTES) {
        for (int64_t b = 0; b < call->batch; b++) {
            const gable_status status = one_product(call, b, message);
            if (status != GABLE_OK)
                return status;
        }
        return GABLE_OK;
    }
    const int pieces =
        gbl_cpu_share(call->batch, GBL_CPU_LINE, bytes, small ? small_piece : gemv_piece, &job);
    for (int p = 0; !small && p < pieces; p++)
        if (job.status[p] != GABLE_OK)
            return gbl_fail(message, job.status[p], "no host memory for the sums of a matrix");
    return GABLE_OK;
}
