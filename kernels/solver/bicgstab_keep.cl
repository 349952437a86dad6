/* bicgstab_keep.cl: x of BiCGStab is copied where it is the best so far
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * bicgstab_judge decides. The copy is brought back by the host, at the end of a round. Geometry:
 * fused_rows.h with FORMAT 0, rows are elements. No barriers.
 */
#include "bicgstab_args.h"
#include "fused_rows.h"

KERNEL(bicgstab_keep, WX, 1, 1)
(GLOBAL const f64 *RESTRICT state, GLOBAL const T *RESTRICT from, GLOBAL T *RESTRICT to,
 bicgstab_args a)
{
    BEGIN();
    if (state[BICGSTAB_KEEP] == 0)
        return;
    const i64 last = fused_last(a.product), step = fused_step();
    ROLLED
    for (i64 base = fused_first(a.product); base < last; base += step) {
        const i64 i = fused_place(base);
        if (i < last)
            to[i] = from[i];
    }
}
