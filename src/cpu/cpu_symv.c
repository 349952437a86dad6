/* cpu_symv.c: y := alpha A x + beta y, A symmetric or Hermitian, on the cpu: OpenMP, and the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Column j of the stored triangle is read once: its multiple by x_j is added to a vector of sums, and its
 * product with x is element j of them. A thread has columns of its own, j and n - 1 - j for every j of a
 * range, so that all threads read as much, and sums of its own; they are then added in order of threads.
 *
 * A few columns are read side by side, as in cpu_columns.h. Complex columns are read as real numbers, re
 * and im in turn: x is laid out in two arrays for the products, and sums are kept of the real (u) and
 * of the imaginary parts (v) of x_j times the columns.
 */
#include <math.h>
#include <stdlib.h>
#include "cpu/cpu_vector.h"

/* Columns side by side. */
#define SIDE (COMPLEX ? 2 : 4)

typedef struct symv_job {
    bool upper, conj;
    int64_t n, lda, incx, incy;
    T alpha, beta;
    const T *A, *x;
    T *y;
    R *memory;        /* of what follows: */
    const R *re, *im; /* n elements: x, and for complex ones what makes real and imaginary parts */
    R *sums;          /* u and for complex numbers v, n elements each, a piece */
    int pieces;
} symv_job;

#define SUMS_OF_PIECE(job) (REALS * REALS * (job)->n) /* real numbers */

/* ---- columns ---- */

/* Products of columns with x under way; im stays 0 for real numbers. */
typedef struct product {
    double re, im;
} product;

#if COMPLEX
/* Pair by pair, as cpu_dot.c does: a_i x_i may be finite where the sums of its terms are not. */
static product careful_product(int64_t from, int64_t to, const R *a, const symv_job *job)
{
    product sum = {0, 0};
    for (int64_t i = 2 * from; i < 2 * to; i += 2) {
        sum.re += a[i] * job->re[i] + a[i + 1] * job->re[i + 1];
        sum.im += a[i] * job->im[i] + a[i + 1] * job->im[i + 1];
    }
    return sum;
}

/* Rows [from, to) of `columns` columns, a constant in each call: multiples by f into u and v, products with
 * x into sum. */
INLINED void take_side(int columns, const symv_job *job, int64_t from, int64_t to, const T *A,
                       const T *f, R *restrict u, R *restrict v, product *sum)
{
    const R *restrict to_re = job->re, *restrict to_im = job->im;
    pack re[SIDE] = {{0}}, im[SIDE] = {{0}};
    double rest_re[SIDE] = {0}, rest_im[SIDE] = {0};
    int64_t i = 2 * from;
    for (; i + PACK <= 2 * to; i += PACK) {
        pack us = pack_at(u + i), vs = pack_at(v + i);
        for (int c = 0; c < columns; c++) {
            const pack a = pack_at((const R *)(A + c * job->lda) + i);
            us += a * f[c].re;
            vs += a * f[c].im;
            re[c] += a * pack_at(to_re + i);
            im[c] += a * pack_at(to_im + i);
        }
        *(pack *)(u + i) = us;
        *(pack *)(v + i) = vs;
    }
    for (; i < 2 * to; i++) {
        for (int c = 0; c < columns; c++) {
            const R a = ((const R *)(A + c * job->lda))[i];
            u[i] += a * f[c].re;
            v[i] += a * f[c].im;
            rest_re[c] += a * to_re[i];
            rest_im[c] += a * to_im[i];
        }
    }
    for (int c = 0; c < columns; c++) {
        product total = {rest_re[c], rest_im[c]};
        for (int k = 0; k < PACK; k++) {
            total.re += re[c][k];
            total.im += im[c][k];
        }
        if (!isfinite(total.re) || !isfinite(total.im))
            total = careful_product(from, to, (const R *)(A + c * job->lda), job);
        sum[c].re += total.re;
        sum[c].im += total.im;
    }
}

