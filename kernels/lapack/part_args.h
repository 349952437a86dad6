/* part_args.h: arguments of kernels that walk over a matrix or one of its triangles.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PART_ARGS_H
#define PART_ARGS_H
#include "scalars_args.h"

typedef struct part_args {
    i64 m, n;
    i64 lda, ldb;
    i64 first, last; /* element (i, j) belongs to the part where first <= i - j <= last */
    i64 strips;      /* groups that share the columns; so many share the rows: GROUPS_X / strips */
    scalars_args scalars;
} part_args;

#endif
