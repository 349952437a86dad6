/* condensed_data.h: matrices for reductions to tridiagonal and Hessenberg form, and their ratios.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Plain loops in doubles over numbers (number.h), n by n, column by column without gaps. Ratios are
 * those of LAPACK's own tests: norms over n norm(A) 2 u and over n 2 u.
 */
#ifndef TEST_CONDENSED_DATA_H
#define TEST_CONDENSED_DATA_H

#include "harness/lapack_data.h"

/* Integers in condensed form whose rows and columns changed places, so that reflectors exchange
 * them and every number stays an integer. Then random; rank 3; smaller and smaller from the first
 * row and column on, and from the last; diagonals; the identity; zeros. */
typedef enum condensed_kind {
    CONDENSED_EXACT,
    CONDENSED_RANDOM,
    CONDENSED_RANK,
    CONDENSED_GRADED,
    CONDENSED_GRADED_BACK,
    CONDENSED_DIAGONAL,
    CONDENSED_IDENTITY,
    CONDENSED_ZERO,
    CONDENSED_KINDS
} condensed_kind;

/* Rows and columns from `begin` to before `end` are to be reduced; outside of them a general matrix
 * is upper triangular. A symmetric one is Hermitian in complex precisions. */
void condensed_matrix(gbl_dtype dtype, condensed_kind kind, bool symmetric, int64_t n,
                      int64_t begin, int64_t end, uint64_t seed, number *A);

/* Q = H_0 H_1 ... (forward) or ... H_1 H_0; column i of V is the whole vector of H_i. */
typedef struct condensed_q {
    int64_t n, count;
    const number *V, *tau;
    bool forward;
} condensed_q;

/* norm(A - Q C Q^H) / (n norm(A) 2 u); of a zero A the norm itself. */
double condensed_residual(gbl_dtype dtype, const condensed_q *q, const number *A, const number *C);
/* norm(I - Q Q^H) / (n 2 u) */
double condensed_orthogonality(gbl_dtype dtype, const condensed_q *q);

#endif
