/* handover.h: how the group that comes last learns that it is. Shared by reductions.
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* True in all work-items of the group that is the last to come here. What lane 0 of each group
 * stored before is visible to the last group. */
DEVICE i32 last_group(GLOBAL i32 *counter, LOCAL_PTR i32 *flag)
{
    if (ITEM_X == 0)
        flag[0] = TICKET(counter) == (i32)GROUPS_X - 1;
    BARRIER();
    return flag[0];
}
