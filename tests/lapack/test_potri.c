/* test_potri.c: the six parts of potri: the inverse of a definite matrix from its factor
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios and cases: lapack_parts.h.
 */
#include "harness/lapack_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const lapack_call *c)
{
    return FN(potri)(ctx, c->uplo, c->n, c->A, c->lda, c->info);
}

static const lapack_form form = {
    .name = NAME(FN(potri)), .arguments = "uplo n A lda info", .kind = LAPACK_POTRI, .run = run};

const routine_parts PARTS = {.stem = "potri",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = LAPACK_PARTS,
                             .probe = lapack_probe,
                             .forms = &form,
                             .form_count = 1};
