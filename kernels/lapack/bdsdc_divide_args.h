/* bdsdc_divide_args.h: divide and conquer of a bidiagonal matrix: what its kernels do beside those
 * of stedc, with which they share arguments.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * B is upper bidiagonal of order n - 1 and has a column of zeros behind it: a.n places. A part of
 * the places from `first` to `last` has the columns there and a row less: its singular values and
 * their vectors are at all places but the last one, where V has the vector that the part maps to
 * zero and U the unit vector of the row below. So both are square, and a merge of two parts takes
 * the row at the last place of the upper one in.
 */
#ifndef BDSDC_DIVIDE_ARGS_H
#define BDSDC_DIVIDE_ARGS_H
#include "stedc_args.h"

/* Modes of bdsdc_vectors.cl. */
#define BDSDC_RIGHT 0
#define BDSDC_LEFT  1 /* from the right ones */

/* Modes of bdsdc_end.cl. */
#define BDSDC_AS_IS      0 /* and values and info */
#define BDSDC_TRANSPOSED 1

#define BDSDC_BAD_D 4 /* LAPACK's number of d */

#endif
