/* block_args.h: arguments of the kernels of Jacobi and block-Jacobi.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BLOCK_ARGS_H
#define BLOCK_ARGS_H
#include "sparse_row_args.h"

typedef struct block_args {
    sparse_row_args matrix;
    i64 blocks; /* on the diagonal; the last may reach past the matrix */
} block_args;

#endif
