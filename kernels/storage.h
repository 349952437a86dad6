/* storage.h: where the columns of a triangle start in memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Element (i, j) stands i elements behind the start of column j, however the matrix is stored.
 * STORAGE 0: columns are lda apart. 1, a band: so are they, for a matrix whose lda is one less than
 * the band's, because a column of a band starts one row lower than the one before; the host passes
 * that lda, and the address of element (0, 0), which of an upper triangle lies k elements behind
 * the band's first. 2, packed: columns hold their part of the triangle only; of a lower triangle
 * lda is n.
 */
#ifndef STORAGE
#define STORAGE 0
#endif
#define BANDED (STORAGE == 1)
#define PACKED (STORAGE == 2)

DEVICE i64 column_start(i64 j, i64 lda, i64 upper)
{
#if PACKED
    const i64 triangle = j * (j + 1) / 2;
    return upper ? triangle : j * lda - triangle;
#else
    (void)upper;
    return j * lda;
#endif
}
