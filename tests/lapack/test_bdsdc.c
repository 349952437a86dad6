/* test_bdsdc.c: the six parts of bdsdc: singular values and vectors of a bidiagonal matrix
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/bdsdc_parts.h"
#include "harness/numbers.h"

#if COMPLEX
const routine_parts PARTS = {.stem = "bdsdc", .letter = LETTER, .dtype = DTYPE};
#else
static gable_status run(gable_context *ctx, const bdsdc_call *c)
{
    return FN(bdsdc)(ctx, c->uplo, c->compq, c->n, c->d, c->e, c->U, c->ldu, c->Vt, c->ldvt,
                     c->info);
}

static const bdsdc_form form = {
    .name = NAME(FN(bdsdc)), .arguments = "uplo compq n d e U ldu Vt ldvt info", .run = run};

const routine_parts PARTS = {
    .stem = "bdsdc",
    .letter = LETTER,
    .dtype = DTYPE,
    .run = {bdsdc_exact, bdsdc_residuals, bdsdc_edges, bdsdc_guards, bdsdc_arguments, bdsdc_repeat},
    .probe = bdsdc_probe,
    .forms = &form,
    .form_count = 1};
#endif
