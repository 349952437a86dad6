/* test_lauum.c: the six parts of lauum: L^H L or U U^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios and cases: lapack_parts.h.
 */
#include "harness/lapack_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const lapack_call *c)
{
    return FN(lauum)(ctx, c->uplo, c->n, c->A, c->lda);
}

static const lapack_form form = {
    .name = NAME(FN(lauum)), .arguments = "uplo n A lda", .kind = LAPACK_LAUUM, .run = run};

const routine_parts PARTS = {.stem = "lauum",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = LAPACK_PARTS,
                             .probe = lapack_probe,
                             .forms = &form,
                             .form_count = 1};
