/* test_trtri.c: the six parts of trtri: inverts a triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios and cases: lapack_parts.h.
 */
#include "harness/lapack_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const lapack_call *c)
{
    return FN(trtri)(ctx, c->uplo, c->diag, c->n, c->A, c->lda, c->info);
}

static const lapack_form form = {.name = NAME(FN(trtri)),
                                 .arguments = "uplo diag n A lda info",
                                 .kind = LAPACK_TRTRI,
                                 .run = run};

const routine_parts PARTS = {.stem = "trtri",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = LAPACK_PARTS,
                             .probe = lapack_probe,
                             .forms = &form,
                             .form_count = 1};
