/* range_args.h: arguments of the kernels that bring matrices into a safe range, and back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef RANGE_ARGS_H
#define RANGE_ARGS_H
#include "part_args.h"

/* Where factors stand, real numbers of the precision: those of A and of B, that of X, that of what
 * lies below X, and 1 where A is all zeros, else 0. */
#define RANGE_A       0
#define RANGE_B       1
#define RANGE_X       2
#define RANGE_BELOW   3
#define RANGE_NOTHING 4
#define RANGE_FACTORS 5

typedef struct range_factors_args {
    i64 groups_a, groups_b; /* maxima that there are of each */
} range_factors_args;

typedef struct range_scale_args {
    part_args part;
    i64 rows;         /* the first so many take factor `above`, those behind them `below` */
    i64 above, below; /* as listed above */
    i64 clears;       /* not 0: where A is all zeros the matrix becomes zeros, and *info 0 */
} range_scale_args;

#endif
