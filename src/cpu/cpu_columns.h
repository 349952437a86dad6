/* cpu_columns.h: a few columns of a matrix beside one vector: the inner loops of mdot, maxpy and
 * gemv.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two loops over a block of rows. add_products adds up the products of columns with a block of a
 * vector: mdot, and gemv with a transpose; add_columns adds multiples of columns to a block: maxpy,
 * and gemv without. A few columns are read side by side, so that the block is loaded once for all.
 *
 * Complex columns are read as real numbers, re and im in turn, and the pairs are sorted out in the
 * vector, once per block for all columns: products are with two arrays made of the vector; sums are
 * of the real and of the imaginary parts of the coefficients times the columns, put together at the
 * end.
 *
 * In a triangle columns side by side are neighbours. Each one is a stream of memory by itself, the
 * hardware's prefetch runs past the end of every stream, and it does so the less the more of them
 * there are (x := A x, two cores of a Neoverse V1, 2026-11, d, GB/s with 2, 4 and 8 columns:
 * n = 700 21, 27 and 36, n = 2700 33, 43 and 52, n = 10000 46, 54 and 62; with four runs of columns
 * 22, 29 and 39).
 *
 * The file that includes this one defines ROWS, the most rows of a block, if it works on blocks.
 */
#ifndef GBL_CPU_COLUMNS_H
#define GBL_CPU_COLUMNS_H

#include <math.h>
#include "cpu/cpu_small.h"
#include "cpu/cpu_vector.h"

/* ---- where columns lie ---- */

/* Element (i, j) of a stored matrix is A[i + j apart + bend j (j - 1) / 2], also for bands (of
 * which A is the element (0, 0)) and for packed triangles, whose columns get longer (bend is 1) or
 * shorter (-1). */
typedef struct stored_columns {
    const T *A;
    int64_t apart, bend;
} stored_columns;

static inline stored_columns columns_of(const gbl_matrix_args *call)
{
    const bool upper = call->uplo == GABLE_UPPER;
    if (call->storage == GBL_PACKED)
        return (stored_columns){call->A, upper ? 1 : call->n - 1, upper ? 1 : -1};
    if (call->storage == GBL_BAND) /* of a triangle */
        return (stored_columns){(const T *)call->A + (upper ? call->ku : 0), call->lda - 1, 0};
    return (stored_columns){call->A, call->lda, 0};
}

/* Row 0 of column j, stored or not, and what is between it and that of the next column. */
static inline const T *column_at(const stored_columns *all, int64_t j)
{
    return all->A + j * all->apart + all->bend * (j * (j - 1) / 2);
}

static inline int64_t apart_at(const stored_columns *all, int64_t j)
{
    return all->apart + all->bend * j;
}

/* Of columns side by side, the first of which is X: column c. */
INLINED const T *beside_column(const T *X, int64_t ldx, int64_t bend, int c)
{
    return X + c * ldx + bend * (c * (c - 1) / 2);
}

/* ---- products of columns with a vector ---- */

/* Columns that are multiplied side by side: their sums take 8 vector registers, half of what x86-64
 * has. At the edge of a triangle, where columns do not go on in the next ones, real ones go twice
 * as many together: see cpu_triangle.h. */
#define SIDE      4
#define SIDE_EDGE (COMPLEX ? 4 : 8)

/* A sum under way; im stays 0 for real vectors. */
typedef struct partial {
    double re, im;
} partial;

/* A vector as columns of real numbers are multiplied with it. For complex ones (re, -im) gives the
 * terms of the real part, (im, re) those of the imaginary one; other signs for conj(x). Wide
 * registers swap re and im faster than they load them: there the vector stays as it is, all terms
 * are added, and their signs come last. */
typedef struct beside {
    const R *re, *im;
    R sign; /* of products of two imaginary parts, turned; where im is not used */
} beside;

#define SWAPPING (COMPLEX && TAILED)

/* Real numbers that laying out takes room for, an element. */
#define ROOM (COMPLEX ? 4 : 1)

