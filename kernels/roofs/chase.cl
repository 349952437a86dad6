/* chase.cl: loads that wait for one another: the latency of memory
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each word says where the next one is: x holds random words, so the places are random over the
 * whole set. A number that grows from load to load is added, without which the way would soon run
 * in a circle. Each run starts elsewhere (share): on the same way the cache would have all of it.
 *
 * Geometry: one work-item. No macros, no barriers.
 */
#include "roof_args.h"

KERNEL(chase, 1, 1, 1)(GLOBAL const u64 *RESTRICT x, GLOBAL u64 *RESTRICT out, roof_args a)
{
    BEGIN();
    const u64 mask = (u64)a.size - 1;
    u64 at = (u64)a.share & mask, turn = (u64)a.share;
    ROLLED
    for (i64 round = 0; round < a.rounds; round++) {
        at = (x[at] + turn) & mask;
        turn += (u64)a.step;
    }
    out[0] = at;
}
