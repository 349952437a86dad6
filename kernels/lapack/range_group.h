/* range_group.h: the larger of two sizes; a NaN stays.
 * SPDX-License-Identifier: BSD-3-Clause
 */
DEVICE R range_larger(R a, R b)
{
    return a < b || b != b ? b : a;
}

/* The largest of the group, in most[0]. All work-items must come. */
DEVICE void range_group(R mine, LOCAL_PTR R *most)
{
    most[ITEM_X] = mine;
    for (i32 apart = ITEMS / 2; apart > 0; apart /= 2) {
        BARRIER();
        if (ITEM_X < apart)
            most[ITEM_X] = range_larger(most[ITEM_X], most[ITEM_X + apart]);
    }
    BARRIER();
}
