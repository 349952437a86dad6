/* installed_range.h: matrices and bounds for drivers of the installed LAPACK.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_INSTALLED_RANGE_H
#define GBL_INSTALLED_RANGE_H

#include "lapack/lapack.h"

/* Multiplies a finite matrix by the power of two that brings its largest element into the range
 * where LAPACK does not scale it, and gives the power's exponent; 0 where it is inside, or all
 * zeros. uplo: the triangle that counts, or GABLE_GENERAL. */
int gbl_installed_range_enter(gbl_dtype dtype, gable_uplo uplo, int64_t m, int64_t n, void *A,
                              int64_t lda);
/* Real values of such a matrix as those of the given one. */
void gbl_installed_range_leave(gbl_dtype dtype, int64_t count, void *values, int exponent);

/* Intervals from < w <= to. */

/* The largest number of the precision that is at most 2^exponent x: w > x and w <= x are the same
 * as with x, for all w of the precision. */
double gbl_installed_bound(gbl_dtype dtype, double x, int exponent);
/* Values that lie in the interval, but for roundings, moved into it. One of the precision does. */
void gbl_installed_confine(gbl_dtype dtype, int64_t count, void *values, double from, double to);

#endif
