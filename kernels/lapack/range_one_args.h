/* range_one_args.h: arguments of the kernels that bring one matrix into a safe range, and its
 * singular values or eigenvalues back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef RANGE_ONE_ARGS_H
#define RANGE_ONE_ARGS_H
#include "scalars_args.h"

/* Where numbers stand, real ones of the precision: the matrix's factor; that of its values, NaN
 * where the matrix has a NaN or an infinity; and 1 there, else 0. */
#define RANGE_ONE_FACTOR  0
#define RANGE_ONE_BACK    1
#define RANGE_ONE_BAD     2
#define RANGE_ONE_NUMBERS 3

typedef struct range_one_args {
    i64 groups;   /* maxima that there are */
    i64 exponent; /* safe is from 2^-exponent to 2^exponent */
} range_one_args;

typedef struct range_info_args {
    i64 info; /* of a matrix that is not finite */
} range_info_args;

#endif
