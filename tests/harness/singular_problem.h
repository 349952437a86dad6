/* singular_problem.h: a case of the tests of gesdd and gesvd: made, run and judged.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is judged: singular_parts.h.
 */
#ifndef TEST_SINGULAR_PROBLEM_H
#define TEST_SINGULAR_PROBLEM_H

#include "harness/dense_data.h"
#include "harness/singular_data.h"
#include "harness/singular_parts.h"

typedef struct singular_case {
    int64_t m, n;
    gable_job u, vt; /* gesdd: u is jobz */
    singular_kind kind;
    int scale;
    bool far, on_host;
    dense_place place;
    guarded_fill fill;
    guarded_fence fence;
    uint64_t seed;
} singular_case;

typedef struct singular_operands {
    dense A, s, U, Vt;
    result_place info;
    number *given;
} singular_operands;

typedef struct singular_outcome {
    double *s;
    number *U, *V;       /* V: as columns, V^H turned; NULL: not computed */
    int64_t left, right; /* their columns */
    number *Vt;          /* right by n */
} singular_outcome;

const singular_form *singular_form_of(const routine *r);
int64_t singular_least(const singular_case *c);
void singular_begin(routine *r, const singular_case *c, const char *more);
bool singular_build(routine *r, singular_operands *o, const singular_case *c);
void singular_destroy(singular_operands *o);
singular_call singular_call_of(const singular_operands *o, const singular_case *c);
bool singular_fetch(singular_operands *o);
bool singular_enqueue(routine *r, singular_operands *o, const singular_case *c);
void singular_info(singular_operands *o, int64_t want);
bool singular_run(routine *r, singular_operands *o, const singular_case *c);
void singular_gaps(const singular_operands *o);
bool singular_take(const routine *r, const singular_operands *o, const singular_case *c,
                   singular_outcome *got);
void singular_drop(singular_outcome *got);
void singular_check(routine *r, const singular_case *c, const char *more);
void singular_compare_values(routine *r, singular_case c);
void singular_compare_vectors(routine *r, singular_case c);

#endif
