/* cpu_gemv.c: y := alpha op(A) x + beta y on the cpu, with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums first: a block of op(A) x is added up in a buffer, with the loops of cpu_columns.h, then
 * scaled and put into y. So y is read once at most, and its stride does not matter.
 *
 * A thread owns columns of A, and reads them as a few runs of neighbours, side by side: a run that
 * goes on from column to column is one stream of memory for the hardware's prefetch, which never
 * has to start again. Neighbours side by side would be such streams for the length of one column
 * only (two cores of a Neoverse V1, 2026-11, d, GB/s of four runs and of four neighbours: n = 512
 * 64 and 32, n = 1300 66 and 48, n = 10000 67 and 62; one column alone 47 to 51, eight runs 56 to
 * 67).
 *
 * So each element of y belongs to a thread where A is transposed. Where it is not, every thread has
 * sums of its own for all of y, which are added in order of threads. With too few columns for that
 * threads own rows, and it is the other way round.
 */
#include <stdlib.h>

/* The most rows per block of x: where it is packed, and where it stands as it is. */
#define ROWS      ((int64_t)(65536 / sizeof(T)))
#define LONG_ROWS ((int64_t)(131072 / sizeof(T)))

#include "cpu/cpu_columns.h"
#include "cpu/cpu_padded.h"

/* The most elements of y that are made at a time: in a buffer on the stack, and on the heap. */
#define SUMS      ((int64_t)(16384 / sizeof(T)))
#define LONG_SUMS ((int64_t)(131072 / sizeof(T)))

/* Rows per block where a matrix has few columns, which the next block finds again; see cpu_mdot.c.
 * With many of them, only long blocks let the hardware's prefetch run (n = 4096, two cores of
 * Neoverse V1, 2026-11: dgemv n 45 GB/s with 16 KiB, 12 to 15 with 2 KiB; cgemv t 38 with 32 KiB,
 * 31 with 16; but dgemv t of 8 columns 57 with 2 KiB, 47 with 16). */
#define FEW_COLUMNS_ROWS ((int64_t)(2048 / sizeof(T)))

/* Columns that are multiplied while a block of x is in the cache. */
#define PASS 512
_Static_assert(PASS <= SUMS, "a pass fits the buffer of sums");

/* Columns for a thread below which threads own rows of a transposed matrix if there are many more
 * of those: shares would be unequal. */
#define FEW_COLUMNS 16
#define LONG        16 /* so many times more */

/* Columns for a thread from which it has sums of its own: adding them up is nothing beside so many.
 * With fewer it has them still where its rows would be but short pieces of columns. */
#define MANY_COLUMNS 32
#define SOME_COLUMNS 4
#define SHORT_ROWS   ((int64_t)(16384 / sizeof(T)))

/* Elements of a matrix that stays in the second cache: its columns may be read in pieces. And those
 * of which no second thread gets a share. */
#define FEW_ELEMENTS ((int64_t)(1048576 / sizeof(T)))
#define FEW_FOR_ONE  ((int64_t)(131072 / sizeof(T)))

/* Bytes from the end of a column to the next one that the hardware's prefetch gets over. */
#define GAP_BYTES 1024

typedef struct gemv_job {
    bool transposed, conj, few; /* few: A stays in the cache */
    int64_t outputs, terms;     /* the length of y, and of x */
    int64_t rows, pass;         /* of x a block; elements of y that are made at a time */
    T alpha, beta;
    const T *A, *x;
    T *y;
    int64_t lda, incx, incy;
    left_sums left; /* where sums are cut up */
} gemv_job;

/* ---- sums ---- */

/* Whether blocks of so many rows are runs of memory from one column to the next. Where they are
 * not, neighbours go side by side, and more of them: see cpu_columns.h. */
static bool are_runs(const gemv_job *job, int64_t rows)
{
    return job->lda - rows <= GAP_BYTES / (int64_t)sizeof(T);
}