/* Element (i, j), stored or on the diagonal, of which a Hermitian matrix has the real part. */
static void take_element(const symv_job *job, int64_t i, int64_t j, R *u, R *v, product *sum)
{
    T a = job->A[i + j * job->lda];
    if (i == j && job->conj)
        a.im = 0;
    const T f = job->x[j * job->incx];
    u[2 * i] += a.re * f.re;
    u[2 * i + 1] += a.im * f.re;
    v[2 * i] += a.re * f.im;
    v[2 * i + 1] += a.im * f.im;
    if (i != j) {
        sum->re += a.re * job->re[2 * i] + a.im * job->re[2 * i + 1];
        sum->im += a.re * job->im[2 * i] + a.im * job->im[2 * i + 1];
    }
}
#else
INLINED void take_side(int columns, const symv_job *job, int64_t from, int64_t to, const T *A,
                       const T *f, R *restrict u, R *restrict v, product *sum)
{
    enum { DEEP = 2 };
    const R *restrict x = job->re;
    pack lane[SIDE][DEEP] = {{{0}}};
    double rest[SIDE] = {0};
    int64_t i = from;
    (void)v;
    for (; i + DEEP * PACK <= to; i += DEEP * PACK) {
        for (int d = 0; d < DEEP; d++) {
            const int64_t at = i + d * PACK;
            pack us = pack_at(u + at);
            for (int c = 0; c < columns; c++) {
                const pack a = pack_at(A + c * job->lda + at);
                us += a * f[c];
                lane[c][d] += a * pack_at(x + at);
            }
            *(pack *)(u + at) = us;
        }
    }
    for (; i < to; i++) {
        for (int c = 0; c < columns; c++) {
            u[i] += A[c * job->lda + i] * f[c];
            rest[c] += A[c * job->lda + i] * x[i];
        }
    }
    for (int c = 0; c < columns; c++) {
        double total = rest[c];
        for (int d = 0; d < DEEP; d++)
            for (int k = 0; k < PACK; k++)
                total += lane[c][d][k];
        sum[c].re += total;
    }
}

static void take_element(const symv_job *job, int64_t i, int64_t j, R *u, R *v, product *sum)
{
    const R a = job->A[i + j * job->lda];
    (void)v;
    u[i] += a * job->x[j * job->incx];
    if (i != j)
        sum->re += a * job->re[i];
}
#endif

/* Columns [begin, end): SIDE at a time, in which the rows that all of them store come first. */
static void take_columns(const symv_job *job, int64_t begin, int64_t end, R *u, R *v)
{
    int count;
    for (int64_t j = begin; j < end; j += count) {
        count = end - j < SIDE ? 1 : SIDE;
        const int64_t from = job->upper ? 0 : j + count, to = job->upper ? j : job->n;
        const T *A = job->A + j * job->lda;
        product sum[SIDE] = {{0, 0}};
        T f[SIDE];
        for (int c = 0; c < count; c++)
            f[c] = job->x[(j + c) * job->incx];
        if (count == SIDE)
            take_side(SIDE, job, from, to, A, f, u, v, sum);
        else
            take_side(1, job, from, to, A, f, u, v, sum);
        for (int c = 0; c < count; c++) {
            const int64_t first = job->upper ? j : j + c, last = job->upper ? j + c : j + count - 1;
            for (int64_t i = first; i <= last; i++)
                take_element(job, i, j + c, u, v, &sum[c]);
        }
        for (int c = 0; c < count; c++) {
            u[REALS * (j + c)] += (R)sum[c].re;
            if (COMPLEX)
                u[REALS * (j + c) + REALS - 1] += (R)sum[c].im;
        }
    }
}

/* ---- pieces ---- */

/* Columns [begin, end) and their counterparts from the other end. */
static void sum_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const symv_job *job = given;
    const int64_t n = job->n, half = (n + 1) / 2;
    R *u = job->sums + piece * SUMS_OF_PIECE(job), *v = u + REALS * n;
    memset(u, 0, (size_t)SUMS_OF_PIECE(job) * sizeof(R));
    take_columns(job, begin, end, u, v);
    take_columns(job, n - end > half ? n - end : half, n - begin, u, v);
}

/* Elements [begin, end) of y, from the sums of all pieces. */
static void put_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const symv_job *job = given;
    const bool plain = is_zero(job->beta);
    for (int64_t from = begin; from < end; from += BLOCK) {
        const int64_t count = end - from < BLOCK ? end - from : BLOCK;
        R block[REALS * BLOCK] = {0};
        for (int p = 0; p < job->pieces; p++) {
            const R *u = job->sums + p * SUMS_OF_PIECE(job) + REALS * from;
            for (int64_t i = 0; i < REALS * count; i++)
                block[i] += u[i];
        }
#if COMPLEX
        for (int p = 0; p < job->pieces; p++) {
            const R *v = job->sums + p * SUMS_OF_PIECE(job) + REALS * (job->n + from);
            for (int64_t i = 0; i < 2 * count; i += 2) {
                block[i] -= v[i + 1];
                block[i + 1] += v[i];
            }
        }
#endif
        for (int64_t i = 0; i < count; i++) {
            const T *sum = (const T *)block + i;
            T *y = job->y + (from + i) * job->incy;
            if (plain)
                put_multiple(job->alpha, sum, y);
            else
                put_combination(job->alpha, sum, job->beta, y, y);
        }
    }
}

