/* cpu_gemv.c: y := alpha op(A) x + beta y on the cpu, with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums first: a block of op(A) x is added up in a buffer, with the loops of cpu_columns.h, then
 * scaled and put into y. So y is read once at most, and its stride does not matter.
 *
 * A thread owns a range of y: rows of A, or columns of it where A is transposed. Where y is too short
 * for that and the sums are long, a thread owns a range of every sum instead, and the parts are added
 * in order of threads.
 */
#include <stdlib.h>

/* The most rows a block of x. */
#define ROWS ((int64_t)(32768 / sizeof(T)))

#include "cpu/cpu_columns.h"

/* The most elements of y that are made at a time. */
#define SUMS ((int64_t)(16384 / sizeof(T)))

/* Rows a block where a matrix has few columns, which the next block finds again; see cpu_mdot.c. With
 * many of them, only long blocks let the hardware's prefetch run (n = 4096, two cores of Neoverse V1,
 * 2026-11: dgemv n 45 GB/s with 16 KiB, 12 to 15 with 2 KiB; cgemv t 38 with 32 KiB, 31 with 16; but
 * dgemv t of 8 columns 57 with 2 KiB, 47 with 16). */
#define FEW_COLUMNS_ROWS ((int64_t)(2048 / sizeof(T)))

/* Columns that are multiplied while a block of x is in the cache. */
#define PASS 512
_Static_assert(PASS <= SUMS, "a pass fits the buffer of sums");

/* Sums are cut up where there are fewer than so many for a thread: below that, threads that own them
 * have unequal shares, or read slivers of columns. */
#define FEW_ROWS    ((int64_t)(256 / sizeof(T)))
#define FEW_COLUMNS 16
#define LONG        16 /* and where a sum has so many times more terms than there are sums */

typedef struct gemv_job {
    bool transposed, conj;
    int64_t outputs, terms; /* the length of y, and of x */
    int64_t rows, pass;     /* of x a block; elements of y that are made at a time */
    T alpha, beta;
    const T *A, *x;
    T *y;
    int64_t lda, incx, incy;
    T *parts; /* of sums that are cut up: `outputs` a piece */
} gemv_job;

/* ---- sums ---- */

/* Some of the elements of A x: sum_i := terms [begin, end) of element first + i. */
static void sum_rows(const gemv_job *job, int64_t first, int64_t count, int64_t begin, int64_t end,
                     T *sum)
{
    const T *A = job->A + first;
#if COMPLEX
    R u[2 * SUMS], v[2 * SUMS];
    const target into = {u, v};
    memset(u, 0, (size_t)count * sizeof(T));
    memset(v, 0, (size_t)count * sizeof(T));
#else
    const target into = {sum, NULL};
    memset(sum, 0, (size_t)count * sizeof(T));
#endif
    for (int64_t j = begin; j < end; j += TOGETHER) {
        const int columns = end - j < TOGETHER ? (int)(end - j) : TOGETHER;
        T x[TOGETHER];
        for (int c = 0; c < TOGETHER; c++)
            x[c] = job->x[(c < columns ? j + c : j) * job->incx];
        add_columns(columns, count, x, A + j * job->lda, job->lda, &into);
    }
#if COMPLEX
    for (int64_t i = 0; i < count; i++) {
        sum[i].re = u[2 * i] - v[2 * i + 1];
        sum[i].im = u[2 * i + 1] + v[2 * i];
    }
#endif
}

/* The same for the transpose, conjugated or not. */
static void sum_columns(const gemv_job *job, int64_t first, int64_t count, int64_t begin,
                        int64_t end, T *sum)
{
    block b;
    partial wide[PASS];
    memset(wide, 0, (size_t)count * sizeof wide[0]);
    for (int64_t i = begin; i < end; i += job->rows) {
        const int64_t rows = end - i < job->rows ? end - i : job->rows;
        take_block(rows, job->x + i * job->incx, job->incx, job->conj, &b);
        add_products(count, rows, job->A + i + first * job->lda, job->lda, &b, wide);
    }
    for (int64_t c = 0; c < count; c++) {
#if COMPLEX
        sum[c].re = (R)wide[c].re;
        sum[c].im = (R)wide[c].im;
#else
        sum[c] = (R)wide[c].re;
#endif
    }
}

static void take_sums(const gemv_job *job, int64_t first, int64_t count, int64_t begin, int64_t end,
                      T *sum)
{
    if (job->transposed)
        sum_columns(job, first, count, begin, end, sum);
    else
        sum_rows(job, first, count, begin, end, sum);
}

/* y := alpha sum + beta y, for `count` elements. */
static void put_sums(const gemv_job *job, int64_t first, int64_t count, const T *sum)
{
    const int64_t incy = job->incy;
    T *y = job->y + first * incy;
    if (is_zero(job->beta)) {
        for (int64_t i = 0; i < count; i++)
            put_multiple(job->alpha, sum + i, y + i * incy);
    } else {
        for (int64_t i = 0; i < count; i++)
            put_combination(job->alpha, sum + i, job->beta, y + i * incy, y + i * incy);
    }
}

/* ---- pieces ---- */

/* Elements [begin, end) of y. */
static void own_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gemv_job *job = given;
    T sum[SUMS];
    for (int64_t i = begin; i < end; i += job->pass) {
        const int64_t count = end - i < job->pass ? end - i : job->pass;
        take_sums(job, i, count, 0, job->terms, sum);
        put_sums(job, i, count, sum);
    }
}

