/* test_larfb.c: the six parts of larfb: C := op(H) C or C op(H), H = I - V T V^H
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device/dtype.h"
#include "harness/numbers.h"
#include "harness/qr_parts.h"

static gable_status columns(gable_context *ctx, gable_side side, gable_trans trans, int64_t m,
                            int64_t n, int64_t k, const void *V, int64_t ldv, const void *triangle,
                            int64_t ldt, void *C, int64_t ldc)
{
    return FN(larfb)(ctx, side, trans, GABLE_FORWARD, GABLE_COLUMNWISE, m, n, k, V, ldv, triangle,
                     ldt, C, ldc);
}

static gable_status rows(gable_context *ctx, gable_side side, gable_trans trans, int64_t m,
                         int64_t n, int64_t k, const void *V, int64_t ldv, const void *triangle,
                         int64_t ldt, void *C, int64_t ldc)
{
    return FN(larfb)(ctx, side, trans, GABLE_FORWARD, GABLE_ROWWISE, m, n, k, V, ldv, triangle, ldt,
                     C, ldc);
}

static void refused(routine *r, const char *name, void *V, void *tau, void *triangle, void *C)
{
    const gable_side left = GABLE_LEFT;
    const gable_trans no = GABLE_NO_TRANS;
    const gable_direct on = GABLE_FORWARD;
    const gable_storev down = GABLE_COLUMNWISE, along = GABLE_ROWWISE;
    const T *t = triangle;
    gable_context *ctx = r->ctx;
    (void)tau;
#define LARFB(...) FN(larfb)(ctx, __VA_ARGS__)
#define REFUSED(call, number, ...)                                                                 \
    CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, number, __VA_ARGS__)
    CHECK_STATUS(NULL, FN(larfb)(NULL, left, no, on, down, 5, 5, 5, V, 5, t, 5, C, 5),
                 GABLE_BAD_ARGUMENT);
    REFUSED(LARFB((gable_side)3, no, on, down, 5, 5, 5, V, 5, t, 5, C, 5), "argument 2 (side)",
            "3");
    REFUSED(LARFB(left, (gable_trans)3, on, down, 5, 5, 5, V, 5, t, 5, C, 5), "argument 3 (trans)",
            "3");
    if (gbl_dtype_complex(r->dtype))
        REFUSED(LARFB(left, GABLE_TRANS, on, down, 5, 5, 5, V, 5, t, 5, C, 5), "argument 3 (trans)",
                "GABLE_TRANS");
    REFUSED(LARFB(left, no, (gable_direct)152, down, 5, 5, 5, V, 5, t, 5, C, 5),
            "argument 4 (direct)", "152");
    REFUSED(LARFB(left, no, on, (gable_storev)9, 5, 5, 5, V, 5, t, 5, C, 5), "argument 5 (storev)",
            "is 9;");
    REFUSED(LARFB(left, no, on, down, -1, 5, 5, V, 5, t, 5, C, 5), "argument 6 (m)", "-1");
    REFUSED(LARFB(left, no, on, down, 5, -1, 5, V, 5, t, 5, C, 5), "argument 7 (n)", "-1");
    REFUSED(LARFB(left, no, on, down, 5, 5, -1, V, 5, t, 5, C, 5), "argument 8 (k)", "-1");
    REFUSED(LARFB(left, no, on, down, 4, 5, 5, V, 5, t, 5, C, 5), "argument 8 (k)", "5", "4");
    REFUSED(LARFB(left, no, on, down, 5, 5, 5, NULL, 5, t, 5, C, 5), "argument 9 (V)", "NULL");
    REFUSED(LARFB(left, no, on, down, 5, 5, 3, V, 4, t, 5, C, 5), "argument 10 (ldv)", "4", "5");
    REFUSED(LARFB(left, no, on, along, 5, 5, 3, V, 2, t, 5, C, 5), "argument 10 (ldv)", "2", "3");
    REFUSED(LARFB(left, no, on, down, 5, 5, 5, V, 5, NULL, 5, C, 5), "argument 11 (T)", "NULL");
    REFUSED(LARFB(left, no, on, down, 5, 5, 5, V, 5, t, 4, C, 5), "argument 12 (ldt)", "4", "5");
    REFUSED(LARFB(left, no, on, down, 5, 5, 5, V, 5, t, 5, NULL, 5), "argument 13 (C)", "NULL");
    REFUSED(LARFB(left, no, on, down, 5, 5, 5, V, 5, t, 5, C, 4), "argument 14 (ldc)", "4", "5");
#undef LARFB
#undef REFUSED
}

static const qr_form forms[] = {
    {.name = NAME(FN(larfb)), .rows = false, .block = columns, .refused = refused},
    {.name = NAME(FN(larfb)), .rows = true, .block = rows, .refused = refused}};

QR_PARTS("larfb", forms);
