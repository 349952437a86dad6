/* cpu_trsv.c: x := op(A)^-1 x on the cpu, with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Substitution by panels of columns, with gemv's loops and threads for what is outside the triangle
 * on the diagonal: each column is read from end to end, after its part of x was solved for or,
 * where A is transposed, before. The triangle on the diagonal by halves (cpu_triangle.h): solve
 * with the half that needs nothing else, take its part out of the other, solve with that. Every x_i
 * is b_i minus a sum of products, divided by the diagonal, so the bound of substitution holds
 * (Higham, Accuracy and Stability, 8.1: any order of the sums).
 */
#include <math.h>
#include "cpu/cpu_triangle.h"
#include "cpu/cpu_padded.h"

/* Columns of a panel for each thread. */
#define PANEL 64

/* Rows of which nothing is fetched ahead. */
#define FEW 16

/* x / a */
static inline T divided(T x, T a)
{
#if defined(PREC_C) /* in double nothing can overflow */
    const double size = (double)a.re * a.re + (double)a.im * a.im;
    return (T){(R)(((double)x.re * a.re + (double)x.im * a.im) / size),
               (R)(((double)x.im * a.re - (double)x.re * a.im) / size)};
#elif COMPLEX /* Smith's way: the quotient of the parts of a is at most 1 */
    const bool turned = fabs(a.re) < fabs(a.im);
    const R large = turned ? a.im : a.re, small = turned ? a.re : a.im;
    const R ratio = small / large, size = large + small * ratio;
    return turned ? (T){(x.re * ratio + x.im) / size, (x.im * ratio - x.re) / size}
                  : (T){(x.re + x.im * ratio) / size, (x.im - x.re * ratio) / size};
#else
    return x / a;
#endif
}

static inline T negative(T a)
{
#if COMPLEX
    return (T){-a.re, -a.im};
#else
    return -a;
#endif
}

/* What an element of the diagonal is divided by, ready before the dividend is known: of complex
 * numbers its reciprocal, where that is neither too large nor too small. */
typedef struct divisor {
    T a;
#if COMPLEX
    double re, im; /* its reciprocal */
    bool plain;
#endif
} divisor;

static inline divisor divisor_of(const triangle *t, T a)
{
#if COMPLEX
    a.im = t->conj ? -a.im : a.im;
#if defined(PREC_C)
    const double size = (double)a.re * a.re + (double)a.im * a.im;
    return (divisor){a, a.re / size, -a.im / size, size > 0 && size < 0x1p+300};
#else
    const T one = divided((T){1, 0}, a);
    const double most = fabs(one.re) + fabs(one.im);
    return (divisor){a, one.re, one.im, most > 0x1p-900 && most < 0x1p+900};
#endif
#else
    (void)t;
    return (divisor){a};
#endif
}

static inline T quotient(T x, const divisor *by)
{
#if COMPLEX
    if (by->plain)
        return (T){(R)((double)x.re * by->re - (double)x.im * by->im),
                   (R)((double)x.re * by->im + (double)x.im * by->re)};
#endif
    return divided(x, by->a);
}

#if TAILED
/* x := x + f_0 column_0 + ..., `columns` of them, a constant in each call. */
INLINED void add_in_place(int columns, int64_t n, const T *f, const T *A, int64_t apart,
                          int64_t bend, T *x)
{
#if COMPLEX
    pack_factor by[SIDE];
#pragma GCC unroll 4
    for (int c = 0; c < columns; c++)
        by[c] = pack_factor_of(f[c]);
    for (int64_t i = 0; i < 2 * n; i += PACK) {
        const pack_tail tail = tail_of(2 * n - i);
        pack sum = pack_part(tail, (R *)x + i);
#pragma GCC unroll 4
        for (int c = 0; c < columns; c++)
            sum = pack_complex_add(
                &by[c], pack_part(tail, (const R *)beside_column(A, apart, bend, c) + i), sum);
        pack_put_part(tail, (R *)x + i, sum);
    }
#else
    const target into = {x, NULL};
    add_bent(columns, n, f, A, apart, bend, &into);
#endif
}

