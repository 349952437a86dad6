/* test_gels.c: the six parts of gels: op(A) X = B by least squares or with the least norm
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios and cases: least_parts.h.
 */
#include "harness/least_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, int64_t nrhs,
                        void *A, int64_t lda, void *B, int64_t ldb, int64_t *info)
{
    return FN(gels)(ctx, trans, m, n, nrhs, A, lda, B, ldb, info);
}

static gable_status factor(gable_context *ctx, int64_t m, int64_t n, void *A, int64_t lda,
                           void *tau)
{
    return m >= n ? FN(geqrf)(ctx, m, n, A, lda, tau) : FN(gelqf)(ctx, m, n, A, lda, tau);
}

static const least_form form = {.name = NAME(FN(gels)), .run = run, .factor = factor};

const routine_parts PARTS = {
    .stem = "gels",
    .letter = LETTER,
    .dtype = DTYPE,
    .run = {least_exact, least_residual, least_edges, least_guards, least_arguments, least_repeat},
    .probe = least_probe,
    .forms = &form,
    .form_count = 1};
