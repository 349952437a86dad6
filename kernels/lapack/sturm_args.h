/* sturm_args.h: arguments of the kernels that find eigenvalues of symmetric tridiagonal matrices by
 * bisection.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef STURM_ARGS_H
#define STURM_ARGS_H

/* Where numbers stand, which are real: eigenvalues of the scaled matrix times BACK are those of the
 * given one, NaN if that has a NaN or an infinity; no eigenvalue is outside of -MOST .. MOST;
 * quotients are kept away from 0 by LEAST. */
#define STURM_BACK    0
#define STURM_MOST    1
#define STURM_LEAST   2
#define STURM_NUMBERS 3

typedef struct sturm_begin_args {
    i64 n;
    i64 diagonal; /* 0: it is all zeros, and d is not looked at */
} sturm_begin_args;

typedef struct sturm_values_args {
    i64 n;
    i64 first, count; /* eigenvalues first, first + 1, ..., from 0, ascending */
    i64 number;       /* info is minus this where the matrix is not finite, else 0 */
} sturm_values_args;

#endif