/* f(count, upper, ...) with constants: count is 1 to SIDE. */
#define WITH_COUNT(f, count, ...)                                                                  \
    ((count) == 4   ? f(4, __VA_ARGS__)                                                            \
     : (count) == 3 ? f(3, __VA_ARGS__)                                                            \
     : (count) == 2 ? f(2, __VA_ARGS__)                                                            \
                    : f(1, __VA_ARGS__))
#define WITH_CONSTANTS(f, count, upper, ...)                                                       \
    ((upper) ? WITH_COUNT(f, count, true, __VA_ARGS__) : WITH_COUNT(f, count, false, __VA_ARGS__))

/* Columns [j, j + count) of the triangle at `first`: their part of x is solved for and taken out of
 * what is left. count and upper are constants in each call. */
INLINED void solve_side(int count, bool upper, const triangle *t, int64_t first, int n, int j, T *x)
{
    const int64_t apart = apart_at(&t->A, first + j), bend = t->A.bend;
    const T *A = column_at(&t->A, first + j) + first + j;
    const T one = read_scalar(&(gbl_scalar){.re = 1});
    T known[SIDE], f[SIDE];
    divisor by[SIDE];
#pragma GCC unroll 4
    for (int c = 0; c < count; c++) {
        known[c] = x[j + c];
        by[c] = divisor_of(t, t->unit ? one : beside_column(A, apart, bend, c)[c]);
    }
#pragma GCC unroll 4
    for (int step = 0; step < count; step++) {
        const int c = upper ? count - 1 - step : step;
        if (!t->unit)
            known[c] = quotient(known[c], &by[c]);
        f[c] = negative(known[c]);
        x[j + c] = known[c];
        for (int i = upper ? 0 : c + 1; i < (upper ? c : count); i++)
            add_multiple(f[c], beside_column(A, apart, bend, c) + i, known + i);
    }
    const int from = upper ? 0 : j + count, to = upper ? j : n;
    add_in_place(count, to - from, f, A + (from - j), apart, bend, x + from);
}

static void solve_leaf_plain(const triangle *t, int64_t first, int n, T *x)
{
    int count;
    for (int left = n; left > 0; left -= count) {
        count = left < SIDE ? left : SIDE;
        const int j = t->upper ? left - count : n - left;
        WITH_CONSTANTS(solve_side, count, t->upper, t, first, n, j, x);
    }
}

/* The same columns have the coefficients of their elements' own equations. */
INLINED void solve_side_transposed(int count, bool upper, const triangle *t, int64_t first, int n,
                                   int j, T *x)
{
    const int64_t apart = apart_at(&t->A, first + j), bend = t->A.bend;
    const T *A = column_at(&t->A, first + j) + first + j;
    const int from = upper ? 0 : j + count, to = upper ? j : n;
    const beside known = lay_out(to - from, x + from, 1, t->conj, NULL);
    partial sum[SIDE] = {{0, 0}};
    const T one = read_scalar(&(gbl_scalar){.re = 1});
    T left[SIDE];
    divisor by[SIDE];
#pragma GCC unroll 4
    for (int c = 0; c < count; c++)
        by[c] = divisor_of(t, t->unit ? one : beside_column(A, apart, bend, c)[c]);
    multiply_bent(count, to - from, A + (from - j), apart, bend, &known, sum);
#pragma GCC unroll 4
    for (int c = 0; c < count; c++) {
        left[c] = x[j + c];
#if COMPLEX
        left[c].re -= (R)sum[c].re;
        left[c].im -= (R)sum[c].im;
#else
        left[c] -= (R)sum[c].re;
#endif
    }
#pragma GCC unroll 4
    for (int step = 0; step < count; step++) {
        const int c = upper ? step : count - 1 - step;
        if (!t->unit)
            left[c] = quotient(left[c], &by[c]);
        x[j + c] = left[c];
        for (int to_c = upper ? c + 1 : 0; to_c < (upper ? count : c); to_c++) {
            T a = negative(beside_column(A, apart, bend, to_c)[c]);
#if COMPLEX
            a.im = t->conj ? -a.im : a.im;
#endif
            add_multiple(a, left + c, left + to_c);
        }
    }
}

