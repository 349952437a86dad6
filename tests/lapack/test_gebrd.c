/* test_gebrd.c: the six parts of gebrd: A = Q B P^H
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/bidiagonal_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const bidiagonal_call *c)
{
    return FN(gebrd)(ctx, c->m, c->n, c->A, c->lda, c->d, c->e, c->tauq, c->taup);
}

static const bidiagonal_form forms[] = {
    {.name = NAME(FN(gebrd)), .arguments = "m n A lda d e tauq taup", .run = run}};

const routine_parts PARTS = {.stem = "gebrd",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {bidiagonal_exact, bidiagonal_residual, bidiagonal_edges,
                                     bidiagonal_guards, bidiagonal_arguments, bidiagonal_repeat},
                             .probe = bidiagonal_probe,
                             .forms = forms,
                             .form_count = 1};
