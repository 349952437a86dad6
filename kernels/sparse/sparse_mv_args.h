/* sparse_mv_args.h: arguments of the products with sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_MV_ARGS_H
#define SPARSE_MV_ARGS_H
#include "scalars_args.h"
#include "sparse_row_args.h"

typedef struct sparse_mv_args {
    sparse_row_args matrix;
    i64 columns, ldx, ldy; /* of X and Y */
    i64 passes;            /* over the matrix, COLUMNS of X each */
    i64 run;               /* rows per work-item of sparse_single_item */
    scalars_args scalars;
} sparse_mv_args;

#endif
