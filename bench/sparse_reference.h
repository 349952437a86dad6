/* sparse_reference.h: whether products and solutions with sparse matrices are right.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   products    each element within (min(t, 8 sqrt t) + 2) u sum |a| |x|, t entries of the row
 *               (bench_check.h says why), 2 sqrt 2 times that in complex precisions. Every row
 *               where there are at most BENCH_CHECKED_WHOLE entries, one of 61 above; no element
 *               may be NaN
 *   solutions   |b - A x| / |b|, recomputed from x in wide arithmetic, must agree with what the
 *               solver says to one part in a hundred (and 100 u), and not be above 1: a solver
 *               keeps its best iterate. Of cg in real precisions without a preconditioner it must
 *               also be within a factor of 2 of what a plain loop in double has after as many
 *               iterations, where that is not above 1; below sqrt u all residuals are alike
 */
#ifndef BENCH_SPARSE_REFERENCE_H
#define BENCH_SPARSE_REFERENCE_H

#include "sparse_system.h"

/* The error over its bound of y of a set, after a product; NaN where an element is. */
gable_status bench_sparse_check(bench_sparse_system *system, int64_t set, double *error);

/* |op(A) x|, from the host's copies, in wide arithmetic: for peers that tell only a norm. */
gable_status bench_sparse_norm(const bench_sparse_system *system, double *norm);

/* |b - A x| / |b| for an x on the device. */
gable_status bench_sparse_residual(bench_sparse_system *system, const void *x, double *residual);

/* The same after so many iterations of plain CG in double, from x = 0. Real precisions. */
gable_status bench_sparse_plain_cg(const bench_sparse_system *system, int64_t iterations,
                                   double *residual);

/* The error over its bound of a solution: `claimed` is what the solver says; plain is 0 where there
 * is no such loop. */
double bench_sparse_solve_error(gbl_dtype dtype, double residual, double claimed, double plain);
/* That of a peer, which need not keep its best iterate, beside `wanted`: 1 is one part in a
 * hundred. */
double bench_sparse_peer_error(gbl_dtype dtype, double residual, double wanted);

#endif
