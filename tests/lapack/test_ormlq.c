/* test_ormlq.c: the six parts of ormlq and unmlq: C := op(Q) C or C op(Q)
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/qr_parts.h"

#if COMPLEX
#define NAMED FN(unmlq)
#else
#define NAMED FN(ormlq)
#endif

static gable_status apply(gable_context *ctx, gable_side side, gable_trans trans, int64_t m,
                          int64_t n, int64_t k, const void *A, int64_t lda, const void *tau,
                          void *C, int64_t ldc)
{
    return NAMED(ctx, side, trans, m, n, k, A, lda, tau, C, ldc);
}

static const qr_form forms[] = {{.name = NAME(NAMED), .rows = true, .apply = apply}};

QR_PARTS("ormlq", forms);
