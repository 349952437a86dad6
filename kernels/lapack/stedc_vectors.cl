/* stedc_vectors.cl: the eigenvectors of diag(d) + rho w w^T, of length 1
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector j is w_i / (d_i - x_j); the differences stand where the vectors shall be. Elements that
 * stand in both parts' rows count once. Geometry: one group of ITEMS work-items, a power of two,
 * per vector along x; merges along y. Macros: ITEMS. Barriers: a group leaves as a whole or not.
 */
#if !defined(ITEMS)
#error "stedc_vectors needs ITEMS"
#endif
#include "stedc.h"

/* Rows [from, end) of a column become elements of the vector; gives the sum of squares of those
 * that count. */
DEVICE R elements(GLOBAL R *column, GLOBAL const i32 *index, GLOBAL const R *w,
                  GLOBAL const i32 *upper, i32 from, i32 end, i32 all)
{
    R sum = 0;
    ROLLED
    for (i32 r = from + ITEM_X; r < end; r += ITEMS) {
        const i32 i = index[r];
        const R element = w[i] / column[r];
        column[r] = element;
        if (all || upper[i] < 0)
            sum = R_fma(element, element, sum);
    }
    return sum;
}

KERNEL(stedc_vectors, ITEMS, 1, 1)
(GLOBAL const i64 *RESTRICT sizes, GLOBAL const i32 *RESTRICT index,
 GLOBAL const i32 *RESTRICT rows, GLOBAL const R *RESTRICT w, GLOBAL R *RESTRICT S, stedc_args a)
{
    LOCAL R sums[ITEMS];
    BEGIN();
    const merge_span s = span_of_merge(a, GROUP_Y);
    GLOBAL const i64 *const size = sizes + STEDC_SIZES * GROUP_Y;
    if (GROUP_X >= size[1])
        return;
    const i32 behind = (i32)(s.middle - s.first), upper = (i32)size[2], end = behind + (i32)size[5];
    GLOBAL R *const column = S + s.first + (s.first + GROUP_X) * a.lds;
    GLOBAL const i32 *const in_upper = rows + s.first;
    R sum = elements(column, index + s.first, w + s.first, in_upper, 0, upper, 1);
    sum += elements(column, index + s.first, w + s.first, in_upper, behind, end, 0);
    sums[ITEM_X] = sum;
    for (i32 apart = ITEMS / 2; apart > 0; apart /= 2) {
        BARRIER();
        if (ITEM_X < apart)
            sums[ITEM_X] += sums[ITEM_X + apart];
    }
    BARRIER();
    const R scale = 1 / sqrt(sums[0]);
    ROLLED
    for (i32 r = ITEM_X; r < upper; r += ITEMS)
        column[r] *= scale;
    ROLLED
    for (i32 r = behind + ITEM_X; r < end; r += ITEMS)
        column[r] *= scale;
}
