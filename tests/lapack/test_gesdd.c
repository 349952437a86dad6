/* test_gesdd.c: the six parts of gesdd: A = U S V^H
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/singular_parts.h"

static gable_status run(gable_context *ctx, const singular_call *c)
{
    return FN(gesdd)(ctx, c->jobu, c->m, c->n, c->A, c->lda, c->s, c->U, c->ldu, c->Vt, c->ldvt,
                     c->info);
}

static const singular_form form = {.name = NAME(FN(gesdd)),
                                   .arguments = "jobz m n A lda s U ldu Vt ldvt info",
                                   .bad = -4,
                                   .run = run};

const routine_parts PARTS = {.stem = "gesdd",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = SINGULAR_PARTS,
                             .probe = singular_probe,
                             .forms = &form,
                             .form_count = 1};
