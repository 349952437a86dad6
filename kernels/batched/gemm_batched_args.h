/* gemm_batched_args.h: arguments of the kernels for many products of two matrices at once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEMM_BATCHED_ARGS_H
#define GEMM_BATCHED_ARGS_H
#include "scalars_args.h"

typedef struct gemm_batched_args {
    i64 m, n, k, lda, ldb, ldc;
    i64 batch, stride_a, stride_b, stride_c;
    i64 sets;       /* of batch entries, one per group at a time */
    i64 row_blocks; /* of a batch entry; groups along x are blocks of rows, then of columns */
    scalars_args scalars;
} gemm_batched_args;

#endif
