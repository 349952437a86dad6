/* sparse_look.cl: what the entries of compressed rows say: band, diagonal, symmetry
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Work-items have entries, not rows, so that a long row is shared: the row of an entry is searched
 * by halving among the starts. Entry (i, j) is compared with entry (j, i), which is searched
 * likewise in row j: columns rise. An entry that is not there is 0. NaN is equal to nothing.
 * Findings of a work-item: the largest |i - j|; how many entries of the diagonal are not 0; how
 * many are real and above 0; 1 where A is not symmetric, 2 where it is not Hermitian, together 3.
 * Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th entry. No
 * barriers.
 * Macros: ITEMS, INDEX_BITS.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#ifndef ITEMS
#error "sparse_look needs ITEMS"
#endif

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

/* 1: the mirrored entry differs; 2: it is not the conjugate. */
DEVICE i64 sparse_differs(T here, T there)
{
    const R re = T_real(here, 0), im = T_REALS == 2 ? T_real(here, 1) : 0;
    const R re2 = T_real(there, 0), im2 = T_REALS == 2 ? T_real(there, 1) : 0;
    const i64 real = re == re2, same = im == im2, turned = im == -im2;
    return (real & same ? 0 : 1) + (real & turned ? 0 : 2);
}

KERNEL(sparse_look, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL i64 *RESTRICT findings, sparse_convert_args a)
{
    BEGIN();
    const i64 lane = GROUP_X * ITEMS + ITEM_X;
    i64 band = 0, full = 0, positive = 0, differs = 0;
    ROLLED
    for (i64 e = lane; e < a.entries; e += a.lanes) {
        /* The last row that starts at or before e: the one before the first that starts behind
         * it. */
        const i64 i = sparse_search(start, 0, a.rows + 1, e + 1) - 1;
        const i64 j = column[e], off = i < j ? j - i : i - j;
        const T here = value[e];
        band = off > band ? off : band;
        if (off == 0) {
            const R im = T_REALS == 2 ? T_real(here, 1) : 0;
            const i64 above = T_real(here, 0) > 0, real = im == 0;
            full += T_is_zero(here) ? 0 : 1;
            positive += above & real;
        }
        if (a.rows == a.columns) {
            const i64 to = start[j + 1], at = sparse_search(column, start[j], to, i);
            T there = T_make(0, 0);
            if (at < to && column[at] == i)
                there = value[at];
            differs |= sparse_differs(here, there);
        }
    }
    findings[lane * SPARSE_FINDINGS] = band;
    findings[lane * SPARSE_FINDINGS + 1] = full;
    findings[lane * SPARSE_FINDINGS + 2] = positive;
    findings[lane * SPARSE_FINDINGS + 3] = differs;
}
