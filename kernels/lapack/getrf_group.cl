/* getrf_group.cl: P A = L U for at most NB columns from the diagonal down, in place, by one group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Column by column: the largest element is found, its row exchanged with the upper one in all
 * columns, and the column, divided by the pivot, is taken out of those behind it, row by row. The
 * next column is searched on the way. Rows are in the device's memory, as many as there are.
 * ipiv gets the exchanges, counted from 1 through the whole matrix. The first pivot that is 0 is
 * left in *state and *info, its number counted in the same way; the factorization goes on. *state
 * is what later columns read, *info is the caller's; the first columns of a matrix set both to 0.
 * Geometry: one group of ITEMS work-items. Macros: ITEMS; NB. Barriers: all work-items see the same
 * pivots.
 */
#if !defined(ITEMS) || !defined(NB)
#error "getrf_group needs ITEMS and NB"
#endif
#include "getrf_args.h"
#include "pivot.h"

#define WIDE 4 /* elements of a row that are on their way at once */

/* Row i behind the column j: takes `left` times row j of U out of it, and tells its first
 * element. */
DEVICE T take_out(GLOBAL T *A, getrf_args a, i64 i, i32 j, T left, LOCAL_PTR const T *up)
{
    T next = T_make(0, 0);
    const T times = T_neg(left);
    ROLLED
    for (i32 c = j + 1; c < a.n; c += WIDE) {
        T held[WIDE];
        UNROLLED
        for (i32 w = 0; w < WIDE; w++)
            if (c + w < a.n)
                held[w] = A[i + (c + w) * a.lda];
        UNROLLED
        for (i32 w = 0; w < WIDE; w++)
            if (c + w < a.n) {
                held[w] = T_fma(times, up[c + w], held[w]);
                A[i + (c + w) * a.lda] = held[w];
            }
        if (c == j + 1)
            next = held[0];
    }
    return next;
}

KERNEL(getrf_group, ITEMS, 1, 1)
(GLOBAL T *RESTRICT A, GLOBAL i64 *RESTRICT ipiv, GLOBAL i64 *RESTRICT state,
 GLOBAL i64 *RESTRICT info, getrf_args a)
{
    LOCAL best_t scratch[BEST_SCRATCH];
    LOCAL i64 chosen[1];
    LOCAL T up[NB]; /* row j of U */
    BEGIN();
    const i32 most = (i32)(a.m < a.n ? a.m : a.n);
    const i64 before = a.before > 0 ? *state : 0;
    i64 failed = before;
    best_t mine = no_pivot();
    for (i64 i = ITEM_X; i < a.m; i += ITEMS)
        mine = better_pivot(mine, A[i], i, 0);
    ROLLED
    for (i32 j = 0; j < most; j++) {
        mine = group_best(mine, scratch);
        if (ITEM_X == 0) {
            chosen[0] = mine.at;
            ipiv[j] = a.before + mine.at + 1;
        }
        BARRIER(); /* the rows are complete up to here */
        const i64 p = chosen[0];
        for (i32 c = ITEM_X; c < a.n; c += ITEMS) {
            const T upper = A[j + c * a.lda], lower = A[p + c * a.lda];
            up[c] = lower;
            A[p + c * a.lda] = upper;
            A[j + c * a.lda] = lower;
        }
        BARRIER();
        const T pivot = up[j];
        const i32 zero = T_is_zero(pivot);
        const divisor_t by = divisor_of(pivot);
        if (zero && failed == 0)
            failed = a.before + j + 1;
        mine = no_pivot();
        ROLLED
        for (i64 i = j + 1 + ITEM_X; i < a.m; i += ITEMS) {
            T left = A[i + j * a.lda];
            if (!zero) {
                left = divided(left, by);
                A[i + j * a.lda] = left;
            }
            const T next = take_out(A, a, i, j, left, up);
            mine = better_pivot(mine, next, i, j + 1);
        }
    }
    if (ITEM_X == 0 && (a.before == 0 || failed != before)) {
        *state = failed;
        *info = failed;
    }
}
