/* sparse_place.h: where a row of a padded format (ELL, SELL, the first part of HYB) lies.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Macros: INDEX_BITS; SLICED: 1: SELL, whose slices have starts; ORDERED: 1: `order` says which row
 * stands at a place.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#if !defined(SLICED) || !defined(ORDERED)
#error "sparse_place needs SLICED and ORDERED"
#endif

typedef struct sparse_place {
    i64 row;   /* of the matrix; -1: the place only fills up a slice */
    i64 base;  /* its first entry */
    i64 width; /* entries, with those that fill up */
} sparse_place;

DEVICE sparse_place sparse_place_at(GLOBAL const sparse_index *slice,
                                    GLOBAL const sparse_index *order, sparse_convert_args a,
                                    i64 place)
{
    sparse_place p;
    p.row = place < a.rows ? place : -1;
    p.base = place;
    p.width = a.width;
    if (ORDERED && place < a.rows)
        p.row = order[place];
    if (SLICED) {
        const i64 s = place >> a.shift, from = slice[s];
        p.base = from + (place - (s << a.shift));
        p.width = (slice[s + 1] - from) >> a.shift;
    }
    return p;
}
