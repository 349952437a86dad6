/* random_args.h: arguments of the random kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef RANDOM_ARGS_H
#define RANDOM_ARGS_H

typedef struct random_args {
    i64 n; /* elements */
    i64 incx;
    i64 seed, first; /* bits of unsigned numbers */
    f64 low, width;
    i64 aligned; /* 1: stride 1, and the numbers of one counter stand on a multiple of 16 bytes */
} random_args;

#endif
