/* getrf_grid_args.h: arguments of the kernel of many groups that factors a few columns.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GETRF_GRID_ARGS_H
#define GETRF_GRID_ARGS_H

typedef struct getrf_grid_args {
    i64 m, n; /* rows from the first pivot down; columns, at most NB */
    i64 lda;
    i64 before;  /* columns of the matrix that were factored before */
    i64 arrived; /* what the counter of barriers stands at */
} getrf_grid_args;

#endif
