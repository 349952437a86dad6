/* exchange.cl: exchanges between neighbouring work-items, each of which waits for the one before
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Through registers where lanes run together, else through local memory; the last word of out says
 * which. A round is ROOF_STEPS exchanges.
 *
 * Geometry: one group of WX work-items, WX even. Macros: WX. All reach the barriers.
 */
#include "roof_args.h"

#if !defined(WX)
#error "exchange.cl needs WX"
#endif

KERNEL(exchange, WX, 1, 1)(GLOBAL const R *RESTRICT x, GLOBAL R *RESTRICT out, roof_args a)
{
#if WARP_SIZE == 1
    LOCAL R scratch[WX];
#endif
    BEGIN();
    const R c = x[0];
    R v = x[1 + ITEM_X];
    ROLLED
    for (i64 round = 0; round < a.rounds; round++) {
#if WARP_SIZE > 1
        UNROLLED
        for (i32 step = 0; step < ROOF_STEPS; step++)
            v = SHUFFLE_XOR(v, 1) + c;
#else
        ROLLED
        for (i32 step = 0; step < ROOF_STEPS; step++) {
            scratch[ITEM_X] = v;
            BARRIER();
            v = scratch[ITEM_X ^ 1] + c;
            BARRIER();
        }
#endif
    }
    out[ITEM_X] = v;
    if (ITEM_X == 0)
        out[WX] = WARP_SIZE;
}
