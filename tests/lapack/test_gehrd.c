/* test_gehrd.c: the six parts of gehrd: Q^H A Q = H, a Hessenberg matrix
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/condensed_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const condensed_call *c)
{
    return FN(gehrd)(ctx, c->n, c->ilo, c->ihi, c->A, c->lda, c->tau);
}

static const condensed_form form = {
    .name = NAME(FN(gehrd)), .arguments = "n ilo ihi A lda tau", .run = run};

const routine_parts PARTS = TEST_PARTS("gehrd", .run = CONDENSED_PARTS, .probe = condensed_probe,
                                       .forms = &form, .form_count = 1);
