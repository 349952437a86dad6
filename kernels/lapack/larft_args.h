/* larft_args.h: arguments of the kernel that makes the diagonal blocks of T.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef LARFT_ARGS_H
#define LARFT_ARGS_H

typedef struct larft_args {
    i64 k; /* reflectors */
    i64 ldg, ldt;
} larft_args;

#endif
