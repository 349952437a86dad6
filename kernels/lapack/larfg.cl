/* larfg.cl: the elementary reflector of alpha and x: x := v, alpha := beta, and tau
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: one group of ITEMS work-items, a power of two. Macros: ITEMS. Barriers: all work-items
 * reach them.
 */
#if !defined(ITEMS)
#error "larfg needs ITEMS"
#endif
#define WX ITEMS
#include "larfg_args.h"
#include "reflector.h"

KERNEL(larfg, ITEMS, 1, 1)
(GLOBAL T *RESTRICT alpha, GLOBAL T *RESTRICT x, GLOBAL T *RESTRICT tau, larfg_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL reflector known[1];
    BEGIN();
    sum_t mine = {{0}};
    ROLLED
    for (i64 i = ITEM_X; i < a.n; i += ITEMS) {
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++)
            mine = norm_add(mine, T_real(x[i * a.incx], part));
    }
    const sum_t squares = group_sum(mine, scratch);
    if (ITEM_X == 0) {
        known[0] = reflector_of(alpha[0], squares);
        alpha[0] = T_make(known[0].beta, 0);
        tau[0] = reflector_tau(known[0]);
    }
    BARRIER();
    const reflector h = known[0];
    ROLLED
    for (i64 i = ITEM_X; i < a.n; i += ITEMS)
        x[i * a.incx] = reflector_element(h, x[i * a.incx]);
}
