/* transpose_naive.cl: C := X', or with the conjugate transpose, an element a work-item
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first rung of the ladder: neighbours read along a column of X, and write a whole column of C
 * apart. A group has 32 by ITEMS / 32 elements of X. Geometry: one group of ITEMS work-items for
 * each of `across` by `down` of them, those below each other first. Macros: ITEMS, CONJ_X. No
 * barriers.
 */
#include "turn_args.h"

#if !defined(ITEMS) || !defined(CONJ_X)
#error "transpose_naive needs ITEMS and CONJ_X"
#endif
#define ROWS (ITEMS < 32 ? ITEMS : 32)

KERNEL(transpose_naive, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT X, GLOBAL T *RESTRICT C, turn_args a)
{
    BEGIN();
    const i32 group = (i32)GROUP_X, across = group / (i32)a.down;
    const i64 column = (i64)across * (ITEMS / ROWS) + ITEM_X / ROWS;
    const i64 row = (i64)(group - across * (i32)a.down) * ROWS + ITEM_X % ROWS;
    if (column < a.m && row < a.n) {
        const T x = X[column * a.ldx + row];
        C[row * a.ldc + column] = CONJ_X ? T_conj(x) : x;
    }
}
