/* vector_args.h: the operands of a vector routine, for tasks: C kernels of the cpu, vendors'
 * libraries. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_VECTOR_ARGS_H
#define GBL_VECTOR_ARGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gbl_vector_args {
    int dtype; /* 0 s, 1 d, 2 c, 3 z */
    bool conj; /* of x */
    int64_t n;
    double re, im;        /* alpha, unless alpha_at is set */
    const void *alpha_at; /* read when the task runs */
    const void *x;
    int64_t incx;
    void *y;
    int64_t incy;
    void *result;
} gbl_vector_args;

#endif
