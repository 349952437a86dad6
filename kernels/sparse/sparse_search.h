/* sparse_search.h: to which row an entry belongs, or to which slice a place.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_SEARCH_H
#define SPARSE_SEARCH_H

#include "sparse_index.h"

/* The first place of [low, high) whose index is at least `wanted`; high where there is none. */
DEVICE i64 sparse_search(GLOBAL const sparse_index *indices, i64 low, i64 high, i64 wanted)
{
    ROLLED
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (indices[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last of starts [low, high] that is at or before `at`: empty rows before it are passed over.
 * start[low] is at or before it. */
DEVICE i64 sparse_holder(GLOBAL const sparse_index *start, i64 low, i64 high, i64 at)
{
    return sparse_search(start, low, high + 1, at + 1) - 1;
}

#endif
