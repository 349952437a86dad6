/* gemv_batched_args.h: arguments of the kernels for many products at once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEMV_BATCHED_ARGS_H
#define GEMV_BATCHED_ARGS_H
#include "scalars_args.h"

typedef struct gemv_batched_args {
    i64 m, n, lda, incx, incy;
    i64 first_x, first_y; /* elements from the address to element 0 of a vector */
    i64 batch, stride_a, stride_x, stride_y;
    i64 sets;                 /* of matrices, one per group at a time */
    i64 blocks, block_groups; /* of rows (n) or columns (t) a matrix, and groups that share them */
    i64 head;                 /* rows above the first that stands on an aligned address */
    i64 vectors;              /* of VEC rows in a column, below those */
    scalars_args scalars;
} gemv_batched_args;

#endif