/* y := beta y */
static void scale_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const symv_job *job = given;
    const T zero = {0};
    for (int64_t i = begin; i < end; i++) {
        T *y = job->y + i * job->incy;
        if (is_zero(job->beta))
            *y = zero;
        else
            put_multiple(job->beta, y, y);
    }
}

static void scale(symv_job *job)
{
    gbl_cpu_share(job->n, sizeof(T), 2 * sizeof(T), scale_piece, job);
}

/* x as the inner loops want it. */
static void lay_out(symv_job *job, R *room)
{
#if COMPLEX
    const R sign = job->conj ? -1 : 1;
    R *re = room, *im = room + 2 * job->n;
    for (int64_t i = 0; i < job->n; i++) {
        const T x = job->x[i * job->incx];
        re[2 * i] = x.re;
        re[2 * i + 1] = -sign * x.im;
        im[2 * i] = x.im;
        im[2 * i + 1] = sign * x.re;
    }
    job->re = re;
    job->im = im;
#else
    job->re = packed(job->n, job->x, job->incx, room);
#endif
}

static symv_job job_of(const gbl_matrix_args *call)
{
    symv_job job = {.upper = call->uplo == GABLE_UPPER,
                    .conj = call->conj,
                    .n = call->n,
                    .lda = call->lda,
                    .incx = call->incx,
                    .incy = call->incy,
                    .alpha = read_scalar(&call->alpha),
                    .beta = read_scalar(&call->beta),
                    .A = call->A};
    job.x = (const T *)call->x - low_end(job.n, job.incx);
    job.y = (T *)call->y - low_end(job.n, job.incy);
    return job;
}

/* gbl_cpu_ssymv_omp gbl_cpu_dsymv_omp gbl_cpu_csymv_omp gbl_cpu_zsymv_omp */
GBL_CPU_TASK(PRIVATE(symv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    if (call->n <= 0)
        return GABLE_OK;
    symv_job job = job_of(call);
    if (is_zero(job.alpha)) {
        scale(&job);
        return GABLE_OK;
    }
    const int threads = omp_get_max_threads();
    const int64_t most = threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
    const int64_t room = REALS * REALS * job.n; /* for x */
    const size_t bytes = (size_t)(room + most * SUMS_OF_PIECE(&job)) * sizeof(R);
    job.memory = malloc(bytes);
    if (job.memory == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for sums of %zu bytes",
                        bytes);
    lay_out(&job, job.memory);
    job.sums = job.memory + room;
    /* Pairs of columns, four at a time. */
    job.pieces = gbl_cpu_share((job.n + 1) / 2, GBL_CPU_LINE / 4, (job.n + 1) * (int64_t)sizeof(T),
                               sum_piece, &job);
    gbl_cpu_share(job.n, sizeof(T), (job.pieces * REALS + 2) * (int64_t)sizeof(T), put_piece, &job);
    free(job.memory);
    return GABLE_OK;
}

/* gbl_cpu_ssymv_blas gbl_cpu_dsymv_blas gbl_cpu_csymv_blas gbl_cpu_zsymv_blas (complex: hemv)
 * Libraries differ in what alpha = 0 and beta = 0 do to a NaN, so they are not given these. */
GBL_CPU_TASK(PRIVATE(symv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel() || call->n <= 0)
        return PRIVATE(symv_omp)(queue, stream, args, message);
    symv_job job = job_of(call);
    const T alpha = job.alpha;
    T beta = job.beta;
    if (is_zero(alpha) || is_zero(beta)) {
        const gbl_scalar one = {.re = 1};
        scale(&job);
        beta = read_scalar(&one);
    }
    if (is_zero(alpha))
        return GABLE_OK;
    const int n = (int)call->n, lda = (int)call->lda;
    const int incx = (int)call->incx, incy = (int)call->incy;
#if COMPLEX
    blas->BLAS(hemv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, n, &alpha, call->A, lda, call->x, incx,
                     &beta, call->y, incy);
#else
    blas->BLAS(symv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, n, alpha, call->A, lda, call->x, incx,
                     beta, call->y, incy);
#endif
    return GABLE_OK;
}
