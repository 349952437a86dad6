/* test_larft.c: the six parts of larft: T of H_1 H_2 ... H_k = I - V T V^H
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device/dtype.h"
#include "harness/numbers.h"
#include "harness/qr_parts.h"

static gable_status columns(gable_context *ctx, int64_t n, int64_t k, const void *V, int64_t ldv,
                            const void *tau, void *triangle, int64_t ldt)
{
    return FN(larft)(ctx, GABLE_FORWARD, GABLE_COLUMNWISE, n, k, V, ldv, tau, triangle, ldt);
}

static gable_status rows(gable_context *ctx, int64_t n, int64_t k, const void *V, int64_t ldv,
                         const void *tau, void *triangle, int64_t ldt)
{
    return FN(larft)(ctx, GABLE_FORWARD, GABLE_ROWWISE, n, k, V, ldv, tau, triangle, ldt);
}

static void refused(routine *r, const char *name, void *V, void *tau, void *triangle, void *C)
{
    const gable_direct forward = GABLE_FORWARD;
    const gable_storev down = GABLE_COLUMNWISE, along = GABLE_ROWWISE;
    gable_context *ctx = r->ctx;
    (void)C;
#define LARFT(...) FN(larft)(ctx, __VA_ARGS__)
#define REFUSED(call, number, ...)                                                                 \
    CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, number, __VA_ARGS__)
    CHECK_STATUS(NULL, FN(larft)(NULL, forward, down, 5, 5, V, 5, tau, triangle, 5),
                 GABLE_BAD_ARGUMENT);
    REFUSED(LARFT((gable_direct)152, down, 5, 5, V, 5, tau, triangle, 5), "argument 2 (direct)",
            "152");
    REFUSED(LARFT(forward, (gable_storev)9, 5, 5, V, 5, tau, triangle, 5), "argument 3 (storev)",
            "is 9;");
    REFUSED(LARFT(forward, down, -1, 5, V, 5, tau, triangle, 5), "argument 4 (n)", "-1");
    REFUSED(LARFT(forward, down, 5, -1, V, 5, tau, triangle, 5), "argument 5 (k)", "-1");
    REFUSED(LARFT(forward, down, 4, 5, V, 5, tau, triangle, 5), "argument 5 (k)", "5", "4");
    REFUSED(LARFT(forward, down, 5, 5, NULL, 5, tau, triangle, 5), "argument 6 (V)", "NULL");
    REFUSED(LARFT(forward, down, 5, 3, V, 4, tau, triangle, 5), "argument 7 (ldv)", "4", "5");
    REFUSED(LARFT(forward, along, 5, 3, V, 2, tau, triangle, 5), "argument 7 (ldv)", "2", "3");
    REFUSED(LARFT(forward, down, 5, 5, V, 5, NULL, triangle, 5), "argument 8 (tau)", "NULL");
    REFUSED(LARFT(forward, down, 5, 5, V, 5, tau, NULL, 5), "argument 9 (T)", "NULL");
    REFUSED(LARFT(forward, down, 5, 5, V, 5, tau, triangle, 4), "argument 10 (ldt)", "4", "5");
#undef LARFT
#undef REFUSED
}

static const qr_form forms[] = {
    {.name = NAME(FN(larft)), .rows = false, .triangle = columns, .refused = refused},
    {.name = NAME(FN(larft)), .rows = true, .triangle = rows, .refused = refused}};

QR_PARTS("larft", forms);
