/* cpu_ger.c: rank-1 and rank-2 updates of a matrix or a triangle on the cpu: ger, syr, syr2, of
 * packed triangles spr and spr2, and their conjugated forms, with OpenMP and through the installed
 * BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A column takes alpha times an element of y (or x) times a block of x (and of y), which is packed
 * where it is strided. Threads own columns: equally many of a matrix; of a triangle as many as make
 * equal shares of its elements. A matrix with too few columns for that is shared out by rows.
 */
#include "cpu/cpu_columns.h"

/* Rows per block where vectors are packed, and where they are not: a block of them stays in the
 * second-level cache while columns pass, and long pieces of columns let the hardware's prefetch
 * run. */
#define ROWS      ((int64_t)(32768 / sizeof(T)))
#define LONG_ROWS ((int64_t)(262144 / sizeof(T)))

/* Columns for a thread below which rows are shared out: shares of so few are unequal. */
#define FEW_COLUMNS 8

typedef struct update_job {
    int64_t m, n, incx, incy;
    T alpha, alpha_2; /* of x y^T and of y x^T */
    const T *x, *y;
    stored_columns A;
    bool triangle, upper, conj;
    int terms;
    int64_t rows; /* per block */
} update_job;

/* ---- columns ---- */

/* Row 0 of column j, stored or not. */
static T *column_of(const update_job *job, int64_t j)
{
    return (T *)column_at(&job->A, j);
}

/* a := a + s x */
#if COMPLEX && TAILED
#define add_one add_complex
#else
static void add_one(int64_t n, T s, const T *restrict x, T *restrict a)
{
    int64_t i = 0;
#if GROUPED
    const factor f = factor_of(s);
    for (; i + GROUP <= n; i += GROUP) {
        R term[2 * GROUP], *to = (R *)(a + i);
        group_times(&f, x + i, term);
        for (int k = 0; k < 2 * GROUP; k++)
            to[k] += term[k];
    }
#endif
#pragma omp simd
    for (int64_t j = i; j < n; j++)
        add_multiple(s, x + j, a + j);
}
#endif

/* a := a + s x + t y */
#if COMPLEX && TAILED
static void add_two(int64_t n, T s, const T *x, T t, const T *y, T *a)
{
    const pack_factor f = pack_factor_of(s), g = pack_factor_of(t);
    const R *xs = (const R *)x, *ys = (const R *)y;
    R *to = (R *)a;
    int64_t i = 0;
    for (; i + PACK <= 2 * n; i += PACK) {
        const pack one = pack_complex_add(&f, pack_at(xs + i), pack_at(to + i));
        *(pack *)(to + i) = pack_complex_add(&g, pack_at(ys + i), one);
    }
    if (i < 2 * n) {
        const pack_tail tail = tail_of(2 * n - i);
        const pack one = pack_complex_add(&f, pack_part(tail, xs + i), pack_part(tail, to + i));
        pack_put_part(tail, to + i, pack_complex_add(&g, pack_part(tail, ys + i), one));
    }
}
#else
static void add_two(int64_t n, T s, const T *restrict x, T t, const T *restrict y, T *restrict a)
{
    int64_t i = 0;
#if GROUPED
    const factor f = factor_of(s), g = factor_of(t);
    for (; i + GROUP <= n; i += GROUP) {
        R first[2 * GROUP], second[2 * GROUP], *to = (R *)(a + i);
        group_times(&f, x + i, first);
        group_times(&g, y + i, second);
        for (int k = 0; k < 2 * GROUP; k++)
            to[k] = (to[k] + first[k]) + second[k];
    }
#endif
#pragma omp simd
    for (int64_t j = i; j < n; j++) {
        add_multiple(s, x + j, a + j);
        add_multiple(t, y + j, a + j);
    }
}
#endif

/* alpha times an element of what stands transposed. */
static T scalar_of(const update_job *job, T alpha, const T *element)
{
    T value = *element, product;
#if COMPLEX
    if (job->conj)
        value.im = -value.im;
#else
    (void)job;
#endif
    put_multiple(alpha, &value, &product);
    return product;
}