/* Columns [j, j + columns * apart), every one that is `apart` from the last, times x are added to
 * sums. */
INLINED void add_apart(int columns, const gemv_job *job, const T *A, int64_t count, int64_t j,
                       int64_t apart, const target *into)
{
    T x[SIDE_EDGE];
    for (int c = 0; c < columns; c++)
        x[c] = job->x[(j + c * apart) * job->incx];
    add_side(columns, count, x, A + j * job->lda, apart * job->lda, into);
}

/* Rows [first, first + count) of columns [begin, end), times x, are added to sums. */
static void add_runs(const gemv_job *job, int64_t first, int64_t count, int64_t begin, int64_t end,
                     const target *into)
{
    const T *A = job->A + first;
    const int64_t run = are_runs(job, count) ? (end - begin) / TOGETHER : 0;
    int64_t j = begin;
    for (; j < begin + run; j++)
        add_apart(TOGETHER, job, A, count, j, run, into);
    j += (TOGETHER - 1) * run;
    for (; j + SIDE_EDGE <= end; j += SIDE_EDGE)
        add_apart(SIDE_EDGE, job, A, count, j, 1, into);
    for (; j + TOGETHER <= end; j += TOGETHER)
        add_apart(TOGETHER, job, A, count, j, 1, into);
    for (; j < end; j++)
        add_apart(1, job, A, count, j, 1, into);
}

#if SWAPPING
/* Packs of rows whose sums stay in registers. */
#define MOST_PACKS (PACK_BYTES == 64 ? 8 : 4)

/* So many packs of rows of A x, a constant in each call; of the last one a part. */
INLINED void sum_packs(int packs, const gemv_job *job, const T *A, pack_tail tail, R *sum)
{
    pack u[8] = {{0}}, v[8] = {{0}};
    for (int64_t j = 0; j < job->terms; j++, A += job->lda) {
        const T x = job->x[j * job->incx];
        const pack re = pack_of(x.re), im = pack_of(x.im);
#pragma GCC unroll 8
        for (int p = 0; p < packs; p++) {
            const R *at = (const R *)A + p * PACK;
            const pack a = p == packs - 1 ? pack_part(tail, at) : pack_at(at);
            u[p] = pack_multiply_add(a, re, u[p]);
            v[p] = pack_multiply_add(a, im, v[p]);
        }
    }
#pragma GCC unroll 8
    for (int p = 0; p < packs - 1; p++)
        *(pack *)(sum + p * PACK) = pack_joined(u[p], v[p]);
    pack_put_part(tail, sum + (packs - 1) * PACK, pack_joined(u[packs - 1], v[packs - 1]));
}

/* Elements [first, first + count) of A x where the columns of A are in the cache: all columns for a
 * few rows, then the next rows. */
static void sum_rows_of_few(const gemv_job *job, int64_t first, int64_t count, T *sum)
{
    for (int64_t i = 0; i < 2 * count; i += MOST_PACKS * PACK) {
        const int64_t left = 2 * count - i, packs = (left + PACK - 1) / PACK;
        const T *A = job->A + first + i / 2;
        const pack_tail tail = tail_of(packs > MOST_PACKS ? PACK : left - (packs - 1) * PACK);
        R *to = (R *)sum + i;
        if (packs >= MOST_PACKS)
            sum_packs(MOST_PACKS, job, A, tail, to);
        else if (packs == 1)
            sum_packs(1, job, A, tail, to);
        else if (packs == 2)
            sum_packs(2, job, A, tail, to);
        else if (packs == 3)
            sum_packs(3, job, A, tail, to);
        else if (packs == 4)
            sum_packs(4, job, A, tail, to);
        else if (packs == 5)
            sum_packs(5, job, A, tail, to);
        else if (packs == 6)
            sum_packs(6, job, A, tail, to);
        else
            sum_packs(7, job, A, tail, to);
    }
}
#endif