/* In two arrays. */
static inline beside lay_out_twice(int64_t n, const T *y, int64_t incy, bool conj, R *room)
{
#if COMPLEX
    const R sign = conj ? -1 : 1;
    R *restrict re = room, *restrict im = room + 2 * n;
    if (incy == 1) {
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            re[2 * i] = y[i].re;
            re[2 * i + 1] = -sign * y[i].im;
        }
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            im[2 * i] = y[i].im;
            im[2 * i + 1] = sign * y[i].re;
        }
    } else {
        for (int64_t i = 0; i < n; i++) {
            const T value = y[i * incy];
            re[2 * i] = value.re;
            re[2 * i + 1] = -sign * value.im;
            im[2 * i] = value.im;
            im[2 * i + 1] = sign * value.re;
        }
    }
    return (beside){re, im, sign};
#else
    (void)conj;
    return (beside){packed(n, y, incy, room), NULL, 1};
#endif
}

static inline beside lay_out(int64_t n, const T *y, int64_t incy, bool conj, R *room)
{
    if (!SWAPPING)
        return lay_out_twice(n, y, incy, conj, room);
    const R *re = (const R *)packed(n, y, incy, (T *)room);
    return (beside){re, re, conj ? -1 : 1};
}

/* The same from element `first` on. */
static inline beside beside_from(const beside *y, int64_t first)
{
    return (beside){y->re + REALS * first, COMPLEX ? y->im + REALS * first : NULL, y->sign};
}

#if COMPLEX
/* Sums of each kind a column has: with a fused multiply-add, whose latency is long, and registers
 * for it, two. */
#if defined(__aarch64__) || PACK_BYTES == 64
#define DEEP_COMPLEX 2
#else
#define DEEP_COMPLEX 1
#endif

/* Pair by pair, as cpu_dot.c does: x_i y_i may be finite where the sums of its terms are not. */
static inline partial careful_sum(int64_t n, const T *x, const beside *y)
{
    partial sum = {0, 0};
    for (int64_t i = 0; i < n; i++) {
#if SWAPPING
        const T *at = (const T *)y->re + i;
        sum.re += x[i].re * at->re - y->sign * x[i].im * at->im;
        sum.im += x[i].re * at->im + y->sign * x[i].im * at->re;
#else
        sum.re += x[i].re * y->re[2 * i] + x[i].im * y->re[2 * i + 1];
        sum.im += x[i].re * y->im[2 * i] + x[i].im * y->im[2 * i + 1];
#endif
    }
    return sum;
}

/* Numbers [i, i + PACK) of what gives imaginary parts, beside those that give real ones. */
static inline pack second_at(const beside *y, int64_t i, pack first)
{
#if SWAPPING
    (void)y, (void)i;
    return pack_swapped(first);
#else
    (void)first;
    return pack_at(y->im + i);
#endif
}

#if SWAPPING
/* Sums of terms that are kept apart become totals: re has terms with the numbers of y, im with
 * their neighbours; of every pair the second one has a sign. `columns` is a constant in each
 * call. */
INLINED void total_swapped(int columns, const beside *y, const pack *re, const pack *im,
                           partial *total)
{
    const pack_word one = (pack_word)pack_of(1), same = (pack_word)pack_of((1 + y->sign) / 2),
                    other = (pack_word)pack_of((1 - y->sign) / 2);
    const pack to_re = (pack)WORD(fmsubadd)(one, other, same); /* 1, -sign */
    const pack to_im = (pack)WORD(fmsubadd)(one, same, other); /* 1, sign */
    pack a[SIDE], b[SIDE];
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++) {
        a[c] = re[c] * to_re;
        b[c] = im[c] * to_im;
    }
#if PACK_BYTES == 64
    if (columns == SIDE) {
        _mm512_storeu_pd(total, sums_of_four(a, b));
        return;
    }
#endif
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++) {
        const pack_rest sums = pack_sums(a[c], b[c]);
        total[c] = (partial){sums[0], sums[1]};
    }
}

/* Adds the total of a column of n rows, unless the sum of its pairs is needed. */
static inline void add_total(int64_t n, const T *x, const beside *y, partial total, partial *sum)
{
    if (!(total.re - total.re + (total.im - total.im) == 0)) /* one of them is not finite */
        total = careful_sum(n, x, y);
    sum->re += total.re;
    sum->im += total.im;
}

