/* test_potrs.c: the six parts of potrs: solves A X = B with the factor of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios and cases: lapack_parts.h.
 */
#include "harness/lapack_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const lapack_call *c)
{
    return FN(potrs)(ctx, c->uplo, c->n, c->nrhs, c->A, c->lda, c->B, c->ldb);
}

static const lapack_form form = {.name = NAME(FN(potrs)),
                                 .arguments = "uplo n nrhs A lda B ldb",
                                 .kind = LAPACK_POTRS,
                                 .run = run};

const routine_parts PARTS = {.stem = "potrs",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = LAPACK_PARTS,
                             .probe = lapack_probe,
                             .forms = &form,
                             .form_count = 1};
