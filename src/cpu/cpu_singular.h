/* cpu_singular.h: tasks of singular values: those of cpu_bisect.c and cpu_range_one.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_SINGULAR_H
#define GBL_CPU_SINGULAR_H

#include "cpu/cpu_kernels.h"

/* One matrix in a safe range: kernels/lapack/range_one.cl, range_info.cl and embed.cl, whose
 * numbers stand as range_one_args.h says. */
typedef struct gbl_cpu_range_one_args {
    void *numbers;
    const void *largest; /* range_one: the largest numbers of some matrices */
    int64_t groups, exponent;
    int64_t *info; /* range_info: where, and what where a matrix is not finite */
    int64_t value;
    int64_t m, n; /* embed: of C; B is real and of that order */
    void *C;
    int64_t ldc;
    const void *B;
    int64_t ldb, order;
} gbl_cpu_range_one_args;
GBL_CPU_TASKS(range_one);
GBL_CPU_TASKS(range_info);
GBL_CPU_TASKS(embed);

/* Singular values of a bidiagonal matrix, as kernels/lapack/bdsdc_bisect.cl; numbers as above. */
typedef struct gbl_cpu_bisect_args {
    int64_t n;
    const void *d, *e, *numbers;
    void *values;
    int64_t *info;
    int64_t bad; /* info of a matrix that is not finite */
} gbl_cpu_bisect_args;
GBL_CPU_TASKS(bisect);

#endif
