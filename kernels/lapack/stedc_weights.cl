/* stedc_weights.cl: the weights whose secular equation has exactly the roots that were found
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * w_i^2 = product over all roots of (x_j - d_i), over all other poles of (d_j - d_i), with the sign
 * of the former weight: vectors made of these are orthogonal to working precision, without wider
 * arithmetic (M. Gu and S. C. Eisenstat, SIAM J. Matrix Anal. Appl. 15, 1994). Factors are paired,
 * (d_i - x_j) / (d_i - d_j): those of poles below are less than 1, those above more, and no part
 * of the product leaves the range, because roots and poles alternate.
 *
 * Geometry: groups of ROWS x SLICES work-items along x for ROWS rows of the merge's block of S;
 * each slice takes every SLICES-th root. Merges along y. Rows of the lower part whose vector has a
 * row in the upper part too are left to that. Macros: ROWS, SLICES; SQUARES: as in
 * stedc_secular.cl. Barriers: one, which all work-items reach.
 */
#if !defined(ROWS) || !defined(SLICES) || !defined(SQUARES)
#error "stedc_weights needs ROWS, SLICES and SQUARES"
#endif
#include "stedc.h"

DEVICE R apart(R pole, R other)
{
#if SQUARES
    return (pole - other) * (pole + other);
#else
    return pole - other;
#endif
}

KERNEL(stedc_weights, ROWS *SLICES, 1, 1)
(GLOBAL const R *RESTRICT poles, GLOBAL const R *RESTRICT weights, GLOBAL const i64 *RESTRICT sizes,
 GLOBAL const i32 *RESTRICT index, GLOBAL const i32 *RESTRICT rows, GLOBAL const R *RESTRICT S,
 GLOBAL R *RESTRICT found, stedc_args a)
{
    LOCAL R parts[ROWS * SLICES];
    BEGIN();
    const merge_span s = span_of_merge(a, GROUP_Y);
    const i32 row = (i32)GROUP_X * ROWS + ITEM_X % ROWS, slice = ITEM_X / ROWS,
              behind = (i32)(s.middle - s.first);
    GLOBAL const i64 *const size = sizes + STEDC_SIZES * GROUP_Y;
    const i32 count = (i32)size[1];
    i32 own = row < behind ? row < (i32)size[2] : row - behind < (i32)size[5];
    i32 i = 0;
    if (own) {
        i = index[s.first + row];
        own = row < behind || rows[s.first + i] < 0;
    }
    R product = 1;
    if (own) {
        const R pole = poles[s.first + i];
        ROLLED
        for (i32 j = slice; j < count; j += SLICES) {
            const R delta = S[s.first + row + (s.first + j) * a.lds];
            product *= j == i ? -delta : delta / apart(pole, poles[s.first + j]);
        }
    }
    parts[ITEM_X] = product;
    BARRIER();
    if (slice == 0 && own) {
        ROLLED
        for (i32 p = 1; p < SLICES; p++)
            product *= parts[ITEM_X + p * ROWS];
        found[s.first + i] = copysign(sqrt(fabs(product)), weights[s.first + i]);
    }
}
