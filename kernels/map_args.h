/* map_args.h: arguments of the kernels that apply a function to each element of vectors.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MAP_ARGS_H
#define MAP_ARGS_H
#include "stream_args.h"

typedef struct map_args {
    stream_args range;
    f64 alpha_re, alpha_im; /* alpha, unless alpha_on_device */
    f64 beta_re, beta_im;
    i64 alpha_on_device; /* 1: the buffer alpha_at holds it */
    i64 beta_on_device;
} map_args;

#endif
