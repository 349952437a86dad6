/* trsm_batched_args.h: arguments of the kernel for many triangular solves at once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TRSM_BATCHED_ARGS_H
#define TRSM_BATCHED_ARGS_H
#include "scalars_args.h"

typedef struct trsm_batched_args {
    i64 order, vectors; /* of the triangle; how many right-hand sides a batch entry has */
    i64 lda, step_b,
        next_b; /* elements from one entry of a right-hand side to the next, and between these */
    i64 batch, stride_a, stride_b;
    i64 sets;          /* of batch entries, one per group at a time */
    i64 vector_groups; /* groups that share the right-hand sides of a batch entry */
    i64 backward;      /* 1: the last row is solved first */
    i64 unit;          /* 1: the diagonal is ones and not read */
    scalars_args scalars;
} trsm_batched_args;

#endif
