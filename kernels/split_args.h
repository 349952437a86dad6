/* split_args.h: how the work of a matrix-vector kernel is shared out, for the host and for kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Outputs come in `blocks`; the work of a block is cut into `chunks`. All blocks * chunks chunks
 * are numbered block by block. Each group takes `base` of them, the first `extra` groups one more.
 */
#ifndef SPLIT_ARGS_H
#define SPLIT_ARGS_H

typedef struct split_args {
    i64 blocks;
    i64 chunks;
    i64 base;
    i64 extra;
} split_args;

#endif
