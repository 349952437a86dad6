/* gemv_blocks_args.h: arguments of the gemv kernels that move square blocks through the matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEMV_BLOCKS_ARGS_H
#define GEMV_BLOCKS_ARGS_H
#include "scalars_args.h"

typedef struct gemv_blocks_args {
    i64 m, n, lda, incx, incy;
    i64 base; /* first row (n) or column (t) of the launch */
    scalars_args scalars;
} gemv_blocks_args;

#endif
