/* trmv_args.h: arguments of the trmv kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TRMV_ARGS_H
#define TRMV_ARGS_H

typedef struct trmv_args {
    i64 n, lda, incx;
    i64 head;    /* rows above the first that stands on an aligned address */
    i64 vectors; /* of VEC rows in a column, below those */
    i64 blocks;  /* of outputs */
    i64 upper;   /* the upper triangle is stored */
    i64 unit;    /* the diagonal is ones */
    i64 back;    /* the last block has the longest sums */
} trmv_args;

#endif
