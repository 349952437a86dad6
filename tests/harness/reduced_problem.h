/* reduced_problem.h: a case of the routines of reduced_q.h: made, run and judged.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_REDUCED_PROBLEM_H
#define TEST_REDUCED_PROBLEM_H

#include "harness/qr_data.h"
#include "harness/reduced_q.h"

typedef struct reduced_case {
    gable_vect vect;
    gable_side side;
    gable_uplo uplo;
    bool adjoint, exact;
    int64_t m, n, k, ilo, ihi;
    dense_place place;
    guarded_fill fill;
    guarded_fence fence;
    uint64_t seed;
} reduced_case;

/* Reflector r of a case: its vector is column r of V, whole. */
typedef struct reduced_operands {
    dense A, tau, C;
    int64_t order, count, taus; /* of Q; its reflectors; elements of tau */
    number *V, *factors;
} reduced_operands;

const reduced_form *reduced_form_of(const routine *r);
/* Rows and columns of Q. */
int64_t reduced_order(const routine *r, const reduced_case *c);

/* Counts a case and sets the line that reproduces it. */
void reduced_begin(routine *r, const reduced_case *c, const char *more);
/* Operands, sent to the device. Destroy them in any case. */
bool reduced_build(routine *r, reduced_operands *o, const reduced_case *c);
void reduced_destroy(reduced_operands *o);
reduced_call reduced_call_of(const routine *r, const reduced_operands *o, const reduced_case *c);
/* Runs and fetches. */
bool reduced_run(routine *r, reduced_operands *o, const reduced_case *c);
/* All of it, and what came out is judged. */
void reduced_check(routine *r, const reduced_case *c, const char *more);

#endif
