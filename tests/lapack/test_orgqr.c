/* test_orgqr.c: the six parts of orgqr and ungqr: the first columns of Q
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/qr_parts.h"

#if COMPLEX
#define NAMED FN(ungqr)
#else
#define NAMED FN(orgqr)
#endif

static gable_status form_q(gable_context *ctx, int64_t m, int64_t n, int64_t k, void *A,
                           int64_t lda, const void *tau)
{
    return NAMED(ctx, m, n, k, A, lda, tau);
}

static const qr_form forms[] = {{.name = NAME(NAMED), .rows = false, .form = form_q}};

QR_PARTS("orgqr", forms);
