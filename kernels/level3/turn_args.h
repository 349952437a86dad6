/* turn_args.h: arguments of the kernels that turn tiles.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TURN_ARGS_H
#define TURN_ARGS_H
#include "scalars_args.h"

typedef struct turn_args {
    i64 m, n; /* rows and columns of C; X has n rows and m columns */
    i64 ldx, ldy, ldc;
    /* rows of a tile that stand above the first of X, so that the others are aligned */
    i64 before_x;
    i64 before_c;         /* the same for C */
    i64 across;           /* tiles along the rows of X */
    i64 down;             /* tiles along its columns */
    i64 strip;            /* tiles side by side that are taken before those below */
    scalars_args scalars; /* of X, and of Y */
} turn_args;

#endif
