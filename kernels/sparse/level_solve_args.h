/* level_solve_args.h: arguments of level_solve.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef LEVEL_SOLVE_ARGS_H
#define LEVEL_SOLVE_ARGS_H

typedef struct level_solve_args {
    i64 first, end; /* levels; of WAY 2 phases */
    i64 run;        /* of WAY 0: places of a group */
} level_solve_args;

#endif
