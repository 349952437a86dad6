/* stedc_block.h: a block of a leaf, in which a sweep goes forward or backward.
 * SPDX-License-Identifier: BSD-3-Clause
 */
/* A block of rows from `low` to `high`, in which a sweep goes from its last place to the first:
 * places are counted from `low` on, or backward from `high`. */
typedef struct block {
    i32 low, high, backward;
} block;

DEVICE i32 row_at(block b, i32 place)
{
    return b.backward ? b.high - place : b.low + place;
}

/* Where e between a place and the next one stands. */
DEVICE i32 beside_at(block b, i32 place)
{
    return b.backward ? b.high - 1 - place : b.low + place;
}
