/* eigen_problem.h: one case of a test of eigenvalues: its matrices, its call, what came out.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_EIGEN_PROBLEM_H
#define TEST_EIGEN_PROBLEM_H

#include "harness/eigen_data.h"
#include "harness/eigen_parts.h"

typedef struct eigen_case {
    gable_uplo uplo;
    int64_t n;
    gable_job job;
    int itype;
    gable_range range;
    int64_t il, iu;
    double vl, vu;
    dense_place place;
    eigen_kind kind;
    int scale;
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
    bool on_device; /* info and m */
    bool far;       /* columns of A, B and Z are so far apart that offsets pass 2^31 */
} eigen_case;

typedef struct eigen_operands {
    dense A, B, w, e, Z, failed;
    result_place info, found;
    number *given, *factor, *square; /* A; the factor of B; B */
    number *Z_given, *vectors;
    double *values;
    int64_t outcome, count;
} eigen_operands;

/* What the routine is, and which arguments it has. */
const eigen_form *eigen_form_of(const routine *r);
eigen_problem eigen_problem_of(const routine *r);
bool eigen_has(const routine *r, const char *argument);
bool eigen_is_tridiagonal(const routine *r);
void eigen_begin(routine *r, const eigen_case *c, const char *more);
gbl_dtype eigen_real_of(const routine *r);
bool eigen_send(eigen_operands *o);
bool eigen_build(routine *r, eigen_operands *o, const eigen_case *c);
void eigen_destroy(eigen_operands *o);
eigen_call eigen_call_of(const eigen_operands *o, const eigen_case *c);
gable_status eigen_enqueue(routine *r, const eigen_operands *o, const eigen_case *c);
/* The same, in judgement: true where it ran; a forced variant that does not fit has to refuse. */
bool eigen_ran(routine *r, eigen_operands *o, const eigen_case *c);
bool eigen_fetch(routine *r, eigen_operands *o, const eigen_case *c);
void eigen_untouched(eigen_operands *o, const eigen_case *c, bool whole);
void eigen_check(routine *r, const eigen_case *given, const char *more);
bool eigen_with_vectors(const eigen_case *c);
bool eigen_needs_z(const routine *r);

#endif
