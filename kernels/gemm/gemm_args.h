/* gemm_args.h: arguments of the kernels for products of two matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEMM_ARGS_H
#define GEMM_ARGS_H
#include "scalars_args.h"

typedef struct gemm_args {
    i64 m, n, k, lda, ldb, ldc;
    i64 column_groups; /* groups that share the columns of C, where a group has one at a time */
    i64 tile_rows, tile_columns; /* of C */
    i64 split_terms;             /* that a group adds, where several share the terms of a tile */
    i64 splits;
    i64 batch, entry_groups, stride_a, stride_b, stride_c; /* of many products at once */
    i64 alpha_reals, beta_reals; /* 1: on the device the scalar is real; else 2 */
    scalars_args scalars;
} gemm_args;

#endif
