/* stein_args.h: arguments of the kernels that find eigenvectors of symmetric tridiagonal matrices
 * by inverse iteration.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef STEIN_ARGS_H
#define STEIN_ARGS_H

/* All vectors take STEIN_STEPS; where one is not good then, up to STEIN_MOST_STEPS, as in LAPACK's
 * stein. That takes three at least; here a step does the work of two. */
#define STEIN_STEPS      2
#define STEIN_MOST_STEPS 5
/* Arrays of n complex numbers per work-item of stein_solve: the right-hand side, and U. */
#define STEIN_ROOM 4

typedef struct stein_args {
    i64 n, count; /* the order; eigenvectors */
    i64 step;     /* from 0 */
    i64 slots;    /* work-items of stein_solve, which have room each */
    i64 ldx, ldz;
} stein_args;

#endif
