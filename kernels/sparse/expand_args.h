/* expand_args.h: arguments of the kernel that completes a symmetric matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef EXPAND_ARGS_H
#define EXPAND_ARGS_H

typedef struct expand_args {
    i64 n, lda, ldw;
    i64 tiles; /* along a side */
} expand_args;

#endif
