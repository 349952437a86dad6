/* bidiagonal_parts.h: the six parts of the test of gebrd.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once. A typed test gives its call and its name in `forms` of its routine_parts. A matrix
 * with fewer rows than columns is one of more rows that is stored turned: A^H = P B^H Q^H, so Q and
 * P change places. Q and P are formed from what comes out in plain loops, and the ratios are
 * LAPACK's: norm(A - Q B P^H) / (max(m, n) norm(A) ulp), norm(I - Q^H Q) / (m ulp), and that of P,
 * with ulp = 2 u.
 * `exact` has products of permutations and bidiagonal matrices of powers of two: then all are 0.
 */
#ifndef TEST_BIDIAGONAL_PARTS_H
#define TEST_BIDIAGONAL_PARTS_H

#include "harness/routine.h"

typedef struct bidiagonal_call {
    int64_t m, n;
    void *A;
    int64_t lda;
    void *d, *e, *tauq, *taup;
} bidiagonal_call;

typedef struct bidiagonal_form {
    const char *name;
    const char *arguments; /* behind the context, in prototype order, by the names above */
    gable_status (*run)(gable_context *ctx, const bidiagonal_call *c);
} bidiagonal_form;

void bidiagonal_exact(routine *r);
void bidiagonal_residual(routine *r);
void bidiagonal_edges(routine *r);
void bidiagonal_guards(routine *r);
void bidiagonal_arguments(routine *r);
void bidiagonal_repeat(routine *r);
const void *bidiagonal_probe(const routine *r, int i);

#endif
