/* stedc_trouble.h: the first leaf or merge that failed to converge.
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* The first of `count` rows with trouble; a.n: there is none. All work-items of the group must
 * come. */
DEVICE i64 first_trouble(GLOBAL const i64 *trouble, stedc_args a, i64 count, LOCAL_PTR i64 *room)
{
    i64 first = a.n;
    ROLLED
    for (i64 i = ITEM_X; i < count; i += ITEMS)
        if (trouble[i] != 0 && i < first)
            first = i;
    room[ITEM_X] = first;
    BARRIER();
    ROLLED
    for (i32 i = 0; i < ITEMS; i++)
        if (room[i] < first)
            first = room[i];
    return first;
}
