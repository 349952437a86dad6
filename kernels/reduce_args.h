/* reduce_args.h: arguments of the kernels that reduce vectors to one result.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef REDUCE_ARGS_H
#define REDUCE_ARGS_H
#include "stream_args.h"

typedef struct reduce_args {
    stream_args range;
    i64 partials; /* groups of the first launch: only read by the finishing kernel */
    f64 alpha;    /* sdsdot: what is added, unless alpha_on_device */
    i64 alpha_on_device;
} reduce_args;

#endif
