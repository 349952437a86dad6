/* bicgstab_start.cl: p and r0 := r, x is kept, partial sums of r^H r
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of a round of BiCGStab, whose state the host has set. Geometry: fused_rows.h with
 * FORMAT 0, rows are elements. All work-items reach the barriers.
 */
#include "bicgstab.h"
#include "fused_rows.h"

KERNEL(bicgstab_start, WX, 1, 1)
(GLOBAL const T *RESTRICT r, GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT p,
 GLOBAL T *RESTRICT shadow, GLOBAL T *RESTRICT kept, GLOBAL f64 *RESTRICT partials, bicgstab_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    BEGIN();
    const i64 last = fused_last(a.product), step = fused_step();
    sum_t sums = bicgstab_nothing();
    ROLLED
    for (i64 base = fused_first(a.product); base < last; base += step) {
        const i64 i = fused_place(base);
        if (i < last) {
            const T now = r[i];
            p[i] = now;
            shadow[i] = now;
            kept[i] = x[i];
            sums = bicgstab_add(sums, 0, now, now);
        }
    }
    bicgstab_leave(partials, sums, 1, scratch);
}
