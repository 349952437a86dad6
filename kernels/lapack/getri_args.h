/* getri_args.h: arguments of the kernel that puts the columns of an inverse into their order.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GETRI_ARGS_H
#define GETRI_ARGS_H

typedef struct getri_args {
    i64 n;
    i64 ldw, lda;
    i64 parts; /* groups that share the rows of a column */
} getri_args;

#endif
