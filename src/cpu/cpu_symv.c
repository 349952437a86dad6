/* cpu_symv.c: y := alpha A x + beta y, A symmetric or Hermitian, on the cpu: OpenMP, and the
 * installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Column j of the stored triangle is read once: its multiple by x_j is added to a vector of sums,
 * and its product with x is element j of them. A thread has columns of its own, j and n - 1 - j for
 * every j of a range, so that all threads read as much, and sums of its own; they are then added in
 * order of threads.
 *
 * Packed triangles and wide bands (of narrow ones see cpu_band.c) go the same way: their columns
 * lie elsewhere. In a band all are about as long, so a thread has neighbours, and sums for their
 * rows only.
 *
 * A few columns are read side by side, as in cpu_columns.h, which says why they are
 * neighbours (two cores of a Neoverse V1, 2026-11, d, GB/s with 2, 4 and 8 columns: n = 700 20, 26
 * and 30, n = 2700 31, 41 and 48, n = 10000 39, 52 and 58). Complex columns are read as real
 * numbers, re and im in turn: x is laid out in two arrays for the products, and sums are kept of
 * the real (u) and of the imaginary parts (v) of x_j times the columns.
 */
#include <stdlib.h>
#include "cpu/cpu_columns.h"
#include "cpu/cpu_padded.h"

typedef struct symv_job {
    bool upper, conj;
    int64_t n, incx, incy;
    int64_t k; /* diagonals beside the main one that are stored; n - 1 or more: all */
    T alpha, beta;
    stored_columns A;
    const T *x;
    T *y;
    R *memory; /* of what follows: */
    beside by; /* x laid out */
    R *sums;   /* u and for complex numbers v, n elements each, a piece */
    int pieces;
    struct window {
        int64_t low, high;
    } * window; /* each piece has elements [low, high) */
} symv_job;

/* Columns of a band with so few elements go one by one, as in cpu_band.c. */
#define SHORT ((int64_t)(4096 / sizeof(T)))

/* Real numbers: u and v each begin with a cache line. */
#define IN_LINES(count)    (((count) + LINE_REALS - 1) / LINE_REALS * LINE_REALS)
#define LINE_REALS         ((int64_t)(GBL_CPU_LINE / sizeof(R)))
#define SUMS_OF_PIECE(job) (REALS * IN_LINES(REALS * (job)->n))

/* ---- columns ---- */

#if SWAPPING
/* What a column stores beside the diagonal: rows [first, end). */
typedef struct stretch {
    int64_t first, end;
} stretch;

/* `columns` columns from j on, a constant in each call: multiples by f into u and v, products with
 * x into sum. Rows that some of them store, but not all, go as parts of packs. */
