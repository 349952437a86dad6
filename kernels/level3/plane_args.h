/* plane_args.h: arguments of the kernels that walk over matrices of one shape.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PLANE_ARGS_H
#define PLANE_ARGS_H
#include "scalars_args.h"

typedef struct plane_args {
    i64 m, n, lda, ldb, ldc;
    i64 head;    /* rows above the first that stands on an aligned address */
    i64 vectors; /* of VEC rows in a column, below those */
    i64 down;    /* blocks along a column */
    i64 blocks;
    scalars_args scalars;
} plane_args;

#endif
