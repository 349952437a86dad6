/* qr_problem.h: a case of the routines of qr_parts.h: made, run and judged.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios: qr_data.h. `exact` has reflectors that exchange rows, and integers elsewhere: results are
 * those of plain loops, bit for bit. A routine that reads reflectors finds NaN or a pattern in the
 * place of R.
 */
#ifndef TEST_QR_PROBLEM_H
#define TEST_QR_PROBLEM_H

#include "harness/qr_data.h"
#include "harness/qr_parts.h"

typedef struct qr_case {
    int64_t m, n, k; /* of A, which is turned for LQ; k: reflectors; C: columns n */
    gable_side side;
    bool adjoint;
    dense_place place;
    qr_kind kind;
    int scale;
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} qr_case;

typedef struct qr_operands {
    dense A, tau, C, T;
    number *given, *got, *factors, *taus; /* m by n; F of the reference; its tau */
    number *other, *result;               /* C */
    number *triangle;                     /* T of the reference */
} qr_operands;

/* The form in force; a part is run with each of them. */
const qr_form *qr_form_of(const routine *r);
void qr_each_form(routine *r, void (*part)(routine *r));
/* ormqr, and larfb, which also takes T; larft and larfb. */
bool qr_is_applied(const routine *r);
bool qr_has_triangle(const routine *r);

/* Counts a case and sets the line that reproduces it. */
void qr_begin(routine *r, const qr_case *c, const char *more);
/* Operands, sent to the device. Destroy them in any case. */
bool qr_build(routine *r, qr_operands *o, const qr_case *c);
void qr_destroy(qr_operands *o);
gable_status qr_enqueue(routine *r, const qr_operands *o, const qr_case *c);
/* Enqueues and fetches. */
bool qr_run(routine *r, qr_operands *o, const qr_case *c);
/* All of it, and what came out is judged. */
void qr_check(routine *r, const qr_case *c, const char *more);

/* Element (i, j) of a matrix that may be stored turned: set, and as fetched. */
void qr_send(const routine *r, const dense *d, bool turned, int64_t i, int64_t j, number a,
             int scale);
number qr_fetched(const routine *r, const dense *d, bool turned, int64_t i, int64_t j, int scale);

#endif