/* Some of the elements of A x: elements [first, first + count). */
static void sum_rows(const gemv_job *job, int64_t first, int64_t count, T *sum)
{
#if SWAPPING
    if (job->few) {
        sum_rows_of_few(job, first, count, sum);
        return;
    }
#endif
#if COMPLEX
    R u[2 * SUMS], v[2 * SUMS];
    const target into = {u, v};
    memset(u, 0, (size_t)count * sizeof(T));
    memset(v, 0, (size_t)count * sizeof(T));
#else
    const target into = {sum, NULL};
    memset(sum, 0, (size_t)count * sizeof(T));
#endif
    add_runs(job, first, count, 0, job->terms, &into);
#if COMPLEX
    for (int64_t i = 0; i < count; i++) {
        sum[i].re = u[2 * i] - v[2 * i + 1];
        sum[i].im = u[2 * i + 1] + v[2 * i];
    }
#endif
}

/* The products of columns with a block of x. */
static void multiply_runs(const gemv_job *job, int64_t columns, int64_t n, const T *X,
                          const block *b, partial *sum)
{
    const int64_t ldx = job->lda, run = are_runs(job, n) ? columns / SIDE : 0;
    int64_t j = 0;
    for (; j < run; j++) {
        partial some[SIDE] = {{0, 0}};
        multiply_side(SIDE, n, X + j * ldx, run * ldx, &b->y, some);
        for (int c = 0; c < SIDE; c++) {
            sum[j + c * run].re += some[c].re;
            sum[j + c * run].im += some[c].im;
        }
    }
    j += (SIDE - 1) * run;
    for (; j + SIDE_EDGE <= columns; j += SIDE_EDGE)
        multiply_side(SIDE_EDGE, n, X + j * ldx, ldx, &b->y, sum + j);
    add_products(columns - j, n, X + j * ldx, ldx, b, sum + j);
}

#if SWAPPING
/* All elements of the product with the transpose of a matrix that one thread has in its cache. */
static void sum_columns_of_few(const gemv_job *job, T *sum)
{
    const beside x = lay_out(job->terms, job->x, 1, job->conj, NULL);
    int64_t j = 0;
    for (; j < job->outputs; j += SIDE) {
        const int64_t left = job->outputs - j;
        const T *A = job->A + j * job->lda;
        partial some[SIDE] = {{0, 0}};
        if (left >= SIDE)
            multiply_side(SIDE, job->terms, A, job->lda, &x, some);
        else if (left == 3)
            multiply_side(3, job->terms, A, job->lda, &x, some);
        else if (left == 2)
            multiply_side(2, job->terms, A, job->lda, &x, some);
        else
            multiply_side(1, job->terms, A, job->lda, &x, some);
        for (int c = 0; c < (left < SIDE ? (int)left : SIDE); c++)
            sum[j + c] = (T){(R)some[c].re, (R)some[c].im};
    }
}
#endif