static void solve_leaf_transposed(const triangle *t, int64_t first, int n, T *x)
{
    int count;
    for (int left = n; left > 0; left -= count) {
        count = left < SIDE ? left : SIDE;
        const int j = t->upper ? n - left : left - count;
        WITH_CONSTANTS(solve_side_transposed, count, t->upper, t, first, n, j, x);
    }
}
#else
/* Column after column of A: x_j is known, and is taken out of what is left. */
static void solve_leaf_plain(const triangle *t, int64_t first, int n, T *x)
{
    for (int step = 0; step < n; step++) {
        const int j = t->upper ? n - 1 - step : step;
        const T *column = column_at(&t->A, first + j) + first;
        if (!t->unit)
            x[j] = divided(x[j], column[j]);
        const T taken = negative(x[j]);
        for (int i = t->upper ? 0 : j + 1; i < (t->upper ? j : n); i++)
            add_multiple(taken, column + i, x + i);
    }
}

/* Column j of A has the coefficients of x_j's own equation. */
static void solve_leaf_transposed(const triangle *t, int64_t first, int n, T *x)
{
    for (int step = 0; step < n; step++) {
        const int j = t->upper ? step : n - 1 - step;
        T sum = x[j];
        for (int i = t->upper ? 0 : j + 1; i < (t->upper ? j : n); i++)
            add_multiple(negative(stored(t, first + i, first + j)), x + i, &sum);
        x[j] = t->unit ? sum : divided(sum, stored(t, first + j, first + j));
    }
}

#endif

/* ---- blocks beside the diagonal ---- */

/* Rows of x that are made at a time where A is packed. */
#define PACKED_ROWS ((int64_t)(16384 / sizeof(T)))

/* Rows [row, row + rows) of columns [column, column + columns) of a packed triangle. */
typedef struct packed_block {
    const triangle *t;
    int64_t row, rows, column, columns;
} packed_block;

/* Rows [begin, end) of the block times the columns' part of x are taken out of the rows' part. */
static void take_rows_out(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const packed_block *b = given;
    const triangle *t = b->t;
    R u[REALS * PACKED_ROWS], v[COMPLEX ? REALS * PACKED_ROWS : 1];
    const target into = {u, v};
    for (int64_t from = begin; from < end; from += PACKED_ROWS) {
        const int64_t rows = end - from < PACKED_ROWS ? end - from : PACKED_ROWS;
        memset(u, 0, (size_t)rows * sizeof(T));
        if (COMPLEX)
            memset(v, 0, (size_t)rows * sizeof(T));
        int count;
        for (int64_t j = b->column; j < b->column + b->columns; j += count) {
            const T *A = column_at(&t->A, j) + b->row + from;
            T f[SIDE_EDGE];
            count = b->column + b->columns - j < SIDE_EDGE ? 1 : SIDE_EDGE;
            for (int c = 0; c < count; c++)
                f[c] = negative(t->x[(j + c) * t->incx]);
            if (count == SIDE_EDGE)
                add_bent(SIDE_EDGE, rows, f, A, apart_at(&t->A, j), t->A.bend, &into);
            else
                add_bent(1, rows, f, A, apart_at(&t->A, j), t->A.bend, &into);
        }
        for (int64_t i = 0; i < rows; i++) {
            T *x = t->x + (b->row + from + i) * t->incx;
#if COMPLEX
            x->re += u[2 * i] - v[2 * i + 1];
            x->im += u[2 * i + 1] + v[2 * i];
#else
            *x += u[i];
#endif
        }
    }
}

/* The products of columns [begin, end) of the block with the rows' part of x are taken out of x
 * there. */