/* The diagonal of a Hermitian matrix is real. */
static void make_real(T *diagonal)
{
#if COMPLEX
    diagonal->im = 0;
#else
    (void)diagonal;
#endif
}

/* What update_block hands on: the vectors from row `from` on. */
typedef struct rows {
    int64_t from, end;
    const T *x, *y;
} rows;

/* Rows [top, bottom) of column j. */
static void update_column(const update_job *job, const rows *r, int64_t j, int64_t top,
                          int64_t bottom)
{
    T *column = column_of(job, j);
    const T s = scalar_of(job, job->alpha, job->y + j * job->incy);
    if (top >= bottom)
        return;
    if (job->terms > 1) {
        const T t = scalar_of(job, job->alpha_2, job->x + j * job->incx);
        add_two(bottom - top, s, r->x + (top - r->from), t, r->y + (top - r->from), column + top);
    } else {
        add_one(bottom - top, s, r->x + (top - r->from), column + top);
    }
    if (job->triangle && job->conj && j >= top && j < bottom)
        make_real(column + j);
}

#if !COMPLEX
/* Neighbours that go side by side in a triangle; see cpu_columns.h. */
#define ABREAST 8

/* The first of the columns is A. `terms` is a constant in each call, and so is a bend of 0. */
INLINED void add_abreast(int terms, int64_t n, const T *s, const T *x, const T *t, const T *y, T *A,
                         int64_t apart, int64_t bend)
{
    int64_t i = 0;
    for (; i + PACK <= n; i += PACK) {
        const pack xs = pack_at(x + i), ys = terms > 1 ? pack_at(y + i) : xs;
#pragma GCC unroll 8
        for (int c = 0; c < ABREAST; c++) {
            T *column = (T *)beside_column(A, apart, bend, c);
            pack a = pack_at(column + i);
            a += xs * s[c];
            if (terms > 1)
                a += ys * t[c];
            *(pack *)(column + i) = a;
        }
    }
#if TAILED
    if (i < n) {
        const pack_tail tail = tail_of(n - i);
        const pack xs = pack_part(tail, x + i), ys = terms > 1 ? pack_part(tail, y + i) : xs;
        for (int c = 0; c < ABREAST; c++) {
            T *column = (T *)beside_column(A, apart, bend, c);
            pack a = pack_part(tail, column + i);
            a += xs * s[c];
            if (terms > 1)
                a += ys * t[c];
            pack_put_part(tail, column + i, a);
        }
        i = n;
    }
#endif
    for (; i < n; i++) {
        for (int c = 0; c < ABREAST; c++) {
            T *column = (T *)beside_column(A, apart, bend, c);
            column[i] += s[c] * x[i];
            if (terms > 1)
                column[i] += t[c] * y[i];
        }
    }
}

/* Columns [j, j + ABREAST) of a triangle: the rows that all of them have side by side. */
static void update_side(const update_job *job, const rows *r, int64_t j)
{
    const int64_t edge = job->upper ? j : j + ABREAST;
    const int64_t top = !job->upper && edge > r->from ? edge : r->from;
    const int64_t bottom = job->upper && edge < r->end ? edge : r->end;
    const int64_t n = bottom - top, apart = apart_at(&job->A, j), bend = job->A.bend;
    const T *x = r->x + (top - r->from), *y = job->terms > 1 ? r->y + (top - r->from) : NULL;
    T s[ABREAST], t[ABREAST], *A = column_of(job, j) + top;
    for (int c = 0; c < ABREAST; c++) {
        s[c] = scalar_of(job, job->alpha, job->y + (j + c) * job->incy);
        t[c] = scalar_of(job, job->alpha_2, job->x + (j + c) * job->incx);
    }
    if (n > 0 && job->terms > 1 && bend == 0)
        add_abreast(2, n, s, x, t, y, A, apart, 0);
    else if (n > 0 && job->terms > 1)
        add_abreast(2, n, s, x, t, y, A, apart, bend);
    else if (n > 0 && bend == 0)
        add_abreast(1, n, s, x, t, y, A, apart, 0);
    else if (n > 0)
        add_abreast(1, n, s, x, t, y, A, apart, bend);
    for (int64_t c = j; c < j + ABREAST; c++) {
        const int64_t above = job->upper ? j : c, below = job->upper ? c + 1 : j + ABREAST;
        update_column(job, r, c, above > r->from ? above : r->from,
                      below < r->end ? below : r->end);
    }
}
#endif

