/* sparse_coo_args.h: arguments of the products with matrices of single entries.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_COO_ARGS_H
#define SPARSE_COO_ARGS_H
#include "scalars_args.h"

typedef struct sparse_coo_args {
    i64 rows, entries;
    i64 ldx, ldy;
    i64 share;  /* entries per group */
    i64 shares; /* groups that have some */
    i64 run;    /* rows per work-item of sparse_scale */
    scalars_args scalars;
} sparse_coo_args;

#endif
