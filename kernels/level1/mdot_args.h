/* mdot_args.h: arguments of the mdot kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MDOT_ARGS_H
#define MDOT_ARGS_H
#include "stream_args.h"

typedef struct mdot_args {
    stream_args range;
    i64 ldx;
    i64 columns;
    i64 partials; /* groups along x in the first launch: only read by the finishing kernel */
} mdot_args;

#endif
