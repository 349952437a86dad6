/* stream_args.h: how a vector is cut up among groups, for the host and for kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The n elements are `head` single ones, then `vectors` vectors of VEC elements that start on an
 * aligned address, then the rest, fewer than VEC. With strides (STRIDED) VEC is 1, head is 0.
 */
#ifndef STREAM_ARGS_H
#define STREAM_ARGS_H

typedef struct stream_args {
    i64 n;
    i64 head;
    i64 vectors;
    i64 per_group; /* vectors of one contiguous range; only where RANGE */
    i64 incx;
    i64 incy;
    i64 incw;
} stream_args;

#endif
