/* norm_parts.h: the six parts of norms of matrices: lange, lansy, lanhe, lantr.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test is a typed file with the call of the public function (see test_lange.c); all else is
 * compiled once. Bound: a sum of k moduli in any order, each rounded twice, is off by (k + 2) u of
 * itself; the largest modulus by 3 u where it is complex and by nothing where it is real; a root of
 * a sum of k squares by (k / 2 + 3) u. What must not be read is NaN in all cases.
 */
#ifndef TEST_NORM_PARTS_H
#define TEST_NORM_PARTS_H

#include "harness/lapack_data.h"
#include "lapack/lapack.h"

typedef struct norm_call {
    gable_norm norm;
    gable_uplo uplo; /* GABLE_GENERAL: all of A */
    gable_diag diag;
    int64_t m, n;
    const void *A;
    int64_t lda;
    void *result;
} norm_call;

typedef enum norm_kind { NORM_GENERAL, NORM_SYMMETRIC, NORM_HERMITIAN, NORM_TRIANGULAR } norm_kind;

typedef struct norm_form {
    const char *name;
    const char *arguments; /* behind the context, in prototype order, by the names above */
    norm_kind kind;
    gable_status (*run)(gable_context *ctx, const norm_call *c);
} norm_form;

void norm_exact(routine *r);
void norm_residual(routine *r);
void norm_edges(routine *r);
void norm_guards(routine *r);
void norm_arguments(routine *r);
void norm_repeat(routine *r);
const void *norm_probe(const routine *r, int i);
#define NORM_PARTS                                                                                 \
    {                                                                                              \
        norm_exact, norm_residual, norm_edges, norm_guards, norm_arguments, norm_repeat            \
    }

#endif
