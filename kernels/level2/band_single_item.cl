/* band_single_item.cl: y := alpha op(A) x + beta y, A a band matrix, one work-item per group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For CPUs: a group computes `rows` elements of y, ROWS at most. Along rows it adds column by
 * column, in which rows stand side by side, to sums that stay in the nearest cache; narrow bands go
 * row by row. Along columns it makes inner products with VEC sums each. Of a symmetric band the
 * second side finds its columns in the cache.
 *
 * alpha = 0: A and x are not read; beta = 0: y is not. What is no element of the band is not
 * loaded. Geometry: one group for each `rows` elements of y. Macros: band.h; ROWS; VEC. Barriers:
 * none.
 */
#include "band.h"

#if !defined(ROWS) || !defined(VEC)
#error "band_single_item needs ROWS and VEC"
#endif
#define NARROW 8 /* diagonals: so few elements of a column are no loop worth starting */

/* The operands. */
typedef struct band_data {
    GLOBAL const T *A;
    GLOBAL const T *x;
    band_args a;
} band_data;

DEVICE T band_value(band_data d, i64 i, i64 j)
{
    const T a = d.A[d.a.ku + i - j + j * d.a.lda];
    return DIAGONAL && i == j ? band_diagonal(a) : a;
}

/* One row of A x. */
DEVICE T band_row(band_data d, i64 i)
{
    const i64 end = band_least(i + d.a.ku + 1, d.a.n);
    T sum = T_make(0, 0);
    for (i64 j = band_most(i - d.a.kl, 0); j < end; j++)
        sum = T_fma(band_value(d, i, j), d.x[j * d.a.incx], sum);
    return sum;
}

/* Adds the rows [begin, end) of column j, without its diagonal; sums[0] is of row `row`. */
DEVICE void band_column(band_data d, T *sums, i64 row, i64 j, i64 begin, i64 end)
{
    GLOBAL const T *at = d.A + (d.a.ku - j + j * d.a.lda + begin);
    const T xs = d.x[j * d.a.incx];
    T *to = sums + (begin - row);
    const i32 count = (i32)(end - begin);
    for (i32 k = 0; k < count; k++)
        to[k] = T_fma(at[k], xs, to[k]);
}

DEVICE void band_columns(band_data d, T *sums, i64 row, i64 count)
{
    const i64 last = band_least(row + count + d.a.ku, d.a.n);
    ROLLED
    for (i64 j = band_most(row - d.a.kl, 0); j < last; j++) {
        const i64 begin = band_most(row, j - d.a.ku), end = band_least(row + count, j + d.a.kl + 1);
        if (DIAGONAL && j >= begin && j < end) {
            band_column(d, sums, row, j, begin, j);
            sums[j - row] = T_fma(band_value(d, j, j), d.x[j * d.a.incx], sums[j - row]);
            band_column(d, sums, row, j, j + 1, end);
        } else {
            band_column(d, sums, row, j, begin, end);
        }
    }
}

/* The sum of [begin, end) of column j, none of them on the diagonal where that is special. */
DEVICE T band_product(T sum, band_data d, i64 j, i64 begin, i64 end)
{
    GLOBAL const T *at = d.A + (d.a.ku - j + j * d.a.lda);
    T part[VEC];
    UNROLLED
    for (i32 v = 0; v < VEC; v++)
        part[v] = T_make(0, 0);
    i64 i = begin;
    ROLLED
    for (; i + VEC <= end; i += VEC) {
        UNROLLED
        for (i32 v = 0; v < VEC; v++)
            part[v] = band_step(at[i + v], d.x[(i + v) * d.a.incx], part[v], 1);
    }
    ROLLED
    for (; i < end; i++)
        sum = band_step(at[i], d.x[i * d.a.incx], sum, 1);
    UNROLLED
    for (i32 v = 0; v < VEC; v++)
        sum = band_add(part[v], sum);
    return sum;
}

/* Column j of A' x. */
DEVICE T band_transposed(T sum, band_data d, i64 j)
{
    const i64 begin = band_most(j - d.a.ku + band_first_place(d.a), 0),
              end = band_least(j - d.a.ku + band_end_place(d.a), d.a.m);
    if (!DIAGONAL || j < begin || j >= end)
        return begin < end ? band_product(sum, d, j, begin, end) : sum;
    sum = band_product(sum, d, j, begin, j);
    sum = band_step(band_value(d, j, j), d.x[j * d.a.incx], sum, 1);
    return band_product(sum, d, j, j + 1, end);
}

KERNEL(band_single_item, 1, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, band_args a)
{
    BEGIN();
    const T alpha = SCALED ? band_alpha(alpha_at, a) : T_make(1, 0);
    const T beta = SCALED ? band_beta(beta_at, a) : T_make(0, 0);
    const i64 row = GROUP_X * a.rows;
    const i32 count = (i32)band_least(a.rows, a.outputs - row);
    T sums[ROWS];
    band_data d;
    d.A = A;
    d.x = x;
    d.a = a;
    for (i32 r = 0; r < count; r++)
        sums[r] = T_make(0, 0);
    if (!T_is_zero(alpha)) {
        if (ALONG_ROWS && a.kl + a.ku < NARROW) {
            ROLLED
            for (i32 r = 0; r < count; r++)
                sums[r] = band_row(d, row + r);
        } else if (ALONG_ROWS) {
            band_columns(d, sums, row, count);
        }
        ROLLED
        for (i32 r = 0; ALONG_COLUMNS && r < count; r++)
            sums[r] = band_transposed(sums[r], d, row + r);
    }
    for (i32 r = 0; r < count; r++)
        band_store(y, (row + r) * a.incy, alpha, sums[r], beta);
}
