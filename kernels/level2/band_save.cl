/* band_save.cl: saves what groups of band_tile.cl need of their neighbours' elements of x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the product replaces x, a group reads its own rows before it changes them, and the kl + ku
 * elements before or behind its rows from here: group g has them at g * (kl + ku). Those outside of
 * x are left out. Offsets fit 32 bits. Geometry: groups of ITEMS work-items along x, one work-item
 * for each saved element. Macro: ITEMS. Barriers: none.
 */
#include "band_args.h"

#ifndef ITEMS
#error "band_save needs ITEMS"
#endif

KERNEL(band_save, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT saved, band_args a)
{
    const i32 place = (i32)(GROUP_X * ITEMS) + ITEM_X, count = (i32)(a.kl + a.ku);
    const i32 group = place / count, t = place - group * count;
    const i64 row = group * a.rows, i = (a.before ? row - count : row + a.rows) + t;
    BEGIN();
    if (row < a.outputs && i >= 0 && i < a.outputs)
        saved[place] = x[i * a.incy];
}
