/* least_problem.h: a case of gels: made, run and judged.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is judged: least_parts.h.
 */
#ifndef TEST_LEAST_PROBLEM_H
#define TEST_LEAST_PROBLEM_H

#include "harness/least_parts.h"
#include "harness/qr_data.h"

typedef struct least_case {
    int64_t m, n, nrhs;
    bool turned; /* op(A) = A^H */
    dense_place place;
    qr_kind kind;
    bool consistent;      /* B is in the range of op(A) */
    int scale_a, scale_b; /* powers of two that A and B are multiplied by */
    int64_t zero;         /* the column of M that is zero, or -1 */
    bool on_host;         /* info */
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} least_case;

typedef struct least_operands {
    dense A, B, F, tau; /* F, tau: a copy of A for geqrf or gelqf */
    result_place info;
    number *matrix, *solution, *sides, *got; /* M; X of exact cases; B; what came out */
} least_operands;

const least_form *least_form_of(const routine *r);
/* Counts a case and sets the line that reproduces it. */
void least_begin(routine *r, const least_case *c, const char *more);
int64_t least_columns(const least_case *c); /* of M */
/* Operands, sent to the device. Destroy them in any case. */
bool least_build(routine *r, least_operands *o, const least_case *c);
void least_destroy(least_operands *o);
gable_trans least_trans(const routine *r, const least_case *c);
gable_status least_enqueue(routine *r, const least_operands *o, const least_case *c);
bool least_fetch(least_operands *o);
void least_info(least_operands *o, int64_t want);
/* Enqueues, looks at info and fetches. */
bool least_run(routine *r, least_operands *o, const least_case *c);
void least_compare(routine *r, least_operands *o, const least_case *c);
/* All of it. */
void least_check(routine *r, const least_case *c, const char *more);

#endif