/* Adds the products of `columns` columns, a constant in each call, with n rows of a vector. */
INLINED void multiply_bent(int columns, int64_t n, const T *X, int64_t ldx, int64_t bend,
                           const beside *y, partial *sum)
{
    enum { STEP = DEEP_COMPLEX * PACK };
    pack re[SIDE][DEEP_COMPLEX] = {{{0}}}, im[SIDE][DEEP_COMPLEX] = {{{0}}};
    int64_t i = 0;
    for (; i + STEP <= 2 * n; i += STEP) {
#pragma GCC unroll 2
        for (int d = 0; d < DEEP_COMPLEX; d++) {
            const pack ys = pack_at(y->re + i + d * PACK), turned = pack_swapped(ys);
#pragma GCC unroll 8
            for (int c = 0; c < columns; c++) {
                const pack x = pack_at((const R *)beside_column(X, ldx, bend, c) + i + d * PACK);
                re[c][d] = pack_multiply_add(x, ys, re[c][d]);
                im[c][d] = pack_multiply_add(x, turned, im[c][d]);
            }
        }
    }
    for (; i < 2 * n; i += PACK) {
        const pack_tail tail = tail_of(2 * n - i);
        const pack ys = pack_part(tail, y->re + i), turned = pack_swapped(ys);
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++) {
            const pack x = pack_part(tail, (const R *)beside_column(X, ldx, bend, c) + i);
            re[c][0] = pack_multiply_add(x, ys, re[c][0]);
            im[c][0] = pack_multiply_add(x, turned, im[c][0]);
        }
    }
    pack all_re[SIDE], all_im[SIDE];
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++) {
        all_re[c] = re[c][0];
        all_im[c] = im[c][0];
        if (DEEP_COMPLEX > 1) {
            all_re[c] += re[c][DEEP_COMPLEX - 1];
            all_im[c] += im[c][DEEP_COMPLEX - 1];
        }
    }
    partial total[SIDE];
    total_swapped(columns, y, all_re, all_im, total);
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++)
        add_total(n, beside_column(X, ldx, bend, c), y, total[c], sum + c);
}
#else
/* Adds the products of `columns` columns, a constant in each call, with n rows of a vector. Loops
 * over columns are unrolled where they meet sums in registers: gcc would put them into memory. */
INLINED void multiply_bent(int columns, int64_t n, const T *X, int64_t ldx, int64_t bend,
                           const beside *y, partial *sum)
{
    enum { STEP = DEEP_COMPLEX * PACK };
    pack re[SIDE][DEEP_COMPLEX] = {{{0}}}, im[SIDE][DEEP_COMPLEX] = {{{0}}};
    int64_t i = 0;
    for (; i + STEP <= 2 * n; i += STEP) {
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++) {
#pragma GCC unroll 2
            for (int d = 0; d < DEEP_COMPLEX; d++) {
                const int64_t at = i + d * PACK;
                const pack x = pack_at((const R *)beside_column(X, ldx, bend, c) + at);
                re[c][d] = pack_multiply_add(x, pack_at(y->re + at), re[c][d]);
                im[c][d] = pack_multiply_add(x, pack_at(y->im + at), im[c][d]);
            }
        }
    }
    partial lanes[SIDE] = {{0, 0}};
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++) {
#pragma GCC unroll 2
        for (int d = 0; d < DEEP_COMPLEX; d++) {
            lanes[c].re += pack_sum(re[c][d]);
            lanes[c].im += pack_sum(im[c][d]);
        }
    }
    for (int c = 0; c < columns; c++) {
        const R *x = (const R *)beside_column(X, ldx, bend, c);
        partial total = lanes[c];
        for (int64_t j = i; j < 2 * n; j++) {
            total.re += x[j] * y->re[j];
            total.im += x[j] * y->im[j];
        }
        if (!isfinite(total.re) || !isfinite(total.im))
            total = careful_sum(n, (const T *)x, y);
        sum[c].re += total.re;
        sum[c].im += total.im;
    }
}
#endif
#else
INLINED void multiply_bent(int columns, int64_t n, const T *X, int64_t ldx, int64_t bend,
                           const beside *y, partial *sum)
{
    const int deep = columns > SIDE ? 1 : 2, step = deep * PACK;
    pack lane[SIDE_EDGE][2] = {{{0}}};
    int64_t i = 0;
    for (; i + step <= n; i += step)
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++)
            for (int d = 0; d < deep; d++)
                lane[c][d] += pack_at(beside_column(X, ldx, bend, c) + i + d * PACK) *
                              pack_at(y->re + i + d * PACK);
