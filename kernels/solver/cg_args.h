/* cg_args.h: arguments of the kernels of pipelined CG.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CG_ARGS_H
#define CG_ARGS_H
#include "sparse_row_args.h"
#include "stream_args.h"

typedef struct cg_vectors_args {
    stream_args range; /* of block-Jacobi: `vectors` are tiles */
    i64 sums;          /* partial sums of the cg_vectors before; 0: there was none */
    i64 products;      /* of the cg_product before */
    i64 start;         /* 1: p := M^-1 r only */
} cg_vectors_args;

typedef struct cg_product_args {
    sparse_row_args matrix;
    i64 per_group; /* rows of one contiguous range, whole tiles; only where RANGE */
} cg_product_args;

#endif
