/* cpu_columns.h: a few columns of a matrix beside one vector: the inner loops of mdot, maxpy and gemv.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two loops over a block of rows. add_products adds up the products of columns with a block of a
 * vector: mdot, and gemv with a transpose; add_columns adds multiples of columns to a block: maxpy,
 * and gemv without. A few columns are read side by side, so that the block is loaded once for all.
 *
 * Complex columns are read as real numbers, re and im in turn, and the pairs are sorted out in the
 * vector, once a block for all columns: products are with two arrays made of the vector; sums are of
 * the real and of the imaginary parts of the coefficients times the columns, put together at the end.
 *
 * The file that includes this one defines ROWS, the most rows of a block.
 */
#ifndef GBL_CPU_COLUMNS_H
#define GBL_CPU_COLUMNS_H

#include <math.h>
#include "cpu/cpu_vector.h"

/* ---- products of columns with a vector ---- */

/* Columns that are multiplied side by side: their sums take 8 vector registers, half of what x86-64
 * has. */
#define SIDE (COMPLEX ? 2 : 4)

/* A sum under way; im stays 0 for real vectors. */
typedef struct partial {
    double re, im;
} partial;

#if COMPLEX
/* A block of y, ready to be multiplied with columns of real numbers: (re, -im) gives the terms of the
 * real part, (im, re) those of the imaginary one; other signs for conj(x). */
typedef struct block {
    R to_re[2 * ROWS], to_im[2 * ROWS];
} block;

static inline void take_block(int64_t n, const T *given, int64_t incy, bool conj, block *b)
{
    T buffer[ROWS];
    const T *y = packed(n, given, incy, buffer);
    const R sign = conj ? -1 : 1;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        b->to_re[2 * i] = y[i].re;
        b->to_re[2 * i + 1] = -sign * y[i].im;
    }
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        b->to_im[2 * i] = y[i].im;
        b->to_im[2 * i + 1] = sign * y[i].re;
    }
}

/* Pair by pair, as cpu_dot.c does: x_i y_i may be finite where the sums of its terms are not. */
static inline partial careful_sum(int64_t n, const T *x, const block *b)
{
    partial sum = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        sum.re += x[i].re * b->to_re[2 * i] + x[i].im * b->to_re[2 * i + 1];
        sum.im += x[i].re * b->to_im[2 * i] + x[i].im * b->to_im[2 * i + 1];
    }
    return sum;
}

/* Adds the products of `columns` columns, a constant in each call, with a block of n rows. */
INLINED void multiply_side(int columns, int64_t n, const T *X, int64_t ldx, const block *b,
                           partial *sum)
{
    enum { DEEP = 2, STEP = DEEP * PACK };
    pack re[SIDE][DEEP] = {{{0}}}, im[SIDE][DEEP] = {{{0}}};
    int64_t i = 0;
    for (; i + STEP <= 2 * n; i += STEP) {
        for (int c = 0; c < columns; c++) {
            for (int d = 0; d < DEEP; d++) {
                const int64_t at = i + d * PACK;
                const pack x = pack_at((const R *)(X + c * ldx) + at);
                re[c][d] += x * pack_at(b->to_re + at);
                im[c][d] += x * pack_at(b->to_im + at);
            }
        }
    }
    for (int c = 0; c < columns; c++) {
        const R *x = (const R *)(X + c * ldx);
        partial total = {0, 0};
        for (int64_t j = i; j < 2 * n; j++) {
            total.re += x[j] * b->to_re[j];
            total.im += x[j] * b->to_im[j];
        }
        for (int d = 0; d < DEEP; d++) {
            for (int k = 0; k < PACK; k++) {
                total.re += re[c][d][k];
                total.im += im[c][d][k];
            }
        }
        if (!isfinite(total.re) || !isfinite(total.im))
            total = careful_sum(n, X + c * ldx, b);
        sum[c].re += total.re;
        sum[c].im += total.im;
    }
}
#else
typedef struct block {
    const T *y;
    T buffer[ROWS];
} block;

static inline void take_block(int64_t n, const T *y, int64_t incy, bool conj, block *b)
{
    (void)conj;
    b->y = packed(n, y, incy, b->buffer);
}

INLINED void multiply_side(int columns, int64_t n, const T *X, int64_t ldx, const block *b,
                           partial *sum)
{
    enum { DEEP = 2, STEP = DEEP * PACK };
    pack lane[SIDE][DEEP] = {{{0}}};
    int64_t i = 0;
    for (; i + STEP <= n; i += STEP)
        for (int c = 0; c < columns; c++)
            for (int d = 0; d < DEEP; d++)
                lane[c][d] += pack_at(X + c * ldx + i + d * PACK) * pack_at(b->y + i + d * PACK);
    for (int c = 0; c < columns; c++) {
        double total = 0;
        for (int64_t j = i; j < n; j++)
            total += X[c * ldx + j] * b->y[j];
        for (int d = 0; d < DEEP; d++)
            for (int k = 0; k < PACK; k++)
                total += lane[c][d][k];
        sum[c].re += total;
    }
}
#endif

/* sum_c += the product of column c with the block, for any number of columns. */
static inline void add_products(int64_t columns, int64_t n, const T *X, int64_t ldx, const block *b,
                                partial *sum)
{
    int64_t c = 0;
    for (; c + SIDE <= columns; c += SIDE)
        multiply_side(SIDE, n, X + c * ldx, ldx, b, sum + c);
    if (!COMPLEX && columns - c == 3)
        multiply_side(3, n, X + c * ldx, ldx, b, sum + c);
    else if (!COMPLEX && columns - c == 2)
        multiply_side(2, n, X + c * ldx, ldx, b, sum + c);
    else if (columns - c == 1)
        multiply_side(1, n, X + c * ldx, ldx, b, sum + c);
}

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
 * operations a byte as real ones. */
static inline R multiply_add(R a, R b, R c)
{
#if defined(__aarch64__) || defined(__FMA__)
    return sizeof(R) == sizeof(float) ? (R)fmaf((float)a, (float)b, (float)c) : (R)fma(a, b, c);
#else
    return a * b + c;
#endif
}

INLINED void add_side(int columns, int64_t n, const T *a, const T *X, int64_t ldx,
                      const target *into)
{
    R *restrict u = into->u, *restrict v = into->v;
    const R *x0 = (const R *)X, *x1 = (const R *)(X + (columns > 1 ? ldx : 0));
    const R *x2 = (const R *)(X + (columns > 2 ? 2 * ldx : 0));
    const R *x3 = (const R *)(X + (columns > 3 ? 3 * ldx : 0));
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
#else
/* Column after column, so that the bits are those of that many axpys. */
INLINED void add_side(int columns, int64_t n, const T *a, const T *X, int64_t ldx,
                      const target *into)
{
    R *restrict u = into->u;
    const R *x0 = X, *x1 = X + (columns > 1 ? ldx : 0);
    const R *x2 = X + (columns > 2 ? 2 * ldx : 0), *x3 = X + (columns > 3 ? 3 * ldx : 0);
    for (int64_t i = 0; i < n; i++) {
        R sum = u[i] + a[0] * x0[i];
        if (columns > 1)
            sum += a[1] * x1[i];
        if (columns > 2)
            sum += a[2] * x2[i];
        if (columns > 3)
            sum += a[3] * x3[i];
        u[i] = sum;
    }
}
#endif

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

#endif