INLINED void take_stretches(int columns, const symv_job *job, const stretch *of, int64_t j,
                            const T *f, R *restrict u, R *restrict v, partial *sum)
{
    const T *A = column_at(&job->A, j);
    const int64_t apart = apart_at(&job->A, j), bend = job->A.bend;
    stretch all = of[0], common = of[0];
    pack f_re[SIDE], f_im[SIDE], re[SIDE] = {{0}}, im[SIDE] = {{0}};
#pragma GCC unroll 4
    for (int c = 0; c < columns; c++) {
        f_re[c] = pack_of(f[c].re);
        f_im[c] = pack_of(f[c].im);
        all.first = of[c].first < all.first ? of[c].first : all.first;
        all.end = of[c].end > all.end ? of[c].end : all.end;
        common.first = of[c].first > common.first ? of[c].first : common.first;
        common.end = of[c].end < common.end ? of[c].end : common.end;
    }
    /* From a whole pack on, so that no load or store of sums goes over the end of a cache line. */
    for (int64_t i = 2 * all.first / PACK * PACK; i < 2 * all.end; i += PACK) {
        if (i >= 2 * common.first && i + PACK <= 2 * common.end) {
            const pack xs = pack_at(job->by.re + i), ys = pack_swapped(xs);
            pack us = pack_at(u + i), vs = pack_at(v + i);
#pragma GCC unroll 4
            for (int c = 0; c < columns; c++) {
                const pack a = pack_at((const R *)beside_column(A, apart, bend, c) + i);
                us = pack_multiply_add(a, f_re[c], us);
                vs = pack_multiply_add(a, f_im[c], vs);
                re[c] = pack_multiply_add(a, xs, re[c]);
                im[c] = pack_multiply_add(a, ys, im[c]);
            }
            *(pack *)(u + i) = us;
            *(pack *)(v + i) = vs;
            continue;
        }
        const pack_tail tail = tail_between(2 * all.first - i, 2 * all.end - i);
        const pack xs = pack_part(tail, job->by.re + i), ys = pack_swapped(xs);
        pack us = pack_part(tail, u + i), vs = pack_part(tail, v + i);
#pragma GCC unroll 4
        for (int c = 0; c < columns; c++) {
            const pack_tail has = tail_between(2 * of[c].first - i, 2 * of[c].end - i);
            const pack a = pack_part(has, (const R *)beside_column(A, apart, bend, c) + i);
            us = pack_chosen(has, pack_multiply_add(a, f_re[c], us), us);
            vs = pack_chosen(has, pack_multiply_add(a, f_im[c], vs), vs);
            re[c] = pack_chosen(has, pack_multiply_add(a, xs, re[c]), re[c]);
            im[c] = pack_chosen(has, pack_multiply_add(a, ys, im[c]), im[c]);
        }
        pack_put_part(tail, u + i, us);
        pack_put_part(tail, v + i, vs);
    }
    partial total[SIDE];
    total_swapped(columns, &job->by, re, im, total);
#pragma GCC unroll 4
    for (int c = 0; c < columns; c++) {
        const beside rows = beside_from(&job->by, of[c].first);
        add_total(of[c].end - of[c].first, beside_column(A, apart, bend, c) + of[c].first, &rows,
                  total[c], sum + c);
    }
}
#elif COMPLEX
/* Rows [from, to) of `columns` columns, a constant in each call: multiples by f into u and v,
 * products with x into sum. */
INLINED void take_side(int columns, const symv_job *job, int64_t from, int64_t to, int64_t j,
                       const T *f, R *restrict u, R *restrict v, partial *sum)
{
    const T *A = column_at(&job->A, j);
    const int64_t apart = apart_at(&job->A, j), bend = job->A.bend;
    const beside rows = beside_from(&job->by, from);
    const R *restrict to_re = job->by.re;
    pack re[SIDE_EDGE] = {{0}}, im[SIDE_EDGE] = {{0}};
    int64_t i = 2 * from;
    for (; i + PACK <= 2 * to; i += PACK) {
        pack us = pack_at(u + i), vs = pack_at(v + i);
        const pack xs = pack_at(to_re + i), ys = second_at(&job->by, i, xs);
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++) {
            const pack a = pack_at((const R *)beside_column(A, apart, bend, c) + i);
            us = pack_multiply_add(a, pack_of(f[c].re), us);
            vs = pack_multiply_add(a, pack_of(f[c].im), vs);
            re[c] = pack_multiply_add(a, xs, re[c]);
            im[c] = pack_multiply_add(a, ys, im[c]);
        }
        *(pack *)(u + i) = us;
        *(pack *)(v + i) = vs;
    }
    const R *restrict to_im = job->by.im;
    double rest_re[SIDE_EDGE] = {0}, rest_im[SIDE_EDGE] = {0};
    for (; i < 2 * to; i++) {
        for (int c = 0; c < columns; c++) {
            const R a = ((const R *)beside_column(A, apart, bend, c))[i];
            u[i] += a * f[c].re;
            v[i] += a * f[c].im;
            rest_re[c] += a * to_re[i];
            rest_im[c] += a * to_im[i];
        }
    }
    partial lanes[SIDE_EDGE];
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++)
        lanes[c] = (partial){pack_sum(re[c]), pack_sum(im[c])};
    for (int c = 0; c < columns; c++) {
        partial total = {lanes[c].re + rest_re[c], lanes[c].im + rest_im[c]};
        if (!isfinite(total.re) || !isfinite(total.im))
            total = careful_sum(to - from, beside_column(A, apart, bend, c) + from, &rows);
        sum[c].re += total.re;
        sum[c].im += total.im;
    }
}

