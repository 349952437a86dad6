/* eigen_args.h: arguments of the kernels around the reduction of a symmetric matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef EIGEN_ARGS_H
#define EIGEN_ARGS_H

/* Where numbers stand, which are real: the matrix is multiplied by TO / FROM, its values by BACK.
 * Where it has a NaN or an infinity, TO and BACK are NaN. */
#define EIGEN_FROM    0
#define EIGEN_TO      1
#define EIGEN_BACK    2
#define EIGEN_NUMBERS 3

typedef struct eigen_begin_args {
    i64 unused;
} eigen_begin_args;

typedef struct eigen_end_args {
    i64 n;
    i64 number;     /* info is minus this where the matrix was not finite */
    i64 has_before; /* not 0: *before counts, too */
    i64 scaled;     /* 0: values stay as they are */
} eigen_end_args;

typedef struct eigen_pick_args {
    i64 n;
    i64 first, count; /* these values, if not by_values */
    i64 by_values;    /* not 0: those in from < w <= to */
    i64 vectors;      /* not 0: columns, too */
    i64 ldv, ldz;
    f64 from, to;
} eigen_pick_args;

#endif
