/* divide_matrices.h: tridiagonal matrices that are hard for divide and conquer.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef DIVIDE_MATRICES_H
#define DIVIDE_MATRICES_H

#include <stdint.h>
#include "device/dtype.h"
#include "gable/gable.h"

typedef struct tridiagonal {
    gbl_dtype real;
    int64_t n;
    double *d, *e;
    int power; /* the true matrix is 2^power times this one */
} tridiagonal;

/* Kinds 0 to KINDS - 1; the first is random, the third 1-2-1. */
#define KINDS 18
tridiagonal make_matrix(gbl_dtype real, int64_t n, int kind);
void free_matrix(const tridiagonal *t);
const char *kind_name(int kind);

double norm_of(const tridiagonal *t); /* the 1-norm, without the power */
double ulp_of(gbl_dtype real);
double uniform(void); /* a random number in [0, 1) */

/* How many eigenvalues are below x, without the power. */
int64_t sturm_count(const tridiagonal *t, long double x);

/* Vectors of numbers in a precision, times a factor, to and from the device. */
void put_reals(gable_context *ctx, gbl_dtype real, int64_t count, const double *from, double factor,
               void *to);
void get_reals(gable_context *ctx, gbl_dtype real, int64_t count, const void *from, double factor,
               double *to);

#endif
