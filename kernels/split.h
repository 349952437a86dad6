/* split.h: equal shares of work for all groups, and the sums of blocks that were cut.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group walks over its chunks in order. A block that it has to itself it finishes. Of a block
 * that is shared it stores a partial result; the last group to arrive adds the partial results in
 * order of the groups. A group shares at most its first and its last block, so it has two places
 * for them. The counter of a shared block is that of the first group that works on it.
 */
#include "split_args.h"

DEVICE i32 split_start(split_args a, i32 group)
{
    const i32 extra = (i32)a.extra;
    return group * (i32)a.base + (group < extra ? group : extra);
}

/* The group that has a chunk. */
DEVICE i32 split_group(split_args a, i32 chunk)
{
    const i32 base = (i32)a.base, extra = (i32)a.extra, longer = extra * (base + 1);
    return chunk < longer ? chunk / (base + 1) : extra + (chunk - longer) / base;
}

/* The place of a group's partial result of a block: its first or its second. */
DEVICE i32 split_place(split_args a, i32 group, i32 block)
{
    return 2 * group + (split_start(a, group) / (i32)a.chunks != block);
}

/* True in all work-items of the last of `pieces` groups to come here; what any work-item of the
 * others stored before is then visible. The counter is 0 before and after. */
DEVICE i32 split_last(GLOBAL i32 *counter, i32 pieces, LOCAL_PTR i32 *flag)
{
    BARRIER(); /* the group's stores before the ticket */
    if (ITEM_X == 0) {
        flag[0] = TICKET(counter) == pieces - 1;
        if (flag[0])
            counter[0] = 0;
    }
    BARRIER();
    return flag[0];
}
