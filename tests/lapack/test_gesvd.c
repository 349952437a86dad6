/* test_gesvd.c: the six parts of gesvd: A = U S V^H, U and V^H asked for one by one
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/singular_parts.h"

static gable_status run(gable_context *ctx, const singular_call *c)
{
    return FN(gesvd)(ctx, c->jobu, c->jobvt, c->m, c->n, c->A, c->lda, c->s, c->U, c->ldu, c->Vt,
                     c->ldvt, c->info);
}

static const singular_form form = {.name = NAME(FN(gesvd)),
                                   .arguments = "jobu jobvt m n A lda s U ldu Vt ldvt info",
                                   .two_jobs = true,
                                   .bad = -5,
                                   .run = run};

const routine_parts PARTS = {.stem = "gesvd",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = SINGULAR_PARTS,
                             .probe = singular_probe,
                             .forms = &form,
                             .form_count = 1};
