/* least_parts.h: the six parts of gels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once; the typed test gives the calls. Every case is made and judged as a tall matrix M
 * of full rank: A is M, or M^H where it has more columns than rows, and the system is M X = B
 * (least squares) or M^H X = B (least norm). Ratios are those of LAPACK's own tests, in 1-norms:
 *
 *     norm(B - op(A) X) / (max(m, n) norm(op(A)) norm(X) u)            B in the range of op(A)
 *     norm(op(A)^H (B - op(A) X)) / (max(m, n, nrhs) norm(op(A)) norm(B) u)    least squares
 *     norm(X - P X) / (max(m, n) norm(X) u)          least norm; P: onto the range of op(A)^H
 *
 * `exact` has the permuted triangles of qr_data.h, and solutions of integers: every number on the
 * way is exact, also where A and B are multiplied by powers of two that make them subnormal.
 */
#ifndef TEST_LEAST_PARTS_H
#define TEST_LEAST_PARTS_H

#include "harness/routine.h"

typedef struct least_form {
    const char *name;
    gable_status (*run)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, int64_t nrhs,
                        void *A, int64_t lda, void *B, int64_t ldb, int64_t *info);
    /* geqrf or gelqf: what A becomes. */
    gable_status (*factor)(gable_context *ctx, int64_t m, int64_t n, void *A, int64_t lda,
                           void *tau);
} least_form;

void least_exact(routine *r);
void least_residual(routine *r);
void least_edges(routine *r);
void least_guards(routine *r);
void least_arguments(routine *r);
void least_repeat(routine *r);
const void *least_probe(const routine *r, int i);

#endif
