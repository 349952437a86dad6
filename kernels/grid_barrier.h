/* grid_barrier.h: a barrier of all groups of a cooperative launch.
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* What any work-item wrote before is visible to all behind it. The counter is 0 before the launch;
 * `passed` counts the barriers of this launch and starts at 0. All work-items must come. */
DEVICE void grid_barrier(GLOBAL i32 *counter, i32 *passed)
{
    *passed += 1;
    BARRIER();
    if (ITEM_X == 0) {
        TICKET(counter);
        AWAIT(counter, *passed * (i32)GROUPS_X);
    }
    BARRIER();
}
