/* potrf_args.h: arguments of the kernel that factors a diagonal block.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef POTRF_ARGS_H
#define POTRF_ARGS_H

typedef struct potrf_args {
    i64 n; /* at most NB */
    i64 lda;
    i64 before; /* columns of the matrix that were factored before this block */
    i64 below;  /* rows below this block that are solved for */
} potrf_args;

#endif