#if TAILED
    for (; i < n; i += PACK) {
        const pack_tail tail = tail_of(n - i);
        const pack ys = pack_part(tail, y->re + i);
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++)
            lane[c][0] += pack_part(tail, beside_column(X, ldx, bend, c) + i) * ys;
    }
#endif
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++)
        sum[c].re += pack_sum(deep > 1 ? lane[c][0] + lane[c][1] : lane[c][0] + 0);
    for (int c = 0; c < columns; c++)
        for (int64_t j = i; j < n; j++)
            sum[c].re += beside_column(X, ldx, bend, c)[j] * y->re[j];
}
#endif

/* The same for columns that are all ldx apart. */
INLINED void multiply_side(int columns, int64_t n, const T *X, int64_t ldx, const beside *y,
                           partial *sum)
{
    multiply_bent(columns, n, X, ldx, 0, y, sum);
}

#if defined(ROWS)
/* A block of a vector. */
typedef struct block {
    beside y;
    R room[ROOM * ROWS];
} block;

static inline void take_block(int64_t n, const T *y, int64_t incy, bool conj, block *b)
{
    b->y = lay_out(n, y, incy, conj, b->room);
}

/* sum_c += the product of column c with the block, for any number of columns. */
static inline void add_products(int64_t columns, int64_t n, const T *X, int64_t ldx, const block *b,
                                partial *sum)
{
    int64_t c = 0;
    for (; c + SIDE <= columns; c += SIDE)
        multiply_side(SIDE, n, X + c * ldx, ldx, &b->y, sum + c);
    if (columns - c == 3)
        multiply_side(3, n, X + c * ldx, ldx, &b->y, sum + c);
    else if (columns - c == 2)
        multiply_side(2, n, X + c * ldx, ldx, &b->y, sum + c);
    else if (columns - c == 1)
        multiply_side(1, n, X + c * ldx, ldx, &b->y, sum + c);
}
#endif

/* ---- sums of multiples of columns ---- */

/* Columns that are added side by side. */
#define TOGETHER 4

/* What the terms of a block of rows are added to: y itself, or, for complex vectors, two arrays of
 * real numbers: the real (u) and the imaginary parts (v) of the coefficients times the columns. */
typedef struct target {
    R *u, *v;
} target;

#if COMPLEX
/* a b + c, in one rounding where that is one instruction: complex products take twice as many
 * operations per byte as real ones. */
static inline R multiply_add(R a, R b, R c)
{
#if defined(__aarch64__) || defined(__FMA__)
    return sizeof(R) == sizeof(float) ? (R)fmaf((float)a, (float)b, (float)c) : (R)fma(a, b, c);
#else
    return a * b + c;
#endif
}

#if TAILED
INLINED void add_pack(int columns, const pack_tail *tail, const pack *re, const pack *im,
                      const T *X, int64_t ldx, int64_t bend, int64_t i, R *u, R *v)
{
    pack us = pack_some(tail, u + i), vs = pack_some(tail, v + i);
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++) {
        const pack x = pack_some(tail, (const R *)beside_column(X, ldx, bend, c) + i);
        us = pack_multiply_add(x, re[c], us);
        vs = pack_multiply_add(x, im[c], vs);
    }
    pack_put_some(tail, u + i, us);
    pack_put_some(tail, v + i, vs);
}

