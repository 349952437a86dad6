/* muladd.cl: multiply-adds and nothing else: the rate of arithmetic
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * CHAINS independent iterations v := v v + c a work-item, to hide the latency of one. c = x[0] is
 * between -2 and -1.5 and the start between -1 and 1, where v neither leaves [-2, 2] nor settles:
 * random operands, as data are. A round is ROOF_STEPS steps of every chain.
 *
 * With MEET the work-items of a group meet after each round: a compiler for CPUs that runs a group
 * as a loop then has that loop inside, and makes vector instructions of it.
 *
 * Geometry: any number of groups of WX work-items. Macros: WX, CHAINS, MEET. All reach the
 * barriers.
 */
#include "roof_args.h"

#if !defined(WX) || !defined(CHAINS) || !defined(MEET)
#error "muladd.cl needs WX, CHAINS and MEET"
#endif

KERNEL(muladd, WX, 1, 1)(GLOBAL const R *RESTRICT x, GLOBAL R *RESTRICT out, roof_args a)
{
    BEGIN();
    const R c = x[0];
    R v[CHAINS], sum = 0;
    UNROLLED
    for (i32 k = 0; k < CHAINS; k++)
        v[k] = x[1 + k] + (R)ITEM_X / (R)WX;
    ROLLED
    for (i64 round = 0; round < a.rounds; round++) {
        UNROLLED
        for (i32 step = 0; step < ROOF_STEPS; step++) {
            UNROLLED
            for (i32 k = 0; k < CHAINS; k++)
                v[k] = R_fma(v[k], v[k], c);
        }
#if MEET
        BARRIER();
#endif
    }
    UNROLLED
    for (i32 k = 0; k < CHAINS; k++)
        sum += v[k];
    out[GROUP_X * WX + ITEM_X] = sum;
}
