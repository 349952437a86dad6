/* vector_args.h: the operands of a vector routine: a call of blas/, and what tasks (C kernels of
 * the
 * cpu, vendors' libraries) are given. SPDX-License-Identifier: BSD-3-Clause
 *
 * One struct serves all of level 1; members a routine does not have stay zero. In a call pointers
 * and strides are as the caller of BLAS gave them; a task's pointers stand on element 0.
 */
#ifndef GBL_VECTOR_ARGS_H
#define GBL_VECTOR_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/dtype.h"

/* Coefficients that a call can carry by value: so many columns maxpy takes at a time then. */
#define GBL_VECTOR_VALUES 8

typedef struct gbl_vector_args {
    /* The shape of a call, without gaps: core/op.c compares it as bytes. */
    gbl_dtype dtype;
    bool conj;         /* of x: dotc, mdotc */
    bool real_scalars; /* alpha and beta are real beside complex vectors: csscal, csrot */
    bool wide_result;  /* dsdot: the result of single-precision vectors is double */
    bool unused;
    int64_t n;
    int64_t incx, incy, incw;
    int64_t count, ldx; /* mdot, maxpy: x is n by count, column-major */
    /* Its operands. */
    void *x;
    void *y; /* NULL where the routine has one vector only */
    void *w; /* waxpby */
    /* rotg: a, b, c, s are x, y, result, w; rotmg: d1, d2, x1, param are x, y, w, result. */
    void *result;
    /* rot: c and s (c is real always). random: low and high. rotm: alpha.device is param, or
     * alpha = (h11, h21) and beta = (h12, h22). rotmg: alpha is y1. */
    gbl_scalar alpha, beta;
    const void *values_at;    /* maxpy: count coefficients on the device, or */
    const gbl_scalar *values; /* as many by value; a task's stand behind its args */
    uint64_t seed, first;     /* random */
} gbl_vector_args;

/* What the task of maxpy is given: it must be whole in a recording. */
typedef struct gbl_maxpy_args {
    gbl_vector_args call;
    gbl_scalar values[GBL_VECTOR_VALUES];
} gbl_maxpy_args;

#define GBL_VECTOR_SHAPE_BYTES offsetof(gbl_vector_args, x)

#endif