/* Rows [from, end) of columns [first, last). */
static void update_block(const update_job *job, int64_t from, int64_t end, int64_t first,
                         int64_t last)
{
    T x_room[ROWS], y_room[ROWS];
    rows r = {from, end, packed(end - from, job->x + from * job->incx, job->incx, x_room), NULL};
    int64_t j = first;
    if (job->terms > 1)
        r.y = packed(end - from, job->y + from * job->incy, job->incy, y_room);
#if !COMPLEX
    for (; job->triangle && j + ABREAST <= last; j += ABREAST)
        update_side(job, &r, j);
#endif
    for (; j < last; j++)
        update_column(job, &r, j, job->triangle && !job->upper && j > from ? j : from,
                      job->triangle && job->upper && j + 1 < end ? j + 1 : end);
}

/* ---- pieces ---- */

static void update_rows(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const update_job *job = given;
    for (int64_t i = begin; i < end; i += job->rows)
        update_block(job, i, end - i < job->rows ? end : i + job->rows, 0, job->n);
}

static void update_columns(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const update_job *job = given;
    const int64_t from = job->triangle && !job->upper ? begin : 0;
    const int64_t to = job->triangle && job->upper ? end : job->m;
    for (int64_t i = from; i < to; i += job->rows)
        update_block(job, i, to - i < job->rows ? to : i + job->rows, begin, end);
}

/* Elements of a triangle in the columns before j. */
static int64_t elements_before(const update_job *job, int64_t j)
{
    return job->upper ? j * (j + 1) / 2 : j * job->n - j * (j - 1) / 2;
}

