/* map_args.h: arguments of the kernels that apply a function to each element of vectors.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MAP_ARGS_H
#define MAP_ARGS_H
#include "scalars_args.h"
#include "stream_args.h"

typedef struct map_args {
    stream_args range;
    scalars_args scalars;
} map_args;

#endif
