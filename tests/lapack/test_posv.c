/* test_posv.c: the six parts of posv: factors a definite A and solves A X = B
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios and cases: lapack_parts.h.
 */
#include "harness/lapack_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const lapack_call *c)
{
    return FN(posv)(ctx, c->uplo, c->n, c->nrhs, c->A, c->lda, c->B, c->ldb, c->info);
}

static const lapack_form form = {.name = NAME(FN(posv)),
                                 .arguments = "uplo n nrhs A lda B ldb info",
                                 .kind = LAPACK_POSV,
                                 .run = run};

const routine_parts PARTS = {.stem = "posv",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = LAPACK_PARTS,
                             .probe = lapack_probe,
                             .forms = &form,
                             .form_count = 1};
