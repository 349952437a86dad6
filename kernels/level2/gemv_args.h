/* gemv_args.h: arguments of the gemv kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEMV_ARGS_H
#define GEMV_ARGS_H
#include "scalars_args.h"
#include "split_args.h"

typedef struct gemv_args {
    split_args split;
    i64 m, n, lda, incx, incy;
    i64 head;    /* rows above the first that stands on an aligned address */
    i64 vectors; /* of VEC rows in a column, below those */
    i64 chunk;   /* of a block: columns (gemv_n) or vectors (gemv_t) a chunk */
    scalars_args scalars;
    i64 x_whole; /* gemv_t: x is contiguous and stands so that it can be loaded in vectors */
} gemv_args;

#endif
