/* sparse_look.cl: what the entries of compressed rows say: band, diagonal, symmetry
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Work-items have entries, not rows, so that a long row is shared: the row of an entry is searched
 * by halving among the starts. Entry (i, j) is compared with entry (j, i), which is searched
 * likewise in row j: columns rise. An entry that is not there is 0. NaN is equal to nothing.
 * Findings of a group: the largest |i - j|; how many entries of the diagonal are not 0; how
 * many are real and above 0; 1 where A is not symmetric, 2 where it is not Hermitian, together 3.
 * Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th entry.
 * Macros: ITEMS, INDEX_BITS.
 * Barriers: all work-items reach them.
 */
#define FIND_0 SPARSE_MOST
#define FIND_1 SPARSE_SUM
#define FIND_2 SPARSE_SUM
#define FIND_3 SPARSE_BITS
#define FIND_4 SPARSE_SUM
#define FIND_5 SPARSE_SUM
#include "sparse_find.h"
#include "sparse_search.h"

#ifndef ITEMS
#error "sparse_look needs ITEMS"
#endif

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
    LOCAL sparse_found scratch[ITEMS];
    BEGIN();
    const i64 lane = GROUP_X * ITEMS + ITEM_X;
    i64 band = 0, full = 0, positive = 0, differs = 0;
    ROLLED
    for (i64 e = lane; e < a.entries; e += a.lanes) {
        const i64 i = sparse_holder(start, 0, a.rows, e);
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
    sparse_found found = sparse_nothing_found();
    found.v[0] = band;
    found.v[1] = full;
    found.v[2] = positive;
    found.v[3] = differs;
    sparse_tell(found, scratch, findings);
}
