/* copy_args.h: arguments of the copy kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef COPY_ARGS_H
#define COPY_ARGS_H
#include "stream_args.h"

typedef struct copy_args {
    stream_args range;
} copy_args;

#endif
