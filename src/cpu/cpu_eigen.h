/* cpu_eigen.h: the C kernels of eigenvalues of symmetric matrices, as tasks: cpu_tridiagonal.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_EIGEN_H
#define GBL_CPU_EIGEN_H

#include "cpu/cpu_kernels.h"

/* Eigenvalues, and vectors, of a symmetric tridiagonal matrix: cpu_tridiagonal.c. */
typedef struct gbl_cpu_tridiagonal_args {
    int64_t n;
    void *d, *e; /* real; d becomes the values, ascending */
    void *Z;     /* n columns, multiplied by the vectors; NULL: none are wanted */
    int64_t ldz;
    int64_t *info;
} gbl_cpu_tridiagonal_args;

/* Before and behind the reduction of a matrix: kernels/lapack/eigen_begin.cl, eigen_end.cl. */
typedef struct gbl_cpu_eigen_args {
    int64_t n, number;
    const void *most;
    void *numbers, *w;
    const int64_t *stage, *before; /* before: NULL, or info of the step before */
    int64_t *info;
} gbl_cpu_eigen_args;

/* Eigenvalues first, first + 1 ..., or those in from < w <= to, out of all of them:
 * kernels/lapack/eigen_pick.cl. */
typedef struct gbl_cpu_pick_args {
    int64_t n, first, count;
    bool by_values;
    double from, to;
    const void *all;     /* n values, ascending */
    const void *vectors; /* of values from `first` on */
    int64_t ldv;
    void *w, *Z; /* Z: NULL, no vectors */
    int64_t ldz;
    const int64_t *stage; /* its outcome */
    int64_t *found, *failed;
} gbl_cpu_pick_args;

/* Eigenvalues first, first + 1, ... of a symmetric tridiagonal matrix, by bisection: sturm_begin.cl
 * and sturm_values.cl. */
typedef struct gbl_cpu_sturm_args {
    int64_t n;
    const void *d, *e; /* d NULL: zeros */
    int64_t first, count;
    void *scaled; /* room for 2 n numbers */
    void *w;
    int64_t number, *info;
} gbl_cpu_sturm_args;

GBL_CPU_TASKS(tridiagonal_ql);
GBL_CPU_TASKS(sturm_values);
GBL_CPU_TASKS(eigen_begin);
GBL_CPU_TASKS(eigen_end);
GBL_CPU_TASKS(eigen_pick);

#endif
