/* trsv_single_item.cl: x := op(A)^-1 x, A triangular, by one work-item
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Plain substitution, column by column, for packed triangles and bands where groups cannot hand
 * over to each other: a core of a CPU goes along a column as fast as memory gives it. Geometry: one
 * group of one work-item. Macros: STORAGE (storage.h); TRANS and CONJ 0 or 1. Barriers: none.
 */
#include "storage.h"
#include "trsv_args.h"

#if !defined(TRANS) || !defined(CONJ)
#error "trsv_single_item needs TRANS and CONJ"
#endif

DEVICE T trsv_single_item_value(T a)
{
    return CONJ ? T_conj(a) : a;
}

/* x_j from what is left of its equation. */
DEVICE T trsv_single_item_divided(T rest, GLOBAL const T *column, i64 j, trsv_args a)
{
    return a.unit ? rest : T_mul(rest, T_reciprocal(trsv_single_item_value(column[j])));
}

KERNEL(trsv_single_item, 1, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL T *x, trsv_args a)
{
    BEGIN();
    const i32 backward = (a.upper != 0) != TRANS;
    ROLLED
    for (i64 step = 0; step < a.n; step++) {
        const i64 j = backward ? a.n - 1 - step : step;
        GLOBAL const T *column = A + column_start(j, a.lda, a.upper);
        /* Rows beside the diagonal that column j has. */
        const i64 reach = BANDED && a.band < a.n ? a.band : a.n;
        const i64 begin = a.upper ? (j > reach ? j - reach : 0) : j + 1;
        const i64 end = a.upper ? j : (a.n - 1 - j > reach ? j + reach + 1 : a.n);
        T found = x[j * a.incx];
#if TRANS
        ROLLED
        for (i64 i = begin; i < end; i++)
            found = T_fma(T_neg(trsv_single_item_value(column[i])), x[i * a.incx], found);
        x[j * a.incx] = trsv_single_item_divided(found, column, j, a);
#else
        found = trsv_single_item_divided(found, column, j, a);
        x[j * a.incx] = found;
        const T taken = T_neg(found);
        ROLLED
        for (i64 i = begin; i < end; i++)
            x[i * a.incx] = T_fma(column[i], taken, x[i * a.incx]);
#endif
    }
}