#endif

#if COMPLEX
/* Element (i, j), stored or on the diagonal, of which a Hermitian matrix has the real part. */
static void take_element(const symv_job *job, int64_t i, int64_t j, R *u, R *v, partial *sum)
{
    T a = column_at(&job->A, j)[i];
    if (i == j && job->conj)
        a.im = 0;
    const T f = job->x[j * job->incx];
    u[2 * i] += a.re * f.re;
    u[2 * i + 1] += a.im * f.re;
    v[2 * i] += a.re * f.im;
    v[2 * i + 1] += a.im * f.im;
    if (i != j) {
        const beside at = beside_from(&job->by, i);
        const partial term = careful_sum(1, &a, &at);
        sum->re += term.re;
        sum->im += term.im;
    }
}
#else
INLINED void take_side(int columns, const symv_job *job, int64_t from, int64_t to, int64_t j,
                       const T *f, R *restrict u, R *restrict v, partial *sum)
{
    const T *A = column_at(&job->A, j);
    const int64_t apart = apart_at(&job->A, j), bend = job->A.bend;
    const R *restrict x = job->by.re;
    pack lane[SIDE_EDGE] = {{0}};
    double rest[SIDE_EDGE] = {0};
    int64_t i = from;
    (void)v;
    for (; i + PACK <= to; i += PACK) {
        const pack xs = pack_at(x + i);
        pack us = pack_at(u + i);
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++) {
            const pack a = pack_at(beside_column(A, apart, bend, c) + i);
            us = pack_multiply_add(a, pack_of(f[c]), us);
            lane[c] = pack_multiply_add(a, xs, lane[c]);
        }
        *(pack *)(u + i) = us;
    }
#if TAILED
    if (i < to) {
        const pack_tail tail = tail_of(to - i);
        const pack xs = pack_part(tail, x + i);
        pack us = pack_part(tail, u + i);
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++) {
            const pack a = pack_part(tail, beside_column(A, apart, bend, c) + i);
            us = pack_multiply_add(a, pack_of(f[c]), us);
            lane[c] = pack_multiply_add(a, xs, lane[c]);
        }
        pack_put_part(tail, u + i, us);
        i = to;
    }
#endif
    for (; i < to; i++) {
        for (int c = 0; c < columns; c++) {
            const R a = beside_column(A, apart, bend, c)[i];
            u[i] += a * f[c];
            rest[c] += a * x[i];
        }
    }
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++)
        sum[c].re += pack_sum(lane[c]) + rest[c];
}

static void take_element(const symv_job *job, int64_t i, int64_t j, R *u, R *v, partial *sum)
{
    const R a = column_at(&job->A, j)[i];
    (void)v;
    u[i] += a * job->x[j * job->incx];
    if (i != j)
        sum->re += a * job->by.re[i];
}
#endif

/* Whether all columns are about as long: then a piece has neighbours, and sums for a part of y
 * only. */
static bool is_narrow(const symv_job *job)
{
    return job->k < job->n / 4;
}

/* Rows [*first, *last] of column j are stored. */
static void stored_rows(const symv_job *job, int64_t j, int64_t *first, int64_t *last)
{
    *first = !job->upper ? j : j > job->k ? j - job->k : 0;
    *last = job->upper ? j : job->n - 1 - j > job->k ? j + job->k : job->n - 1;
}

/* Columns [begin, end): SIDE_EDGE at a time, in which the rows that all of them store come
 * first. */
