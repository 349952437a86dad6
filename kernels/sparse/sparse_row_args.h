/* sparse_row_args.h: a sparse matrix as kernels take it, beside its arrays.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_ROW_ARGS_H
#define SPARSE_ROW_ARGS_H

typedef struct sparse_row_args {
    i64 rows;
    i64 width;  /* ELL: places of a row */
    i64 stride; /* ELL: from one place of a row to the next */
} sparse_row_args;

#endif
