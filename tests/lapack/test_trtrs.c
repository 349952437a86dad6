/* test_trtrs.c: the six parts of trtrs: solves op(A) X = B, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios and cases: lapack_parts.h.
 */
#include "harness/lapack_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const lapack_call *c)
{
    return FN(trtrs)(ctx, c->uplo, c->trans, c->diag, c->n, c->nrhs, c->A, c->lda, c->B, c->ldb,
                     c->info);
}

static const lapack_form form = {.name = NAME(FN(trtrs)),
                                 .arguments = "uplo trans diag n nrhs A lda B ldb info",
                                 .kind = LAPACK_TRTRS,
                                 .run = run};

const routine_parts PARTS = {.stem = "trtrs",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = LAPACK_PARTS,
                             .probe = lapack_probe,
                             .forms = &form,
                             .form_count = 1};
