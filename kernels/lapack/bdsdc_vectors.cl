/* bdsdc_vectors.cl: the singular vectors of a merge's matrix M, of length 1
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of value s the right vector is w_i / (d_i^2 - s^2), and the left one M times that over s: -1 at
 * pole 0, d_i w_i / (d_i^2 - s^2) elsewhere. BDSDC_RIGHT: the differences stand where the vectors
 * shall be; they are divided by the smallest of them before they are squared. `lengths` takes what
 * was divided by. BDSDC_LEFT: the right vectors stand there. Elements that stand in both parts'
 * rows count once.
 *
 * Geometry: one group of ITEMS work-items, a power of two, per vector along x; merges along y.
 * Macros: ITEMS. Barriers: a group leaves as a whole or not.
 */
#if !defined(ITEMS)
#error "bdsdc_vectors needs ITEMS"
#endif
#include "bdsdc_divide_args.h"
#include "stedc.h"

/* Rows [from, end) of a column become elements of the vector: of right vectors `by` is w and
 * `factor` the smallest difference, of left ones the poles and the length of the right one. Gives
 * the sum of squares of those that count. */
DEVICE R elements(GLOBAL R *column, GLOBAL const i32 *index, GLOBAL const R *by, R factor, i32 left,
                  GLOBAL const i32 *upper, i32 from, i32 end, i32 all)
{
    R sum = 0;
    ROLLED
    for (i32 r = from + ITEM_X; r < end; r += ITEMS) {
        const i32 i = index[r];
        const R now = column[r];
        R element;
        if (left)
            element = i == 0 ? (R)-1 : by[i] * (now * factor);
        else
            element = by[i] * (factor / now);
        column[r] = element;
        if (all || upper[i] < 0)
            sum = R_fma(element, element, sum);
    }
    return sum;
}

/* Where the number of pole i stands in a column. */
DEVICE i32 row_of(GLOBAL const i32 *in_upper, GLOBAL const i32 *in_lower, i64 i)
{
    return in_upper[i] >= 0 ? in_upper[i] : in_lower[i];
}

KERNEL(bdsdc_vectors, ITEMS, 1, 1)
(GLOBAL const i64 *RESTRICT sizes, GLOBAL const i32 *RESTRICT index,
 GLOBAL const i32 *RESTRICT rows, GLOBAL const R *RESTRICT poles, GLOBAL const R *RESTRICT w,
 GLOBAL R *RESTRICT lengths, GLOBAL R *RESTRICT S, stedc_args a)
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
    GLOBAL const i32 *const in_lower = in_upper + a.n;
    const i32 left = a.mode == BDSDC_LEFT, here = row_of(in_upper, in_lower, GROUP_X),
              after = row_of(in_upper, in_lower, GROUP_X + 1 < size[1] ? GROUP_X + 1 : GROUP_X);
    const R near = fabs(column[here]), beyond = fabs(column[after]);
    const R factor = left ? lengths[s.first + GROUP_X] : beyond < near ? beyond : near;
    GLOBAL const R *const by = (left ? poles : w) + s.first;
    BARRIER(); /* of the differences that were read some change now */
    R sum = elements(column, index + s.first, by, factor, left, in_upper, 0, upper, 1);
    sum += elements(column, index + s.first, by, factor, left, in_upper, behind, end, 0);
    sums[ITEM_X] = sum;
    for (i32 apart = ITEMS / 2; apart > 0; apart /= 2) {
        BARRIER();
        if (ITEM_X < apart)
            sums[ITEM_X] += sums[ITEM_X + apart];
    }
    BARRIER();
    const R length = sqrt(sums[0]), scale = 1 / length;
    /* Behind the loops PoCL leaves most of their work-items out (3.1, not optimised). */
    if (ITEM_X == 0 && !left)
        lengths[s.first + GROUP_X] = length / factor;
    ROLLED
    for (i32 r = ITEM_X; r < upper; r += ITEMS)
        column[r] *= scale;
    ROLLED
    for (i32 r = behind + ITEM_X; r < end; r += ITEMS)
        column[r] *= scale;
}
