/* bench_check.h: the error of a result over its bound.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * References are naive loops in double-double arithmetic over the host's copy of the data; they
 * cover the whole vector, because the data repeat. Bounds after t calls (u the unit roundoff, 2
 * sqrt 2 times as much for complex; Higham, Accuracy and Stability, 3.1, 3.5, 3.6), each element on
 * its own, the largest ratio counts:
 *
 *   copy, swap, fill, random, amax   none: the error is 0, or the number of wrong elements plus 1
 *   scal                    (t + 1) u |alpha|^t |x|
 *   axpy                    (2 t + 1) u (t |alpha| |x| + |y|)
 *   axpby, rot, rotm        (2 t + 1) u of what passes through each call: bench_reference.c
 *   waxpby                  3 u (|alpha| |x| + |beta| |y|)
 *   maxpy                   ((k + 2) t + 1) u (t sum |a_j| |x_j| + |y|)
 *   dot, mdot               (m + 2) u sum |x| |y|,  m = min(n, 8 sqrt n)
 *   dsdot                   the same with the u of double; sdsdot: and one u of single
 *   nrm2, asum              (m + 2) u |result|
 *   gemv, symv, tpmv ...    (m + 2) u |alpha| sum |A_ij| |x_j|: all outputs of matrices up to
 *                           BENCH_CHECKED_WHOLE elements, of larger ones BENCH_SAMPLES; no output
 *                           may be NaN
 *   trsv ...                likewise of the residual: |b - A x| within (m + 2) u |A| |x|
 *   gemm and products       (m + 2) u |alpha| sum |A_il| |B_lj|, m of the terms that are not 0; of
 *                           syr2k both products count. All outputs where that takes at most
 *                           BENCH_PRODUCT_TERMS products, else of the first, the last and some
 *                           matrices between them, or BENCH_SAMPLES rows in each of
 *                           BENCH_PRODUCT_COLUMNS columns; no output may be NaN, and beside a
 *                           triangle nothing may be written. With beta = 1 the elements of C and
 *                           one more rounding count too
 *   trsm                    likewise of the residual: |alpha B - op(A) X| within (m + 3) u |A| |X|
 *   potrf                   likewise: |A - L L^H| within (m + 3) u |L| |L^H|; info must be 0
 *   lascl                   3 u |cto / cfrom| |A_ij|; laswp: none
 *   lange, lansy, lantr     of the norm: sums (m + 4) u; the largest modulus none, complex 3 u
 *   getrf, geqrf, trtri ... LAPACK's ratios over 3, those of its solves over 30 (bench_factor.c)
 *   larfg                   (m + 8) u of the vector's 1-norm, and of the reflector's length
 *   ger, syr, syr2          (2 t + 2) u (t |alpha| |x_i| |y_j| + |A_ij|), twice the product in
 *                           syr2; outside the triangle, and of transpose: none; of geam 3 u
 *                           (|alpha| |A_ij| + |beta| |B_ij|). Every element up to
 *                           BENCH_CHECKED_WHOLE, one of 61 above
 *
 * The worst case of a sum of n terms is m = n, which says nothing at n = 10^8 in single precision;
 * 8 sqrt n holds with near certainty for the random data here (Higham and Mary, SISC 41, 2019).
 */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include "operands.h"

#define BENCH_CHECKED_WHOLE ((int64_t)10000000)
#define BENCH_SAMPLES       64

#define BENCH_PRODUCT_TERMS   ((int64_t)4000000)
#define BENCH_PRODUCT_COLUMNS 8

/* Reads elements [first, first + count) of BENCH_X, BENCH_Y, BENCH_W or the buffer of BENCH_A,
 * BENCH_B or BENCH_C, of BENCH_TAU or BENCH_IPIV, or all of BENCH_RESULT, of the set that is
 * checked. */
typedef gable_status (*bench_reader)(void *user, bench_role which, int64_t first, int64_t count,
                                     void *target);

/* The error over its bound of one set after its call was made `times` times since the set was
 * restored; NaN where the result is one. */
gable_status bench_check(const bench_operands *operands, int64_t times, bench_reader reader,
                         void *user, double *error);

/* bench_matrix.c: the same for ops with a matrix. */
gable_status bench_check_matrix(const bench_operands *operands, int64_t times, bench_reader reader,
                                void *user, double *error);
/* bench_product.c: for those with matrices alone. Their calls are made once, or on the same
 * inputs. */
gable_status bench_check_product(const bench_operands *operands, bench_reader reader, void *user,
                                 double *error);
/* bench_norm.c: for norms. */
gable_status bench_check_norm(const bench_operands *operands, bench_reader reader, void *user,
                              double *error);
/* bench_factor.c: for those that LAPACK's ratios judge. */
gable_status bench_check_factor(const bench_operands *operands, bench_reader reader, void *user,
                                double *error);
/* bench_product.c: whether every element of an output was written that should be, and no other. */
bool bench_written_right(const bench_operands *operands, const void *output);
/* Whether it can tell what a case gives after several calls: not where each call works on what the
 * last one made. */
bool bench_check_repeats(const bench_case *what);

/* The same for a set of the operands themselves. */
gable_status bench_check_set(bench_operands *operands, int64_t set, int64_t times, double *error);

#endif
