/* axpy_args.h: arguments of the axpy kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef AXPY_ARGS_H
#define AXPY_ARGS_H
#include "stream_args.h"

typedef struct axpy_args {
    stream_args range;
    f64 alpha_re, alpha_im; /* alpha, unless alpha_on_device */
    i64 alpha_on_device;    /* 1: the buffer alpha holds it */
} axpy_args;

#endif
