/* cg_scalars_args.h: arguments of cg_scalars.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CG_SCALARS_ARGS_H
#define CG_SCALARS_ARGS_H

typedef struct cg_scalars_args {
    i64 step; /* 0: before the first iteration; 1: alpha; 2: beta, and the end of the iteration */
} cg_scalars_args;

#endif
