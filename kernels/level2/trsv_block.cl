/* trsv_block.cl: x := op(A)^-1 x for one block of at most NB rows
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The diagonal step of a solve in many launches, for devices whose groups cannot hand over: the
 * triangle and x are taken to local memory; then, row by row, every lane takes the row that is
 * known out of its own ones. Geometry: one group of ITEMS work-items. Macros: trsv_diagonal.h.
 * Barriers: all work-items go over all rows.
 */
#define WHOLE   0
#define AT_ONCE 4
#include "trsv_diagonal.h"

KERNEL(trsv_block, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT x, trsv_args a)
{
    LOCAL T block[KEPT];
    LOCAL T inverse[NB];
    LOCAL T rest[NB];
    BEGIN();
    trsv_data d;
    d.A = A;
    d.a = a;
    d.backward = (a.upper != 0) != TRANS;
    const i64 start = trsv_start(d, 0);
    trsv_take_diagonal(d, start, block, inverse);
    ROLLED
    for (i32 i = ITEM_X; i < NB; i += ITEMS) {
        const i64 row = start + trsv_turn(d, i);
        rest[i] = T_make(0, 0);
        if (row >= 0 && row < a.n)
            rest[i] = x[row * a.incx];
    }
    BARRIER();
    trsv_invert(inverse);
    ROLLED
    for (i32 j = 0; j < NB; j++) {
        BARRIER(); /* rest[j] is complete */
        const T found = T_mul(rest[j], inverse[j]);
        ROLLED
        for (i32 i = j + 1 + ITEM_X; i < NB; i += ITEMS)
            rest[i] = T_fma(block[trsv_at(i, j)], found, rest[i]);
    }
    BARRIER();
    ROLLED
    for (i32 i = ITEM_X; i < NB; i += ITEMS) {
        const i64 row = start + trsv_turn(d, i);
        if (row >= 0 && row < a.n)
            x[row * a.incx] = T_mul(rest[i], inverse[i]);
    }
}