static void take_columns_out(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const packed_block *b = given;
    const triangle *t = b->t;
    R room[ROOM * PACKED_ROWS];
    int count;
    for (int64_t from = 0; from < b->rows; from += PACKED_ROWS) {
        const int64_t rows = b->rows - from < PACKED_ROWS ? b->rows - from : PACKED_ROWS;
        const int64_t row = b->row + from;
        const beside x = lay_out(rows, t->x + row * t->incx, t->incx, t->conj, room);
        for (int64_t j = b->column + begin; j < b->column + end; j += count) {
            const T *A = column_at(&t->A, j) + row;
            partial sum[SIDE_EDGE] = {{0, 0}};
            count = b->column + end - j < SIDE_EDGE ? 1 : SIDE_EDGE;
            if (count == SIDE_EDGE)
                multiply_bent(SIDE_EDGE, rows, A, apart_at(&t->A, j), t->A.bend, &x, sum);
            else
                multiply_bent(1, rows, A, apart_at(&t->A, j), t->A.bend, &x, sum);
            for (int c = 0; c < count; c++) {
                T *to = t->x + (j + c) * t->incx;
#if COMPLEX
                to->re -= (R)sum[c].re;
                to->im -= (R)sum[c].im;
#else
                *to -= (R)sum[c].re;
#endif
            }
        }
    }
}

/* What x has of one of the halves [first, middle) and [middle, end) is taken out of the other; see
 * add_block. */
static gable_status take_block_out(const triangle *t, int64_t first, int64_t middle, int64_t end,
                                   gbl_message *message)
{
    const int64_t one = middle - first, two = end - middle;
    packed_block b = {.t = t,
                      .row = t->upper ? first : middle,
                      .rows = t->upper ? one : two,
                      .column = t->upper ? middle : first,
                      .columns = t->upper ? two : one};
    if (t->A.bend == 0)
        return add_block(t, first, middle, end, -1, message);
    if (t->transposed)
        gbl_cpu_share(b.columns, GBL_CPU_LINE / SIDE_EDGE, (b.rows + 2) * (int64_t)sizeof(T),
                      take_columns_out, &b);
    else
        gbl_cpu_share(b.rows, sizeof(T), (b.columns + 2) * (int64_t)sizeof(T), take_rows_out, &b);
    return GABLE_OK;
}

/* ---- the triangle ---- */

static gable_status solve(const triangle *t, int64_t first, int64_t n, gbl_message *message)
{
    if (n <= LEAF) {
        T x[LEAF];
        for (int64_t i = 0; i < n; i++)
            x[i] = t->x[(first + i) * t->incx];
        if (t->transposed)
            solve_leaf_transposed(t, first, (int)n, x);
        else
            solve_leaf_plain(t, first, (int)n, x);
        for (int64_t i = 0; i < n; i++)
            t->x[(first + i) * t->incx] = x[i];
        return GABLE_OK;
    }
    const int64_t half = first_half(n), middle = first + half;
    if (t->upper == t->transposed) { /* op(A) is lower triangular */
        TRY(solve(t, first, half, message));
        TRY(take_block_out(t, first, middle, first + n, message));
        return solve(t, middle, n - half, message);
    }
    TRY(solve(t, middle, n - half, message));
    TRY(take_block_out(t, first, middle, first + n, message));
    return solve(t, first, half, message);
}

/* Asks for the triangle on the diagonal: its columns are too short for the hardware to see them
 * coming. */
static void fetch(const triangle *t, int64_t first, int64_t n)
{
    const int64_t line = GBL_CPU_LINE / (int64_t)sizeof(T);
    for (int64_t j = first; j < first + n; j++) {
        const T *column = column_at(&t->A, j);
        const int64_t last = t->upper ? j : first + n - 1;
        for (int64_t i = t->upper ? first : j; i < last; i += line)
            __builtin_prefetch(column + i);
        __builtin_prefetch(column + last);
    }
}

/* Panel [first, first + n) of `all` columns. */
static gable_status solve_panel(const triangle *t, int64_t first, int64_t n, int64_t all,
                                gbl_message *message)
{
    const bool lower = t->upper == t->transposed; /* op(A) is */
    if (t->transposed && lower)
        TRY(take_block_out(t, 0, first, first + n, message));
    else if (t->transposed)
        TRY(take_block_out(t, first, first + n, all, message));
    fetch(t, first, n);
    TRY(solve(t, first, n, message));
    if (t->transposed)
        return GABLE_OK;
    return lower ? take_block_out(t, first, first + n, all, message)
                 : take_block_out(t, 0, first, first + n, message);
}