/* The same as sum_rows for the transpose, conjugated or not, of terms [begin, end). */
static void sum_columns(const gemv_job *job, int64_t first, int64_t count, int64_t begin,
                        int64_t end, T *sum)
{
    block b;
    partial wide[PASS];
    memset(wide, 0, (size_t)count * sizeof wide[0]);
    for (int64_t i = begin; i < end; i += job->rows) {
        const int64_t rows = end - i < job->rows ? end - i : job->rows;
        take_block(rows, job->x + i * job->incx, job->incx, job->conj, &b);
        multiply_runs(job, count, rows, job->A + i + first * job->lda, &b, wide);
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

/* y := alpha sum + beta y, for `count` elements. */
static void put_sums(const gemv_job *job, int64_t first, int64_t count, const T *sum)
{
    const int64_t incy = job->incy;
    T *y = job->y + first * incy;
#if SWAPPING
    if (incy == 1) {
        put_combinations(count, job->alpha, sum, job->beta, y);
        return;
    }
#endif
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
        if (job->transposed)
            sum_columns(job, i, count, 0, job->terms, sum);
        else
            sum_rows(job, i, count, sum);
        put_sums(job, i, count, sum);
    }
}

/* Terms [begin, end) of every sum. */
static void cut_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const gemv_job *job = given;
    R *part = job->left.parts + piece * job->left.part;
    const int64_t pass = job->transposed ? job->pass : LONG_SUMS;
    for (int64_t i = 0; i < job->outputs; i += pass) {
        const int64_t count = job->outputs - i < pass ? job->outputs - i : pass;
        const target into = {part + REALS * i, part + job->left.to_v + REALS * i};
        if (job->transposed) {
            sum_columns(job, i, count, begin, end, (T *)into.u);
            continue;
        }
        memset(into.u, 0, (size_t)count * sizeof(T));
        if (COMPLEX)
            memset(into.v, 0, (size_t)count * sizeof(T));
        add_runs(job, i, count, begin, end, &into);
    }
}

/* Elements [begin, end) of y from the parts of their sums. */
static void put_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gemv_job *job = given;
    for (int64_t from = begin; from < end; from += BLOCK) {
        const int64_t count = end - from < BLOCK ? end - from : BLOCK;
        R sum[REALS * BLOCK];
        add_left(&job->left, from, count, sum);
        put_sums(job, from, count, (const T *)sum);
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
    const int threads = omp_in_parallel() ? 1 : omp_get_max_threads();
    return threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
}

static bool want_cut(const gemv_job *job)
{
    const int pieces = most_pieces();
    if (SWAPPING && job->few && pieces == 1)
        return false;
    if (job->transposed)
        return pieces > 1 && job->outputs < FEW_COLUMNS * pieces &&
               job->terms / LONG >= job->outputs;
    return job->terms >= MANY_COLUMNS * pieces ||
           (job->terms >= SOME_COLUMNS * pieces && job->outputs < SHORT_ROWS * pieces);
}

static gable_status cut(gemv_job *job, gbl_message *message)
{
    /* The parts of two pieces do not share a cache line. */
    const int64_t line = GBL_CPU_LINE / (int64_t)sizeof(R);
    const int64_t array = (REALS * job->outputs + 2 * line - 1) / line * line;
    left_sums *left = &job->left;
    left->to_v = COMPLEX && !job->transposed ? array : 0;
    left->part = left->to_v + array;
    const size_t bytes = (size_t)most_pieces() * (size_t)left->part * sizeof(R);
    const int64_t apart = job->transposed ? (int64_t)sizeof(T) : GBL_CPU_LINE;
    left->parts = malloc(bytes);
    if (left->parts == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for sums of %zu bytes",
                        bytes);
    left->pieces =
        gbl_cpu_share(job->terms, apart, (job->outputs + 1) * (int64_t)sizeof(T), cut_piece, job);
    const int64_t traffic = (left->pieces * REALS + 2) * (int64_t)sizeof(T);
    gbl_cpu_share(job->outputs, sizeof(T), traffic, put_piece, job);
    free(left->parts);
    return GABLE_OK;
}

/* ---- tasks ---- */

/* Rows per block of x where A is transposed: all blocks alike. */
static int64_t block_of_x(const gbl_matrix_args *call)
{
    const int64_t most = !COMPLEX && call->incx == 1 ? LONG_ROWS : ROWS;
    const int64_t blocks = call->m > most ? (call->m + most - 1) / most : 1;
    return (call->m + blocks - 1) / blocks;
}