/* Terms [begin, end) of every sum. */
static void cut_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const gemv_job *job = given;
    T *part = job->parts + piece * job->outputs;
    T sum[SUMS]; /* the parts of two threads may share a cache line */
    for (int64_t i = 0; i < job->outputs; i += job->pass) {
        const int64_t count = job->outputs - i < job->pass ? job->outputs - i : job->pass;
        take_sums(job, i, count, begin, end, sum);
        memcpy(part + i, sum, (size_t)count * sizeof(T));
    }
}

/* y := beta y */
static void scale_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gemv_job *job = given;
    const int64_t incy = job->incy;
    const T zero = {0};
    for (int64_t i = begin; i < end; i++) {
        if (is_zero(job->beta))
            job->y[i * incy] = zero;
        else
            put_multiple(job->beta, job->y + i * incy, job->y + i * incy);
    }
}

static void scale(gemv_job *job)
{
    gbl_cpu_share(job->outputs, sizeof(T), 2 * sizeof(T), scale_piece, job);
}

static void own(gemv_job *job)
{
    /* Rows are shared out by cache lines of a column, columns one by one. */
    const int64_t apart = job->transposed ? GBL_CPU_LINE : (int64_t)sizeof(T);
    gbl_cpu_share(job->outputs, apart, (job->terms + 2) * (int64_t)sizeof(T), own_piece, job);
}

static int most_pieces(void)
{
    const int threads = omp_get_max_threads();
    return threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
}

static bool want_cut(const gemv_job *job)
{
    const int64_t few = job->transposed ? FEW_COLUMNS : FEW_ROWS;
    return most_pieces() > 1 && job->outputs < few * most_pieces() &&
           job->terms / LONG >= job->outputs;
}

static gable_status cut(gemv_job *job, gbl_message *message)
{
    const size_t bytes = (size_t)most_pieces() * (size_t)job->outputs * sizeof(T);
    const int64_t apart = job->transposed ? (int64_t)sizeof(T) : GBL_CPU_LINE;
    job->parts = malloc(bytes);
    if (job->parts == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for sums of %zu bytes",
                        bytes);
    const int pieces =
        gbl_cpu_share(job->terms, apart, (job->outputs + 1) * (int64_t)sizeof(T), cut_piece, job);
    R *sum = (R *)job->parts;
    for (int p = 1; p < pieces; p++) {
        const R *part = (const R *)(job->parts + p * job->outputs);
        for (int64_t i = 0; i < REALS * job->outputs; i++)
            sum[i] += part[i];
    }
    put_sums(job, 0, job->outputs, job->parts);
    free(job->parts);
    return GABLE_OK;
}

/* ---- tasks ---- */

static gemv_job job_of(const gbl_matrix_args *call)
{
    const bool transposed = call->trans != GABLE_NO_TRANS;
    const bool few = call->n <= FEW_COLUMNS;
    gemv_job job = {.transposed = transposed,
                    .conj = call->trans == GABLE_CONJ_TRANS,
                    .outputs = transposed ? call->n : call->m,
                    .terms = transposed ? call->m : call->n,
                    .rows = few ? FEW_COLUMNS_ROWS : ROWS,
                    .pass = transposed ? PASS
                            : few      ? FEW_COLUMNS_ROWS
                                       : SUMS,
                    .alpha = read_scalar(&call->alpha),
                    .beta = read_scalar(&call->beta),
                    .A = call->A,
                    .lda = call->lda,
                    .incx = call->incx,
                    .incy = call->incy};
    /* From the low ends, where the caller of BLAS points, to element 0. */
    job.x = (const T *)call->x - low_end(job.terms, job.incx);
    job.y = (T *)call->y - low_end(job.outputs, job.incy);
    return job;
}

/* gbl_cpu_sgemv_omp gbl_cpu_dgemv_omp gbl_cpu_cgemv_omp gbl_cpu_zgemv_omp */
GBL_CPU_TASK(PRIVATE(gemv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    if (call->m <= 0 || call->n <= 0)
        return GABLE_OK;
    gemv_job job = job_of(call);
    if (is_zero(job.alpha))
        scale(&job);
    else if (want_cut(&job))
        return cut(&job, message);
    else
        own(&job);
    return GABLE_OK;
}

/* gbl_cpu_sgemv_blas gbl_cpu_dgemv_blas gbl_cpu_cgemv_blas gbl_cpu_zgemv_blas
 * Libraries differ in what alpha = 0 and beta = 0 do to a NaN, so they are not given these. */
GBL_CPU_TASK(PRIVATE(gemv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel() || call->m <= 0 || call->n <= 0)
        return PRIVATE(gemv_omp)(queue, stream, args, message);
    gemv_job job = job_of(call);
    const T alpha = job.alpha;
    T beta = job.beta;
    if (is_zero(alpha) || is_zero(beta)) {
        const gbl_scalar one = {.re = 1};
        scale(&job);
        beta = read_scalar(&one);
    }
    if (is_zero(alpha))
        return GABLE_OK;
    const int trans = !COMPLEX && job.transposed ? GABLE_TRANS : (int)call->trans;
    const int m = (int)call->m, n = (int)call->n, lda = (int)call->lda;
    const int incx = (int)call->incx, incy = (int)call->incy;
#if COMPLEX
    blas->BLAS(gemv)(GBL_CPU_BLAS_COLUMNS, trans, m, n, &alpha, call->A, lda, call->x, incx, &beta,
                     call->y, incy);
#else
    blas->BLAS(gemv)(GBL_CPU_BLAS_COLUMNS, trans, m, n, alpha, call->A, lda, call->x, incx, beta,
                     call->y, incy);
#endif
    return GABLE_OK;
}