static void take_columns(const symv_job *job, int64_t begin, int64_t end, R *u, R *v)
{
    const bool alone = is_narrow(job) && job->k < SHORT;
    int count;
    for (int64_t j = begin; j < end; j += count) {
        count = end - j < SIDE_EDGE || alone ? 1 : SIDE_EDGE;
        int64_t first, last, from, to;
        partial sum[SIDE_EDGE] = {{0, 0}};
        T f[SIDE_EDGE];
        for (int c = 0; c < count; c++)
            f[c] = job->x[(j + c) * job->incx];
        /* Of an upper triangle those from the last column's first row on, and so on. */
        stored_rows(job, j, &first, &last);
        to = job->upper ? j : last + 1;
        stored_rows(job, j + count - 1, &first, &last);
        from = job->upper ? first : j + count;
        to = to > from ? to : from;
#if SWAPPING
        stretch of[SIDE];
        for (int c = 0; c < count; c++) {
            stored_rows(job, j + c, &of[c].first, &of[c].end);
            of[c].first += job->upper ? 0 : 1;
            of[c].end += job->upper ? 0 : 1;
            take_element(job, j + c, j + c, u, v, &sum[c]);
        }
        if (count == SIDE)
            take_stretches(SIDE, job, of, j, f, u, v, sum);
        else
            take_stretches(1, job, of, j, f, u, v, sum);
        (void)from, (void)to;
#else
        if (count == SIDE_EDGE)
            take_side(SIDE_EDGE, job, from, to, j, f, u, v, sum);
        else
            take_side(1, job, from, to, j, f, u, v, sum);
        for (int c = 0; c < count; c++) {
            stored_rows(job, j + c, &first, &last);
            for (int64_t i = first; i < from && i <= last; i++)
                take_element(job, i, j + c, u, v, &sum[c]);
            for (int64_t i = first > to ? first : to; i <= last; i++)
                take_element(job, i, j + c, u, v, &sum[c]);
        }
#endif
        for (int c = 0; c < count; c++) {
            u[REALS * (j + c)] += (R)sum[c].re;
            if (COMPLEX)
                u[REALS * (j + c) + REALS - 1] += (R)sum[c].im;
        }
    }
}

/* ---- pieces ---- */

/* Columns [begin, end) of a narrow band; of other matrices those and their counterparts from the
 * other end. The piece says which sums it has. */
static void sum_piece(void *given, int piece, int64_t begin, int64_t end)
{
    symv_job *job = given;
    const int64_t n = job->n, half = (n + 1) / 2;
    R *u = job->sums + piece * SUMS_OF_PIECE(job), *v = u + IN_LINES(REALS * n);
    int64_t low = 0, high = n, unused;
    if (is_narrow(job)) {
        low = high = 0;
        if (begin < end) {
            stored_rows(job, begin, &low, &unused);
            stored_rows(job, end - 1, &unused, &high);
            high++;
        }
    }
    job->window[piece] = (struct window){low, high};
    memset(u + REALS * low, 0, (size_t)(high - low) * sizeof(T));
    if (COMPLEX)
        memset(v + REALS * low, 0, (size_t)(high - low) * sizeof(T));
    take_columns(job, begin, end, u, v);
    if (!is_narrow(job))
        take_columns(job, n - end > half ? n - end : half, n - begin, u, v);
}

/* What a piece has of a block, counted from the block's first element. */
static struct window in_block(const struct window *w, int64_t from, int64_t count)
{
    return (struct window){.low = w->low > from ? w->low - from : 0,
                           .high = w->high - from < count ? w->high - from : count};
}

