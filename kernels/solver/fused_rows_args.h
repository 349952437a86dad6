/* fused_rows_args.h: a product inside a kernel of a solver.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef FUSED_ROWS_ARGS_H
#define FUSED_ROWS_ARGS_H
#include "sparse_row_args.h"

typedef struct fused_rows_args {
    sparse_row_args matrix;
    i64 run; /* RUN 1: places of a group */
} fused_rows_args;

#endif