static gemv_job job_of(const gbl_matrix_args *call)
{
    const bool transposed = call->trans != GABLE_NO_TRANS;
    const bool few = call->n <= FEW_COLUMNS;
    gemv_job job = {.transposed = transposed,
                    .conj = call->trans == GABLE_CONJ_TRANS,
                    .outputs = transposed ? call->n : call->m,
                    .terms = transposed ? call->m : call->n,
                    .rows = few ? FEW_COLUMNS_ROWS : block_of_x(call),
                    .pass = transposed ? PASS
                            : few      ? FEW_COLUMNS_ROWS
                                       : SUMS,
                    .alpha = read_scalar(&call->alpha),
                    .beta = read_scalar(&call->beta),
                    .A = call->A,
                    .lda = call->lda,
                    .incx = call->incx,
                    .incy = call->incy};
    job.few = call->m <= SUMS && call->m * call->n <= FEW_ELEMENTS;
    /* From the low ends, where the caller of BLAS points, to element 0. */
    job.x = (const T *)call->x - low_end(job.terms, job.incx);
    job.y = (T *)call->y - low_end(job.outputs, job.incy);
    return job;
}

#if SWAPPING
/* One thread and one pass. */
static void multiply_few(const gemv_job *job)
{
    T sum[SUMS];
    if (job->transposed)
        sum_columns_of_few(job, sum);
    else
        sum_rows_of_few(job, 0, job->outputs, sum);
    put_sums(job, 0, job->outputs, sum);
}

static bool is_for_one(const gemv_job *job)
{
    return job->few && job->outputs <= SUMS && (!job->transposed || job->incx == 1) &&
           job->outputs * job->terms < FEW_FOR_ONE;
}
#endif

#if COMPLEX
static bool is_small(const gemv_job *job)
{
    return job->transposed && job->outputs <= SMALL_ELEMENTS && job->terms <= SMALL_ELEMENTS &&
           job->outputs * job->terms <= SMALL_ELEMENTS;
}
#endif

/* gbl_cpu_sgemv_omp gbl_cpu_dgemv_omp gbl_cpu_cgemv_omp gbl_cpu_zgemv_omp */
WIDE_TASK(PRIVATE(gemv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    if (call->m <= 0 || call->n <= 0)
        return GABLE_OK;
    gemv_job job = job_of(call);
    if (is_zero(job.alpha))
        scale(&job);
#if COMPLEX
    else if (is_small(&job))
        multiply_by_element(call, call->A, call->lda, call->m, call->n);
#endif
#if SWAPPING
    else if (is_for_one(&job))
        multiply_few(&job);
#endif
    else if (want_cut(&job))
        return cut(&job, message);
    else
        own(&job);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
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
    const T alpha = read_scalar(&call->alpha);
    T beta = read_scalar(&call->beta);
    if (is_zero(alpha) || is_zero(beta)) {
        const gbl_scalar one = {.re = 1};
        gemv_job job = job_of(call);
        scale(&job);
        beta = read_scalar(&one);
    }
    if (is_zero(alpha))
        return GABLE_OK;
    const bool transposed = call->trans != GABLE_NO_TRANS;
    const int trans = !COMPLEX && transposed ? GABLE_TRANS : (int)call->trans;
    const int m = (int)call->m, n = (int)call->n, lda = (int)call->lda;
    const int incx = (int)call->incx, incy = (int)call->incy;
#if COMPLEX
    if (!transposed && incx == 1) {
        padded x;
        padded_take(&x, n, call->x);
        if (x.at == NULL)
            return padded_fail(message, n);
        blas->BLAS(gemv)(GBL_CPU_BLAS_COLUMNS, trans, m, n, &alpha, call->A, lda, x.at, 1, &beta,
                         call->y, incy);
        padded_free(&x);
        return GABLE_OK;
    }
    blas->BLAS(gemv)(GBL_CPU_BLAS_COLUMNS, trans, m, n, &alpha, call->A, lda, call->x, incx, &beta,
                     call->y, incy);
#else
    blas->BLAS(gemv)(GBL_CPU_BLAS_COLUMNS, trans, m, n, alpha, call->A, lda, call->x, incx, beta,
                     call->y, incy);
#endif
    return GABLE_OK;
}
#endif
