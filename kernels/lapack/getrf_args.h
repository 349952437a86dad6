/* getrf_args.h: arguments of the kernels that factor a few columns.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GETRF_ARGS_H
#define GETRF_ARGS_H

typedef struct getrf_args {
    i64 m, n; /* rows from the first pivot down; columns, at most NB */
    i64 lda;
    i64 before; /* columns of the matrix that were factored before */
} getrf_args;

#endif
