/* symv_args.h: arguments of the symv kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix stands in a grid of square blocks of `rows` rows and columns, with `skip` places
 * before its first row and column. A block row is the stored blocks left of the diagonal, or right
 * of it, and the one on it; it is walked in pieces of `columns` columns. Block rows are counted
 * from the shortest: the first of a lower triangle, the last of an upper one. Number e has first +
 * e * tiles pieces, of which the first `lead` are empty: they stand for what it costs a group to
 * begin a block row.
 */
#ifndef SYMV_ARGS_H
#define SYMV_ARGS_H
#include "scalars_args.h"

typedef struct symv_args {
    i64 n, lda, incx, incy;
    i64 rows, columns; /* of a block; of a piece */
    i64 skip;          /* places before the matrix */
    i64 origin;        /* lower: the place of the first piece's first column */
    i64 blocks;        /* block rows */
    i64 tiles, first;  /* pieces of a block; of block row 0 */
    i64 lead;
    i64 pieces; /* of the triangle: each group takes `base`, the first `extra` groups one more */
    i64 groups, base, extra;
    scalars_args scalars;
} symv_args;

/* Of symv_read_twice.cl. */
typedef struct symv_read_twice_args {
    i64 n, lda, incx, incy;
    scalars_args scalars;
} symv_read_twice_args;

#endif
