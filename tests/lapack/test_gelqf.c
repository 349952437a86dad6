/* test_gelqf.c: the six parts of gelqf: A = L Q
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/qr_parts.h"

static gable_status factor(gable_context *ctx, int64_t m, int64_t n, void *A, int64_t lda,
                           void *tau)
{
    return FN(gelqf)(ctx, m, n, A, lda, tau);
}

static const qr_form forms[] = {{.name = NAME(FN(gelqf)), .rows = true, .factor = factor}};

QR_PARTS("gelqf", forms);