/* Elements [begin, end) of y, from the sums of all pieces. */
static void put_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const symv_job *job = given;
    const bool plain = is_zero(job->beta);
    for (int64_t from = begin; from < end; from += BLOCK) {
        const int64_t count = end - from < BLOCK ? end - from : BLOCK;
        R block[REALS * BLOCK];
        memset(block, 0, (size_t)count * sizeof(T));
        for (int p = 0; p < job->pieces; p++) {
            const struct window has = in_block(&job->window[p], from, count);
            const R *u = job->sums + p * SUMS_OF_PIECE(job) + REALS * from;
            for (int64_t i = REALS * has.low; i < REALS * has.high; i++)
                block[i] += u[i];
        }
#if COMPLEX
        for (int p = 0; p < job->pieces; p++) {
            const struct window has = in_block(&job->window[p], from, count);
            const R *v =
                job->sums + p * SUMS_OF_PIECE(job) + IN_LINES(REALS * job->n) + REALS * from;
            for (int64_t i = 2 * has.low; i < 2 * has.high; i += 2) {
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

#if COMPLEX
/* Of few rows: laying out x and adding sums up takes longer than the product. */
static void multiply_small(const symv_job *job)
{
    T x[SMALL_SYMMETRIC], sums[SMALL_SYMMETRIC];
    for (int64_t i = 0; i < job->n; i++) {
        x[i] = job->x[i * job->incx];
        sums[i] = (T){0, 0};
    }
    for (int64_t j = 0; j < job->n; j++) {
        const T *A = column_at(&job->A, j), f = x[j];
        const R sign = job->conj ? -1 : 1;
        int64_t first, last;
        stored_rows(job, j, &first, &last);
        T sum = {0, 0}, diagonal = A[j];
        diagonal.im = job->conj ? 0 : diagonal.im;
        first += !job->upper;
        last -= job->upper;
        for (int64_t i = first; i <= last; i++) {
            const T a = A[i];
            sums[i].re += a.re * f.re - a.im * f.im;
            sums[i].im += a.re * f.im + a.im * f.re;
            sum.re += a.re * x[i].re - sign * a.im * x[i].im;
            sum.im += a.re * x[i].im + sign * a.im * x[i].re;
        }
        add_multiple(diagonal, &f, &sum);
        sums[j].re += sum.re;
        sums[j].im += sum.im;
    }
    for (int64_t i = 0; i < job->n; i++) {
        T *y = job->y + i * job->incy;
        if (is_zero(job->beta))
            put_multiple(job->alpha, &sums[i], y);
        else
            put_combination(job->alpha, &sums[i], job->beta, y, y);
    }
}
#endif

#if SWAPPING
/* Rows of a triangle that is made a whole matrix first: between a multiple of a column and a
 * product with it sums go through memory, and short columns spend their time on that. */
#define MIRRORED       (sizeof(R) == 8 ? 32 : 40)
#define LEAST_MIRRORED 6

static gable_status multiply_mirrored(const symv_job *job, const gbl_matrix_args *call,
                                      gbl_message *message)
{
    const int64_t n = job->n;
    const R sign = job->conj ? -1 : 1;
    T whole[MIRRORED * MIRRORED];
    for (int64_t j = 0; j < n; j++) {
        const T *A = column_at(&job->A, j);
        const int64_t first = job->upper ? 0 : j + 1, end = job->upper ? j : n;
        for (int64_t i = first; i < end; i++) {
            whole[i + j * n] = A[i];
            whole[j + i * n] = (T){A[i].re, sign * A[i].im};
        }
        whole[j + j * n] = (T){A[j].re, job->conj ? 0 : A[j].im};
    }
    const gbl_matrix_args product = {.dtype = DTYPE,
                                     .trans = GABLE_NO_TRANS,
                                     .m = n,
                                     .n = n,
                                     .alpha = call->alpha,
                                     .beta = call->beta,
                                     .A = whole,
                                     .lda = n,
                                     .x = call->x,
                                     .incx = call->incx,
                                     .y = call->y,
                                     .incy = call->incy};
    return PRIVATE(gemv_omp)(NULL, NULL, &product, message);
}
#endif

static symv_job job_of(const gbl_matrix_args *call)
{
    symv_job job = {.upper = call->uplo == GABLE_UPPER,
                    .conj = call->conj,
                    .n = call->n,
                    .k = call->storage == GBL_BAND ? call->ku : call->n,
                    .incx = call->incx,
                    .incy = call->incy,
                    .alpha = read_scalar(&call->alpha),
                    .beta = read_scalar(&call->beta),
                    .A = columns_of(call)};
    job.x = (const T *)call->x - low_end(job.n, job.incx);
    job.y = (T *)call->y - low_end(job.n, job.incy);
    return job;
}

/* gbl_cpu_ssymv_omp gbl_cpu_dsymv_omp gbl_cpu_csymv_omp gbl_cpu_zsymv_omp */
WIDE_TASK(PRIVATE(symv_omp))
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
#if SWAPPING
    if (job.n >= LEAST_MIRRORED && job.n <= (int64_t)MIRRORED && job.k >= job.n - 1)
        return multiply_mirrored(&job, call, message);
#endif
#if COMPLEX
    if (job.n <= SMALL_SYMMETRIC) {
        multiply_small(&job);
        return GABLE_OK;
    }
#endif
    struct window windows[GBL_CPU_MAX_PIECES];
    job.window = windows;
    const int threads = omp_get_max_threads();
    const int64_t most = threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
    const int64_t room = IN_LINES(ROOM * job.n); /* for x */
    const size_t bytes = (size_t)(room + most * SUMS_OF_PIECE(&job)) * sizeof(R);
    _Alignas(GBL_CPU_LINE) R few[FEW_REALS];
    job.memory = bytes <= sizeof few ? few : aligned_alloc(GBL_CPU_LINE, bytes);
    if (job.memory == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for sums of %zu bytes",
                        bytes);
    job.by = lay_out(job.n, job.x, job.incx, job.conj, job.memory);
    job.sums = job.memory + room;
    /* Columns or pairs of them, as many at a time as go side by side. */
    const bool narrow = is_narrow(&job);
    job.pieces =
        gbl_cpu_share(narrow ? job.n : (job.n + 1) / 2, GBL_CPU_LINE / SIDE_EDGE,
                      ((narrow ? job.k : job.n) + 1) * (int64_t)sizeof(T), sum_piece, &job);
    gbl_cpu_share(job.n, sizeof(T), (job.pieces * REALS + 2) * (int64_t)sizeof(T), put_piece, &job);
    if (job.memory != few)
        free(job.memory);
    return GABLE_OK;
}

/* gbl_cpu_sspmv_omp gbl_cpu_dspmv_omp gbl_cpu_cspmv_omp gbl_cpu_zspmv_omp */
WIDE_TASK(PRIVATE(spmv_omp))
{
    return PRIVATE(symv_omp)(queue, stream, args, message);
}

#if !defined(GABLE_WIDE)
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
    const T alpha = read_scalar(&call->alpha);
    T beta = read_scalar(&call->beta);
    if (is_zero(alpha) || is_zero(beta)) {
        const gbl_scalar one = {.re = 1};
        symv_job job = job_of(call);
        scale(&job);
        beta = read_scalar(&one);
    }
    if (is_zero(alpha))
        return GABLE_OK;
    const int n = (int)call->n, lda = (int)call->lda;
    const int incx = (int)call->incx, incy = (int)call->incy;
#if COMPLEX
    padded x, y;
    x.at = call->x;
    y.at = call->y;
    if (incx == 1)
        padded_take(&x, n, call->x);
    if (incy == 1)
        padded_take(&y, n, call->y);
    const bool taken = x.at != NULL && y.at != NULL;
    if (taken)
        blas->BLAS(hemv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, n, &alpha, call->A, lda, x.at, incx,
                         &beta, y.at, incy);
    if (taken && incy == 1)
        memcpy(call->y, y.at, (size_t)n * sizeof(T));
    if (incx == 1)
        padded_free(&x);
    if (incy == 1)
        padded_free(&y);
    if (!taken)
        return padded_fail(message, n);
#else
    blas->BLAS(symv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, n, alpha, call->A, lda, call->x, incx,
                     beta, call->y, incy);
#endif
    return GABLE_OK;
}
#endif