/* gbl_cpu_strsv_omp gbl_cpu_dtrsv_omp gbl_cpu_ctrsv_omp gbl_cpu_ztrsv_omp */
WIDE_TASK(PRIVATE(trsv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const triangle t = triangle_of(call);
    if (call->n <= FEW) /* nothing is outside of the triangle on the diagonal */
        return solve(&t, 0, call->n, message);
    const int threads = omp_in_parallel() ? 1 : omp_get_max_threads();
    const int64_t n = call->n, panel = PANEL * (int64_t)threads, panels = (n + panel - 1) / panel;
    for (int64_t p = 0; p < panels; p++) {
        const int64_t first = (t.upper == t.transposed ? p : panels - 1 - p) * panel;
        TRY(solve_panel(&t, first, n - first < panel ? n - first : panel, n, message));
    }
    return GABLE_OK;
}

/* gbl_cpu_stpsv_omp gbl_cpu_dtpsv_omp gbl_cpu_ctpsv_omp gbl_cpu_ztpsv_omp */
WIDE_TASK(PRIVATE(tpsv_omp))
{
    return PRIVATE(trsv_omp)(queue, stream, args, message);
}

/* ---- bands ---- */

/* Bands with fewer diagonals go column by column: blocks would be too small for threads. */
#define WIDE 64

#if TAILED
#define NEAR 4 /* elements beside the diagonal that go one by one: they were changed just now */
#if defined(PREC_Z)
#define ONE_BY_ONE NEAR
#else
#define ONE_BY_ONE 20 /* so many go faster one by one than the lanes of a sum are added up */
#endif

/* Column j of a band with rows [low, high) beside the diagonal, more than NEAR, has the
 * coefficients of x_j. */
static T sum_column(const triangle *t, int64_t j, int64_t low, int64_t high)
{
    T *const x = t->x;
    T sum = x[j];
    const int64_t far = t->upper ? low : low + NEAR, near = t->upper ? high - NEAR : low;
    const beside known = lay_out(high - low - NEAR, x + far, 1, t->conj, NULL);
    partial taken = {0, 0};
    multiply_side(1, high - low - NEAR, column_at(&t->A, j) + far, 0, &known, &taken);
#if COMPLEX
    sum.re -= (R)taken.re;
    sum.im -= (R)taken.im;
#else
    sum -= (R)taken.re;
#endif
#pragma GCC unroll 4
    for (int step = 0; step < NEAR; step++) { /* the nearest one was known last */
        const int64_t i = near + (t->upper ? step : NEAR - 1 - step);
        add_multiple(negative(stored(t, i, j)), x + i, &sum);
    }
    return sum;
}
#else
#define ONE_BY_ONE                  INT64_MAX
#define sum_column(t, j, low, high) ((t)->x[j])
#endif

/* One column after the other. Terms that were known first come first in a sum. */
static void solve_narrow(const triangle *t, int64_t n, int64_t k)
{
    const bool rising = t->upper == t->transposed;
    const int64_t incx = t->incx;
    const T one = read_scalar(&(gbl_scalar){.re = 1});
    for (int64_t step = 0; step < n; step++) {
        const int64_t j = rising ? step : n - 1 - step;
        const int64_t low = !t->upper ? j + 1 : j > k ? j - k : 0;
        const int64_t high = t->upper ? j : n - 1 - j > k ? j + k + 1 : n;
        const T *A = column_at(&t->A, j);
        T *x = t->x + j * incx;
        const divisor by = divisor_of(t, t->unit ? one : A[j]);
        if (t->transposed) {
            const bool far = incx == 1 && high - low > ONE_BY_ONE;
            T sum = far ? sum_column(t, j, low, high) : *x;
            for (int64_t i = far ? high : low; i < high; i++) {
                const int64_t row = t->upper ? i : high - 1 - (i - low);
                add_multiple(negative(stored(t, row, j)), t->x + row * incx, &sum);
            }
            *x = t->unit ? sum : quotient(sum, &by);
            continue;
        }
        if (!t->unit)
            *x = quotient(*x, &by);
        const T taken = negative(*x);
        if (incx == 1) {
#pragma omp simd
            for (int64_t i = low; i < high; i++)
                add_multiple(taken, A + i, t->x + i);
        } else {
            for (int64_t i = low; i < high; i++)
                add_multiple(taken, A + i, t->x + i * incx);
        }
    }
}

/* The rows of the band beside columns [first, first + n), which are at most k: a band again. */
static gable_status take_band_out(const triangle *t, const gbl_matrix_args *call, int64_t first,
                                  int64_t n, gbl_message *message)
{
    const int64_t k = call->ku, all = call->n, after = all - first - n;
    const int64_t rows = t->upper ? (first < k ? first : k) : after < k ? after : k;
    const int64_t row = t->upper ? first - rows : first + n;
    T *const x_rows = piece_of_x(t, row, rows), *const x_columns = piece_of_x(t, first, n);
    const gbl_matrix_args band = {.dtype = DTYPE,
                                  .trans = call->trans,
                                  .storage = GBL_BAND,
                                  .m = rows,
                                  .n = n,
                                  .kl = t->upper ? rows - 1 : k - n,
                                  .ku = t->upper ? k - rows : n,
                                  .alpha = {.re = -1},
                                  .beta = {.re = 1},
                                  .A = (T *)call->A + first * call->lda,
                                  .lda = call->lda,
                                  .x = t->transposed ? x_rows : x_columns,
                                  .incx = t->incx,
                                  .y = t->transposed ? x_columns : x_rows,
                                  .incy = t->incx};
    return rows > 0 ? PRIVATE(gbmv_omp)(NULL, NULL, &band, message) : GABLE_OK;
}

/* gbl_cpu_stbsv_omp gbl_cpu_dtbsv_omp gbl_cpu_ctbsv_omp gbl_cpu_ztbsv_omp */
WIDE_TASK(PRIVATE(tbsv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const triangle t = triangle_of(call);
    const int64_t n = call->n, k = call->ku;
    if (k < WIDE) {
        solve_narrow(&t, n, k);
        return GABLE_OK;
    }
    const int threads = omp_in_parallel() ? 1 : omp_get_max_threads();
    const int64_t most = PANEL * (int64_t)threads, panel = most < k ? most : k;
    const int64_t panels = (n + panel - 1) / panel;
    for (int64_t p = 0; p < panels; p++) {
        const int64_t first = (t.upper == t.transposed ? p : panels - 1 - p) * panel;
        const int64_t count = n - first < panel ? n - first : panel;
        if (t.transposed)
            TRY(take_band_out(&t, call, first, count, message));
        fetch(&t, first, count);
        TRY(solve(&t, first, count, message));
        if (!t.transposed)
            TRY(take_band_out(&t, call, first, count, message));
    }
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
/* gbl_cpu_strsv_blas gbl_cpu_dtrsv_blas gbl_cpu_ctrsv_blas gbl_cpu_ztrsv_blas */
GBL_CPU_TASK(PRIVATE(trsv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(trsv_omp)(queue, stream, args, message);
    const int trans = !COMPLEX && call->trans == GABLE_CONJ_TRANS ? GABLE_TRANS : (int)call->trans;
#if COMPLEX
    if (call->incx == 1 && call->n > 0) {
        padded x;
        padded_take(&x, call->n, call->x);
        if (x.at == NULL)
            return padded_fail(message, call->n);
        blas->BLAS(trsv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans, (int)call->diag,
                         (int)call->n, call->A, (int)call->lda, x.at, 1);
        memcpy(call->x, x.at, (size_t)call->n * sizeof(T));
        padded_free(&x);
        return GABLE_OK;
    }
#endif
    blas->BLAS(trsv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans, (int)call->diag, (int)call->n,
                     call->A, (int)call->lda, call->x, (int)call->incx);
    return GABLE_OK;
}
#endif
