/* diagonal_args.h: arguments of the kernel that looks for zeros on a diagonal.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef DIAGONAL_ARGS_H
#define DIAGONAL_ARGS_H

typedef struct diagonal_args {
    i64 n;
    i64 lda;
} diagonal_args;

#endif
