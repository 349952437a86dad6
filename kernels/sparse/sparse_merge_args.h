/* sparse_merge_args.h: arguments of the product that divides rows and entries alike.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_MERGE_ARGS_H
#define SPARSE_MERGE_ARGS_H
#include "scalars_args.h"

typedef struct sparse_merge_args {
    i64 rows, entries;
    i64 columns, ldx, ldy; /* of X and Y */
    i64 shares;            /* groups of a pass */
    scalars_args scalars;
} sparse_merge_args;

#endif
