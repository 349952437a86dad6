/* sparse_coo.h: entries one by one, sorted by rows: what the kernels of products with them share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has a.share entries that follow one another, the last group what is left. A row whose
 * entries are all in one group is finished there. Of a row that goes on in the next group, each
 * group leaves its part: that of its last row as its tail, that of the row it begins with, if it
 * ends in the group, as its head. sparse_coo_finish adds them in order. Groups of column k of Y
 * leave them behind those of the columns before.
 */
#include "scalars.h"
#include "sparse_coo_args.h"
#include "sparse_index.h"

DEVICE i64 coo_begin(sparse_coo_args a, i64 share)
{
    return share * a.share;
}

DEVICE i64 coo_end(sparse_coo_args a, i64 share)
{
    const i64 end = (share + 1) * a.share;
    return end < a.entries ? end : a.entries;
}

/* Whether the row of a share's last entry goes on in the next one. */
DEVICE i32 coo_goes_on(GLOBAL const sparse_index *row, sparse_coo_args a, i64 share)
{
    const i64 end = coo_end(a, share);
    return end < a.entries && row[end] == row[end - 1];
}

/* Where a group leaves the parts of rows that it does not finish: its head, its tail. */
DEVICE GLOBAL T *coo_parts(GLOBAL T *parts, sparse_coo_args a, i64 column, i64 share)
{
    return parts + 2 * (column * a.shares + share);
}