INLINED void add_bent(int columns, int64_t n, const T *a, const T *X, int64_t ldx, int64_t bend,
                      const target *into)
{
    pack re[SIDE], im[SIDE];
    int64_t i = 0;
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++) {
        re[c] = pack_of(a[c].re);
        im[c] = pack_of(a[c].im);
    }
    for (; i + PACK <= 2 * n; i += PACK)
        add_pack(columns, NULL, re, im, X, ldx, bend, i, into->u, into->v);
    if (i < 2 * n) {
        const pack_tail tail = tail_of(2 * n - i);
        add_pack(columns, &tail, re, im, X, ldx, bend, i, into->u, into->v);
    }
}
#else
INLINED void add_bent(int columns, int64_t n, const T *a, const T *X, int64_t ldx, int64_t bend,
                      const target *into)
{
    R *restrict u = into->u, *restrict v = into->v;
    const R *x0 = (const R *)X;
    const R *x1 = (const R *)beside_column(X, ldx, bend, columns > 1 ? 1 : 0);
    const R *x2 = (const R *)beside_column(X, ldx, bend, columns > 2 ? 2 : 0);
    const R *x3 = (const R *)beside_column(X, ldx, bend, columns > 3 ? 3 : 0);
    for (int64_t i = 0; i < 2 * n; i++) {
        R re = multiply_add(a[0].re, x0[i], u[i]), im = multiply_add(a[0].im, x0[i], v[i]);
        if (columns > 1) {
            re = multiply_add(a[1].re, x1[i], re);
            im = multiply_add(a[1].im, x1[i], im);
        }
        if (columns > 2) {
            re = multiply_add(a[2].re, x2[i], re);
            im = multiply_add(a[2].im, x2[i], im);
        }
        if (columns > 3) {
            re = multiply_add(a[3].re, x3[i], re);
            im = multiply_add(a[3].im, x3[i], im);
        }
        u[i] = re;
        v[i] = im;
    }
}
#endif
#else
/* Column after column, so that the bits are those of that many axpys. */
INLINED void add_bent(int columns, int64_t n, const T *a, const T *X, int64_t ldx, int64_t bend,
                      const target *into)
{
    enum { DEEP = 2 };
    R *restrict u = into->u;
    int64_t i = 0;
    for (; i + DEEP * PACK <= n; i += DEEP * PACK) {
        pack sum[DEEP];
        for (int d = 0; d < DEEP; d++)
            sum[d] = pack_at(u + i + d * PACK);
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++)
            for (int d = 0; d < DEEP; d++)
                sum[d] += pack_at(beside_column(X, ldx, bend, c) + i + d * PACK) * a[c];
        for (int d = 0; d < DEEP; d++)
            *(pack *)(u + i + d * PACK) = sum[d];
    }
#if TAILED
    for (; i < n; i += PACK) {
        const pack_tail tail = tail_of(n - i);
        pack sum = pack_part(tail, u + i);
#pragma GCC unroll 8
        for (int c = 0; c < columns; c++)
            sum += pack_part(tail, beside_column(X, ldx, bend, c) + i) * a[c];
        pack_put_part(tail, u + i, sum);
    }
#endif
    for (; i < n; i++)
        for (int c = 0; c < columns; c++)
            u[i] += a[c] * beside_column(X, ldx, bend, c)[i];
}
#endif

INLINED void add_side(int columns, int64_t n, const T *a, const T *X, int64_t ldx,
                      const target *into)
{
    add_bent(columns, n, a, X, ldx, 0, into);
}

/* Adds a_c times column c to the block, for at most TOGETHER columns. Their number is a constant in
 * each call of add_side, so that its loop has no branch. */
static inline void add_columns(int columns, int64_t n, const T *a, const T *X, int64_t ldx,
                               const target *into)
{
    if (columns == TOGETHER)
        add_side(TOGETHER, n, a, X, ldx, into);
    else if (columns == 3)
        add_side(3, n, a, X, ldx, into);
    else if (columns == 2)
        add_side(2, n, a, X, ldx, into);
    else
        add_side(1, n, a, X, ldx, into);
}

/* ---- sums of several threads ---- */

/* What threads leave, those of one after those of another. */
typedef struct left_sums {
    R *parts;
    int64_t part; /* real numbers per thread, */
    int64_t to_v; /* of them those before the second array of complex ones; 0: there is none, */
    int pieces;   /* and how many threads */
} left_sums;

/* sum := elements [from, from + count) of all of them, in order of threads. */
static inline void add_left(const left_sums *left, int64_t from, int64_t count, R *sum)
{
    memset(sum, 0, (size_t)count * sizeof(T));
    for (int p = 0; p < left->pieces; p++) {
        const R *u = left->parts + p * left->part + REALS * from;
        for (int64_t i = 0; i < REALS * count; i++)
            sum[i] += u[i];
#if COMPLEX
        const R *v = u + left->to_v;
        for (int64_t i = 0; left->to_v > 0 && i < 2 * count; i += 2) {
            sum[i] -= v[i + 1];
            sum[i + 1] += v[i];
        }
#endif
    }
}

#endif
