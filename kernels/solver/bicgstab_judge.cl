/* bicgstab_judge.cl: the end of a batch of BiCGStab: counts the last iteration; whether x is to be
 * kept
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * bicgstab.h: an iteration is judged by the first kernel of the next one, and here where the host
 * wants to look. x is to be kept where its residual is smaller than that of the x kept before, or
 * where it is final and the best. Geometry: one group; fused_rows.h with FORMAT 0. All work-items
 * reach the barriers, or none.
 */
#include "bicgstab.h"
#include "fused_rows.h"

KERNEL(bicgstab_judge, WX, 1, 1)
(GLOBAL f64 *state, GLOBAL const f64 *RESTRICT ended, bicgstab_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL sum_t all[1];
    BEGIN();
    const f64 rr = bicgstab_total(ended, a.partials, 1, scratch, all).v[0];
    if (ITEM_X != 0)
        return;
    if (state[STATE_OUTCOME] < 0)
        bicgstab_count(state, rr, bicgstab_ended(state, rr, a), a);
    state[BICGSTAB_KEEP] = f64_finite(rr) && rr < state[BICGSTAB_KEPT];
    if (state[BICGSTAB_KEEP] != 0)
        state[BICGSTAB_KEPT] = rr;
}
