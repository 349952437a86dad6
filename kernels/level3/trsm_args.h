/* trsm_args.h: arguments of the kernel that solves with a diagonal block for many right-hand sides.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TRSM_ARGS_H
#define TRSM_ARGS_H
#include "scalars_args.h"
#include "trsv_args.h"

typedef struct trsm_args {
    trsv_args triangle; /* the block: its n at most NB; blocks is 1 */
    i64 ldb;
    i64 sides; /* right-hand sides: columns of B, or its rows where A stands right */
    i64 slabs; /* of SLAB sides, which the groups share */
    i64 scale; /* 1: B is multiplied by alpha first */
    scalars_args scalars;
} trsm_args;

#endif
