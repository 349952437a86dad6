/* maxpy_args.h: arguments of the maxpy kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MAXPY_ARGS_H
#define MAXPY_ARGS_H
#include "stream_args.h"

#define MAXPY_VALUES 8 /* coefficients that fit into the arguments */

typedef struct maxpy_args {
    stream_args range;
    i64 ldx;
    i64 columns;
    f64 alpha_re, alpha_im;
    i64 on_device;                /* 1: the buffer values_at holds the coefficients */
    f64 values[2 * MAXPY_VALUES]; /* else these do: real and imaginary parts in turn */
} maxpy_args;

#endif
