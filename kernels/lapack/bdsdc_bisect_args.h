/* bdsdc_bisect_args.h: arguments of bdsdc_bisect.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BDSDC_BISECT_ARGS_H
#define BDSDC_BISECT_ARGS_H
#include "scalars_args.h"

typedef struct bdsdc_bisect_args {
    i64 n;
    i64 bad; /* info of a matrix that is not finite */
} bdsdc_bisect_args;

/* The largest number of the matrix is brought to 2^-BISECT_RANGE .. 2^BISECT_RANGE before
 * (range_one.cl), so that no factor overflows. */
#define BISECT_RANGE_SINGLE 22
#define BISECT_RANGE_DOUBLE 50

#endif
