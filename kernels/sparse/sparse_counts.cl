/* sparse_counts.cl: counts what sparse_scan.cl then makes starts of
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * KIND says what: the places of each slice of SELL, chunk times its longest row; the entries of
 * each row behind the first a.width, for HYB; or the length of each row from its two parts: what
 * `counts` holds already, and with REST what `other` says of the coordinates behind it.
 * Geometry: groups of ITEMS work-items; each group has a.lanes of the a.places counts, a multiple
 * of ITEMS, and writes their sum.
 * Macros: ITEMS, a power of two; INDEX_BITS; KIND; ORDERED: of slices: `other` says which row
 * stands at a place; REST.
 * Barriers: all work-items reach them.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#if !defined(ITEMS) || !defined(KIND) || !defined(ORDERED) || !defined(REST)
#error "sparse_counts needs ITEMS, KIND, ORDERED and REST"
#endif

#define ABREAST 4 /* rows of a slice that are asked for at once */

/* The longest row at places [first, end). */
DEVICE i64 sparse_widest(GLOBAL const sparse_index *start, GLOBAL const sparse_index *order,
                         i64 first, i64 end)
{
    i64 most = 0;
    ROLLED
    for (i64 at = first; at < end; at += ABREAST) {
        i64 length[ABREAST];
        UNROLLED
        for (i32 u = 0; u < ABREAST; u++) {
            length[u] = 0;
            if (at + u < end) {
                const i64 row = ORDERED ? (i64)order[at + u] : at + u;
                length[u] = (i64)start[row + 1] - start[row];
            }
        }
        UNROLLED
        for (i32 u = 0; u < ABREAST; u++)
            most = length[u] > most ? length[u] : most;
    }
    return most;
}

DEVICE i64 sparse_count(GLOBAL const sparse_index *start, GLOBAL const sparse_index *other,
                        GLOBAL const sparse_index *counts, sparse_convert_args a, i64 i)
{
    if (KIND == SPARSE_OF_SLICES) {
        const i64 first = i << a.shift, end = first + ((i64)1 << a.shift);
        return sparse_widest(start, other, first, end < a.rows ? end : a.rows) << a.shift;
    }
    if (KIND == SPARSE_OF_RESTS) {
        const i64 length = (i64)start[i + 1] - start[i];
        return length > a.width ? length - a.width : 0;
    }
    return (i64)counts[i] + (REST ? (i64)other[i + 1] - other[i] : 0);
}

KERNEL(sparse_counts, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT other,
 GLOBAL sparse_index *RESTRICT counts, GLOBAL i64 *RESTRICT sums, sparse_convert_args a)
{
    LOCAL i64 scratch[ITEMS];
    BEGIN();
    const i64 begin = GROUP_X * a.lanes,
              end = begin + a.lanes < a.places ? begin + a.lanes : a.places;
    i64 sum = 0;
    ROLLED
    for (i64 i = begin + ITEM_X; i < end; i += ITEMS) {
        const i64 count = sparse_count(start, other, counts, a, i);
        counts[i] = (sparse_index)count;
        sum += count;
    }
    scratch[ITEM_X] = sum;
    BARRIER();
    ROLLED
    for (i32 apart = ITEMS / 2; apart > 0; apart /= 2) {
        if (ITEM_X < apart)
            scratch[ITEM_X] += scratch[ITEM_X + apart];
        BARRIER();
    }
    if (ITEM_X == 0)
        sums[GROUP_X] = scratch[0];
}
