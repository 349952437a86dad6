/* test_geqrf.c: the six parts of geqrf: A = Q R
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/qr_parts.h"

static gable_status factor(gable_context *ctx, int64_t m, int64_t n, void *A, int64_t lda,
                           void *tau)
{
    return FN(geqrf)(ctx, m, n, A, lda, tau);
}

static const qr_form forms[] = {{.name = NAME(FN(geqrf)), .rows = false, .factor = factor}};

QR_PARTS("geqrf", forms);