/* The first column with at least so many elements before it. */
static int64_t column_after(const update_job *job, int64_t elements)
{
    int64_t low = 0, high = job->n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (elements_before(job, middle) < elements)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Elements [begin, end) of a triangle, counted column by column, rounded to whole columns. */
static void update_share(void *given, int piece, int64_t begin, int64_t end)
{
    const int64_t first = column_after(given, begin), last = column_after(given, end);
    if (first < last)
        update_columns(given, piece, first, last);
}

static int most_pieces(void)
{
    const int threads = omp_get_max_threads();
    return threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
}

static void update(update_job *job)
{
    const int64_t elem = sizeof(T);
    if (job->triangle)
        gbl_cpu_share(elements_before(job, job->n), elem, 2 * elem, update_share, job);
    else if (job->n < FEW_COLUMNS * most_pieces() && job->m > job->n)
        gbl_cpu_share(job->m, elem, 2 * job->n * elem, update_rows, job);
    else
        gbl_cpu_share(job->n, GBL_CPU_LINE, 2 * job->m * elem, update_columns, job);
}

/* ---- tasks ---- */

static update_job job_of(const gbl_matrix_args *call, bool triangle, int terms)
{
    update_job job = {.m = call->m,
                      .n = call->n,
                      .incx = call->incx,
                      .incy = call->incy,
                      .A = columns_of(call),
                      .triangle = triangle,
                      .upper = call->uplo == GABLE_UPPER,
                      .conj = call->conj,
                      .terms = terms};
    if (call->real_scalars) {
        const gbl_scalar real = {.re = (double)read_real(&call->alpha)};
        job.alpha = read_scalar(&real);
    } else {
        job.alpha = read_scalar(&call->alpha);
    }
    job.alpha_2 = job.alpha;
#if COMPLEX
    if (call->conj)
        job.alpha_2.im = -job.alpha.im;
#endif
    /* From the low ends, where the caller of BLAS points, to element 0. */
    job.x = (const T *)call->x - low_end(job.m, job.incx);
    job.y = job.x;
    if (triangle && terms == 1)
        job.incy = job.incx;
    else
        job.y = (const T *)call->y - low_end(job.n, job.incy);
    job.rows = job.incx == 1 && (terms == 1 || job.incy == 1) ? LONG_ROWS : ROWS;
    return job;
}

static gable_status update_omp(const gbl_matrix_args *call, bool triangle, int terms)
{
    update_job job;
    if (call->m <= 0 || call->n <= 0)
        return GABLE_OK;
    job = job_of(call, triangle, terms);
    if (!is_zero(job.alpha))
        update(&job);
    return GABLE_OK;
}

/* gbl_cpu_sger_omp gbl_cpu_dger_omp gbl_cpu_cger_omp gbl_cpu_zger_omp */
WIDE_TASK(PRIVATE(ger_omp))
{
    (void)queue, (void)stream, (void)message;
    return update_omp(args, false, 1);
}

/* gbl_cpu_ssyr_omp gbl_cpu_dsyr_omp gbl_cpu_csyr_omp gbl_cpu_zsyr_omp */
WIDE_TASK(PRIVATE(syr_omp))
{
    (void)queue, (void)stream, (void)message;
    return update_omp(args, true, 1);
}

/* gbl_cpu_ssyr2_omp gbl_cpu_dsyr2_omp gbl_cpu_csyr2_omp gbl_cpu_zsyr2_omp */
WIDE_TASK(PRIVATE(syr2_omp))
{
    (void)queue, (void)stream, (void)message;
    return update_omp(args, true, 2);
}

#if !defined(GABLE_WIDE)
/* Whether the variant `blas` calls the BLAS at all; else OpenMP, or nothing where alpha is 0. */
static bool wants_blas(const gbl_matrix_args *call, const update_job *job)
{
    return !omp_in_parallel() && call->m > 0 && call->n > 0 && !is_zero(job->alpha);
}

/* gbl_cpu_sger_blas gbl_cpu_dger_blas gbl_cpu_cger_blas gbl_cpu_zger_blas */
GBL_CPU_TASK(PRIVATE(ger_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    const update_job job = job_of(call, false, 1);
    if (blas == NULL)
        return no_blas(message);
    if (!wants_blas(call, &job))
        return PRIVATE(ger_omp)(queue, stream, args, message);
    const int m = (int)call->m, n = (int)call->n, lda = (int)call->lda;
    const int incx = (int)call->incx, incy = (int)call->incy;
#if COMPLEX
    (call->conj ? blas->BLAS(gerc) : blas->BLAS(geru))(GBL_CPU_BLAS_COLUMNS, m, n, &job.alpha,
                                                       call->x, incx, call->y, incy, call->A, lda);
#else
    blas->BLAS(ger)(GBL_CPU_BLAS_COLUMNS, m, n, job.alpha, call->x, incx, call->y, incy, call->A,
                    lda);
#endif
    return GABLE_OK;
}

/* gbl_cpu_ssyr_blas gbl_cpu_dsyr_blas gbl_cpu_csyr_blas gbl_cpu_zsyr_blas: of complex ones her
 * only */
GBL_CPU_TASK(PRIVATE(syr_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    const update_job job = job_of(call, true, 1);
    if (blas == NULL)
        return no_blas(message);
    if (!wants_blas(call, &job) || (COMPLEX && !call->conj))
        return PRIVATE(syr_omp)(queue, stream, args, message);
    const int uplo = (int)call->uplo, n = (int)call->n, lda = (int)call->lda;
    const int incx = (int)call->incx;
#if COMPLEX
    blas->BLAS(her)(GBL_CPU_BLAS_COLUMNS, uplo, n, job.alpha.re, call->x, incx, call->A, lda);
#else
    blas->BLAS(syr)(GBL_CPU_BLAS_COLUMNS, uplo, n, job.alpha, call->x, incx, call->A, lda);
#endif
    return GABLE_OK;
}

/* gbl_cpu_ssyr2_blas gbl_cpu_dsyr2_blas gbl_cpu_csyr2_blas gbl_cpu_zsyr2_blas: of complex ones her2
 * only */
GBL_CPU_TASK(PRIVATE(syr2_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    const update_job job = job_of(call, true, 2);
    if (blas == NULL)
        return no_blas(message);
    if (!wants_blas(call, &job) || (COMPLEX && !call->conj))
        return PRIVATE(syr2_omp)(queue, stream, args, message);
    const int uplo = (int)call->uplo, n = (int)call->n, lda = (int)call->lda;
    const int incx = (int)call->incx, incy = (int)call->incy;
#if COMPLEX
    blas->BLAS(her2)(GBL_CPU_BLAS_COLUMNS, uplo, n, &job.alpha, call->x, incx, call->y, incy,
                     call->A, lda);
#else
    blas->BLAS(syr2)(GBL_CPU_BLAS_COLUMNS, uplo, n, job.alpha, call->x, incx, call->y, incy,
                     call->A, lda);
#endif
    return GABLE_OK;
}
#endif

/* ---- packed triangles ---- */

/* gbl_cpu_sspr_omp gbl_cpu_dspr_omp gbl_cpu_cspr_omp gbl_cpu_zspr_omp */
WIDE_TASK(PRIVATE(spr_omp))
{
    return PRIVATE(syr_omp)(queue, stream, args, message);
}

/* gbl_cpu_sspr2_omp gbl_cpu_dspr2_omp gbl_cpu_cspr2_omp gbl_cpu_zspr2_omp */
WIDE_TASK(PRIVATE(spr2_omp))
{
    return PRIVATE(syr2_omp)(queue, stream, args, message);
}

#if !defined(GABLE_WIDE)
/* gbl_cpu_sspr_blas gbl_cpu_dspr_blas gbl_cpu_cspr_blas gbl_cpu_zspr_blas: of complex ones hpr
 * only */
GBL_CPU_TASK(PRIVATE(spr_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    const update_job job = job_of(call, true, 1);
    if (blas == NULL)
        return no_blas(message);
    if (!wants_blas(call, &job) || (COMPLEX && !call->conj))
        return PRIVATE(spr_omp)(queue, stream, args, message);
    const int uplo = (int)call->uplo, n = (int)call->n, incx = (int)call->incx;
#if COMPLEX
    blas->BLAS(hpr)(GBL_CPU_BLAS_COLUMNS, uplo, n, job.alpha.re, call->x, incx, call->A);
#else
    blas->BLAS(spr)(GBL_CPU_BLAS_COLUMNS, uplo, n, job.alpha, call->x, incx, call->A);
#endif
    return GABLE_OK;
}

/* gbl_cpu_sspr2_blas gbl_cpu_dspr2_blas gbl_cpu_cspr2_blas gbl_cpu_zspr2_blas: of complex ones hpr2
 * only */
GBL_CPU_TASK(PRIVATE(spr2_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    const update_job job = job_of(call, true, 2);
    if (blas == NULL)
        return no_blas(message);
    if (!wants_blas(call, &job) || (COMPLEX && !call->conj))
        return PRIVATE(spr2_omp)(queue, stream, args, message);
    const int uplo = (int)call->uplo, n = (int)call->n;
    const int incx = (int)call->incx, incy = (int)call->incy;
#if COMPLEX
    blas->BLAS(hpr2)(GBL_CPU_BLAS_COLUMNS, uplo, n, &job.alpha, call->x, incx, call->y, incy,
                     call->A);
#else
    blas->BLAS(spr2)(GBL_CPU_BLAS_COLUMNS, uplo, n, job.alpha, call->x, incx, call->y, incy,
                     call->A);
#endif
    return GABLE_OK;
}
#endif
