/* cg_persistent_args.h: arguments of cg_persistent.cl, the same on the host and on devices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse_row_args.h"

typedef struct cg_persistent_args {
    sparse_row_args matrix;
    i64 share;      /* places of the order per group, a multiple of the rows of a slice */
    i64 iterations; /* at most so many */
} cg_persistent_args;
