/* sparse_look.cl: what the entries of compressed rows say: band, diagonal, symmetry
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry (i, j) is compared with entry (j, i), which is searched by halving in row j: columns rise. An entry that is not there
 * is 0. NaN is equal to nothing. Findings of a work-item: the largest |i - j|; rows without an entry on the diagonal or
 * with one that is 0; rows whose diagonal is not real and above 0; 1 where it is not symmetric, 2 where it is not
 * Hermitian, together 3.
 * Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th row. No barriers.
 * Macros: ITEMS, INDEX_BITS.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#ifndef ITEMS
#error "sparse_look needs ITEMS"
#endif

/* The entry with this column among [from, to); `to` where there is none. */
DEVICE i64 sparse_search(GLOBAL const sparse_index *column, i64 from, i64 to, i64 wanted)
{
    i64 low = from, high = to;
    ROLLED
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (column[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < to && column[low] == wanted ? low : to;
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
    const i64 lane = GROUP_X * ITEMS + LANE_X;
    i64 band = 0, empty = 0, other = 0, differs = 0;
    ROLLED
    for (i64 i = lane; i < a.rows; i += a.lanes) {
        const i64 end = start[i + 1];
        T diagonal = T_make(0, 0);
        ROLLED
        for (i64 e = start[i]; e < end; e++) {
            const i64 j = column[e], off = i < j ? j - i : i - j;
            const T here = value[e];
            band = off > band ? off : band;
            if (off == 0)
                diagonal = here;
            if (a.rows == a.columns) {
                const i64 from = start[j], to = start[j + 1],
                          at = sparse_search(column, from, to, i);
                differs |= sparse_differs(here, at < to ? value[at] : T_make(0, 0));
            }
        }
        if (i < a.columns) {
            const R im = T_REALS == 2 ? T_real(diagonal, 1) : 0;
            empty += T_is_zero(diagonal) ? 1 : 0;
            const i64 above = T_real(diagonal, 0) > 0, real = im == 0;
            other += above & real ? 0 : 1;
        }
    }
    findings[lane * SPARSE_FINDINGS] = band;
    findings[lane * SPARSE_FINDINGS + 1] = empty;
    findings[lane * SPARSE_FINDINGS + 2] = other;
    findings[lane * SPARSE_FINDINGS + 3] = differs;
}
