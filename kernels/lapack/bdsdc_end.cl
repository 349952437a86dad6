/* bdsdc_end.cl: singular vectors in the order of the values, to where the caller wants them
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * a.mode: BDSDC_AS_IS: column i is column from[i] of the source; and the values, times *back, go to
 * d, and 0 to *info, or minus LAPACK's number of d where the matrix was not finite, which makes NaN
 * of all results, or what the first leaf or merge in trouble has left. BDSDC_TRANSPOSED: row i is
 * column from[i]. The last of the a.n places is left out.
 *
 * Geometry: groups of ITEMS work-items along x, one per tile of SIDE x SIDE elements; a.across of
 * them cover the rows. Macros: ITEMS, SIDE. Barriers: all work-items reach them.
 */
#if !defined(ITEMS) || !defined(SIDE)
#error "bdsdc_end needs ITEMS and SIDE"
#endif
#include "bdsdc_divide_args.h"
#include "stedc.h"
#include "stedc_trouble.h"

KERNEL(bdsdc_end, ITEMS, 1, 1)
(GLOBAL const R *source, GLOBAL R *target, GLOBAL const i32 *from, GLOBAL const R *sorted,
 GLOBAL const R *back, GLOBAL const i64 *state, GLOBAL const i64 *trouble, GLOBAL R *d,
 GLOBAL i64 *info, stedc_args a)
{
    LOCAL i64 room[ITEMS];
    LOCAL R tile[SIDE * (SIDE + 1)];
    BEGIN();
    const i32 across = (i32)a.across, over = (i32)GROUP_X / across;
    const i64 n = a.n - 1, row = (i64)((i32)GROUP_X - over * across) * SIDE,
              column = (i64)over * SIDE;
    const i32 rows = (i32)(n - row < SIDE ? n - row : SIDE),
              columns = (i32)(n - column < SIDE ? n - column : SIDE);
    const i32 transposed = a.mode == BDSDC_TRANSPOSED, tells = !transposed && GROUP_X == 0;
    const i32 bad = state[0] != STEDC_FINITE;
    const R nothing = (R)0 / (bad ? (R)0 : (R)1); /* NaN, or 0 */
    const i64 first = first_trouble(trouble, a, tells ? n : 0, room);
    if (tells && ITEM_X == 0)
        info[0] = bad ? -BDSDC_BAD_D : first < a.n ? trouble[first] : 0;
    ROLLED
    for (i32 i = ITEM_X; i < rows && column == 0 && !transposed; i += ITEMS)
        d[row + i] = fabs(sorted[row + i]) * back[0] + nothing;
    ROLLED
    for (i32 t = ITEM_X; t < SIDE * columns; t += ITEMS) {
        const i32 i = t % SIDE, j = t / SIDE;
        if (i < rows)
            tile[i + j * (SIDE + 1)] = source[row + i + from[column + j] * a.ldw];
    }
    BARRIER();
    ROLLED
    for (i32 t = ITEM_X; t < SIDE * SIDE; t += ITEMS) {
        const i32 i = transposed ? t / SIDE : t % SIDE, j = transposed ? t % SIDE : t / SIDE;
        if (i < rows && j < columns) {
            const i64 at =
                transposed ? column + j + (row + i) * a.ldq : row + i + (column + j) * a.ldq;
            target[at] = tile[i + j * (SIDE + 1)] + nothing;
        }
    }
}
