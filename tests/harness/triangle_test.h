/* triangle_test.h: the six parts of routines x := op(A) x and x := op(A)^-1 x, A triangular, for
 * every way to store A.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test is a typed file that holds the call of the public function and describes it as a
 * triangle_form; all else is compiled once (see test_tpmv.c). The parts know products and
 * solutions.
 *
 * Bound of products, element by element: |error| <= (k + 2) u |op(A)| |x| with k the length of the
 * sums (Higham, Accuracy and Stability, 3.1 and 3.5). Bound of solutions: |b - op(A) x| <= (n + 4)
 * u |op(A)| |x|: the residual of substitution (8.1, theorem 8.5: gamma_n in any order of the sums;
 * a product with the reciprocal instead of a quotient costs one more, a complex quotient a few).
 * For complex numbers both times up to 2 sqrt 2 (3.6). The reference is a plain loop over the whole
 * matrix in wide arithmetic.
 *
 * Exact: products of small integers; right-hand sides that are made of integer solutions, with
 * powers of two on the diagonal, so every partial sum and quotient is exact and the solution comes
 * back bit for bit.
 *
 * In every case all places of A's array that must not be read, a unit diagonal among them, are NaN.
 * Off the diagonal random elements are at most 2 over the length of the sums, on it between 1 and
 * 2, so that solutions do not grow.
 */
#ifndef TEST_TRIANGLE_TEST_H
#define TEST_TRIANGLE_TEST_H

#include "blas/level2/level2.h"
#include "harness/number.h"
#include "harness/routine.h"
#include "harness/stored.h"

/* The arguments of one call; a routine takes those that it has. */
typedef struct triangle_call {
    gable_uplo uplo;
    gable_trans trans;
    gable_diag diag;
    int64_t n, k;
    const void *A;
    int64_t lda;
    void *x;
    int64_t incx;
} triangle_call;

typedef struct triangle_form {
    const char *name;
    const char *arguments; /* behind the context, in prototype order, by the names above or "AP" */
    const stored *how;
    bool solves;
    gable_status (*run)(gable_context *ctx, const triangle_call *c);
} triangle_form;

typedef struct triangle_case {
    gable_trans trans;
    gable_diag diag;
    stored_shape s; /* m = n, kl = ku = k */
    int64_t incx;
    int offset; /* elements that A is off its alignment */
    uint64_t seed;
    bool random; /* not integers */
    guarded_fill fill;
    guarded_fence fence;
} triangle_case;

typedef struct triangle_operands {
    guarded A, x;
} triangle_operands;

/* The six parts of the form r->parts->forms, and the calls that meet every kind of variant. */
void triangle_exact(routine *r);
void triangle_residual(routine *r);
void triangle_edges(routine *r);
void triangle_guards(routine *r);
void triangle_arguments(routine *r);
void triangle_repeat(routine *r);
const void *triangle_probe(const routine *r, int i);
#define TRIANGLE_PARTS                                                                             \
    {                                                                                              \
        triangle_exact, triangle_residual, triangle_edges, triangle_guards, triangle_arguments,    \
            triangle_repeat                                                                        \
    }

/* ---- triangle_data.c: one case ---- */

const triangle_form *triangle_form_of(const routine *r);
bool triangle_has(const routine *r, const char *argument);

/* Whether (row, column) of A may be read. */
bool triangle_reads(const routine *r, const triangle_case *c, int64_t row, int64_t column);
/* Whether op(A) is a lower triangle. */
bool triangle_lower(const triangle_case *c);

/* Operands of a case on the device. Destroy them in any case. */
bool triangle_build(routine *r, triangle_operands *o, const triangle_case *c);
void triangle_destroy(triangle_operands *o);
triangle_call triangle_arguments_of(const triangle_operands *o, const triangle_case *c);
gable_status triangle_enqueue(routine *r, const triangle_operands *o, const triangle_case *c);
/* false: the variant in force does not fit, and said so. */
bool triangle_run(routine *r, const triangle_operands *o, const triangle_case *c);
/* Every element of x as fetched against the reference. */
void triangle_compare(routine *r, const triangle_operands *o, const triangle_case *c);
/* Sets the line that reproduces a case. */
void triangle_begin(routine *r, const triangle_case *c, const char *more);
/* All of these. */
void triangle_check(routine *r, const triangle_case *c);

/* Gives a case its band and the leading dimension that the run takes; `which` counts the shapes. */
void triangle_fit(const routine *r, triangle_case *c, int64_t gap, int which);

/* ---- triangle_edges.c ---- */

void triangle_edges_of(routine *r, triangle_case c);

#endif
