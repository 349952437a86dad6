/* sparse_find.h: what the work-items of a group have found becomes what the group has found.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All findings are whole numbers, so the result does not depend on the order or on the launch.
 * Macros: ITEMS, a power of two; FIND_0 ... FIND_5: how findings are joined (SPARSE_LEAST ...).
 */
#ifndef SPARSE_FIND_H
#define SPARSE_FIND_H

#include "sparse_index.h"
#include "sparse_convert_args.h"

typedef struct sparse_found {
    i64 v[SPARSE_FINDINGS];
} sparse_found;

DEVICE i64 sparse_join(i32 way, i64 a, i64 b)
{
    if (way == SPARSE_LEAST)
        return a < b ? a : b;
    if (way == SPARSE_MOST)
        return a > b ? a : b;
    return way == SPARSE_SUM ? (i64)((u64)a + (u64)b) : (a | b);
}

DEVICE sparse_found sparse_join_all(sparse_found a, sparse_found b)
{
    a.v[0] = sparse_join(FIND_0, a.v[0], b.v[0]);
    a.v[1] = sparse_join(FIND_1, a.v[1], b.v[1]);
    a.v[2] = sparse_join(FIND_2, a.v[2], b.v[2]);
    a.v[3] = sparse_join(FIND_3, a.v[3], b.v[3]);
    a.v[4] = sparse_join(FIND_4, a.v[4], b.v[4]);
    a.v[5] = sparse_join(FIND_5, a.v[5], b.v[5]);
    return a;
}

DEVICE i64 sparse_unfound(i32 way)
{
    return way == SPARSE_LEAST ? SPARSE_NOWHERE : 0;
}

DEVICE sparse_found sparse_nothing_found(void)
{
    sparse_found found;
    found.v[0] = sparse_unfound(FIND_0);
    found.v[1] = sparse_unfound(FIND_1);
    found.v[2] = sparse_unfound(FIND_2);
    found.v[3] = sparse_unfound(FIND_3);
    found.v[4] = sparse_unfound(FIND_4);
    found.v[5] = sparse_unfound(FIND_5);
    return found;
}

/* Writes what the group has found. All work-items must come. */
DEVICE void sparse_tell(sparse_found mine, LOCAL_PTR sparse_found *scratch,
                        GLOBAL i64 *RESTRICT findings)
{
    scratch[ITEM_X] = mine;
    BARRIER();
    ROLLED
    for (i32 apart = ITEMS / 2; apart > 0; apart /= 2) {
        if (ITEM_X < apart)
            scratch[ITEM_X] = sparse_join_all(scratch[ITEM_X], scratch[ITEM_X + apart]);
        BARRIER();
    }
    if (ITEM_X == 0) {
        UNROLLED
        for (i32 k = 0; k < SPARSE_FINDINGS; k++)
            findings[GROUP_X * SPARSE_FINDINGS + k] = scratch[0].v[k];
    }
}

#endif
