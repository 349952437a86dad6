/* norm_both.cl: sums of moduli of rows of a symmetric or Hermitian matrix, of which one triangle is
 * stored, block by block
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of ROWS by ROWS elements stands for itself and for its mirror image: its sums of rows
 * belong to its rows, its sums of columns to the rows of the image. Row b of partials has what
 * block b of the whole row gives: element k is the sum over row k of ROWS columns. Geometry: as
 * many groups each way as there are blocks; those in the other triangle load and store nothing. WX
 * is a multiple of ROWS. Macros: norm_walk_matrix.h. Barriers: all work-items of a group. Then
 * norm_sums_finish.
 */
#include "norm_walk_matrix.h"

#define SHARE (ROWS / SIDE_LANES) /* elements of a row, or of a column, per work-item */

KERNEL(norm_both, WX, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL R *RESTRICT partials, norm_args a)
{
    LOCAL R block[ROWS * (ROWS + 1)];
    LOCAL R rows[WX];
    LOCAL R columns[WX];
    BEGIN();
    const i64 down = GROUP_X, over = GROUP_Y, i = down * ROWS, j = over * ROWS;
    const i32 row = ITEM_X % ROWS, lane = ITEM_X / ROWS;
    const i32 stored = a.first == 0 ? down >= over : down <= over;
    T held[SHARE];
    UNROLLED
    for (i32 c = 0; c < SHARE; c++)
        held[c] = norm_load(A, a, i + row, j + c * SIDE_LANES + lane);
    R sum = 0;
    UNROLLED
    for (i32 c = 0; c < SHARE; c++) {
        const i32 column = c * SIDE_LANES + lane;
        const R size = norm_size(held[c]);
        sum += size;
        /* An element of the diagonal has no mirror image. */
        block[column * (ROWS + 1) + row] = i + row == j + column ? 0 : size;
    }
    rows[ITEM_X] = sum;
    BARRIER();
    sum = 0;
    for (i32 r = 0; r < SHARE; r++)
        sum += block[row * (ROWS + 1) + r * SIDE_LANES + lane];
    columns[ITEM_X] = sum;
    BARRIER();
    R below = 0, beside = 0;
    for (i32 l = 0; l < SIDE_LANES; l++) {
        below += rows[l * ROWS + row];
        beside += columns[l * ROWS + row];
    }
    if (down == over)
        below += beside;
    if (lane == 0 && stored && i + row < a.n)
        partials[over * a.n + i + row] = below;
    if (lane == 0 && stored && down != over && j + row < a.n)
        partials[down * a.n + j + row] = beside;
}
