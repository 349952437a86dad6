/* test_host_bytes.c: what the model of the standard door takes LAPACK's routines to move, and what
 * a context keeps between calls.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On the device of beside_device.h. Where the host link is that slow nothing else takes time, and
 * seconds are bytes.
 */
#include <stdlib.h>
#include "beside_device.h"
#include "core/expect.h"
#include "host/host_door.h"
#include "host/host_lapack.h"
#include "lapack/lapack.h"
#include "model/roofs.h"

#define M 60
#define N 40
#define K 7

static const double there = 1e-6, back = 2e-6; /* bytes per second */

/* A call with arrays apart from each other, and what travels: elements to the device and back. */
static void moves(gable_context *ctx, const char *stem, gbl_product_call call, double to_device,
                  double to_host)
{
    const gbl_host_routine *const routine = gbl_host_routine_find(stem);
    void **const arrays[] = {&call.A, &call.B, &call.C, &call.d};
    const double expected =
        sizeof(double) * (to_device / there + to_host / back); /* beside info, and the like */
    gbl_host_times times = {.device = -1};
    int64_t info = 0, found = 0;
    gbl_roofs roofs;
    call.dtype = GBL_D;
    call.uplo = GABLE_LOWER;
    call.lda = call.ldb = call.ldc = M;
    call.info = &info;
    if (call.found != NULL)
        call.found = &found;
    for (int i = 0; i < 4; i++)
        *arrays[i] = (void *)((uintptr_t)(i + 1) << 40);
    gbl_roofs_get(ctx->device, &roofs);
    roofs.link_to_device = there;
    roofs.link_to_host = back;
    const gable_status status =
        gbl_host_lapack_times(ctx, routine, &call, &roofs, &roofs, 1, &times);
    EXPECT(status == GABLE_OK && times.device > 0.98 * expected && times.device < 1.05 * expected,
           "%s: %g s, not %g s: %s", stem, times.device, expected, gable_message(ctx));
}

static void transfers(gable_context *ctx)
{
    const double n = N, square = n * n, all = (double)M * n;
    int64_t found;
    moves(ctx, "getrf", (gbl_product_call){.m = M, .n = N}, all, all + n);
    moves(ctx, "potrf", (gbl_product_call){.n = N}, square, square);
    moves(ctx, "syevd", (gbl_product_call){.n = N, .job = GABLE_NO_VECTORS}, square, n);
    moves(ctx, "syevd", (gbl_product_call){.n = N, .job = GABLE_VECTORS}, square, square + n);
    moves(ctx, "sygvd", (gbl_product_call){.n = N, .k = 1, .job = GABLE_NO_VECTORS}, 2 * square,
          square + n);
    moves(ctx, "syevx",
          (gbl_product_call){.n = N,
                             .job = GABLE_NO_VECTORS,
                             .range = GABLE_RANGE_INDICES,
                             .ilo = 1,
                             .ihi = K,
                             .found = &found},
          square, K);
    moves(ctx, "gesdd", (gbl_product_call){.m = M, .n = N, .job = GABLE_SOME_VECTORS}, all,
          all + square + n);
    moves(ctx, "gesdd", (gbl_product_call){.m = M, .n = N, .job = GABLE_NO_VECTORS}, all, n);
}

/* Copies of results are as large as they are. */
static void shadows(gable_context *ctx)
{
    double *const A = calloc((size_t)N * N, sizeof *A);
    int64_t info = -7;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++)
            A[i * (N + 1)] = 4;
        const gable_status status = gable_host_dpotrf(ctx, GABLE_LOWER, N, A, N, &info);
        EXPECT(status == GABLE_OK && info == 0 && A[0] == 2, "%s", gable_message(ctx));
        EXPECT(ctx->host->shadow_bytes >= (size_t)N * N * sizeof(double), "%zu bytes are kept",
               ctx->host->shadow_bytes);
        EXPECT(gable_host_release(ctx) == GABLE_OK && ctx->host->shadow == NULL &&
                   ctx->host->shadow_bytes == 0 && ctx->host->buffer == NULL,
               "%zu bytes are kept", ctx->host->shadow_bytes);
    }
    free(A);
}

int main(void)
{
    beside_install();
    static const char *const devices[] = {"beside", "cpu"};
    for (int i = 0; i < 2; i++) {
        gable_context *ctx = NULL;
        EXPECT(gable_open(&ctx, devices[i]) == GABLE_OK, "%s", gable_message(ctx));
        if (i == 0)
            transfers(ctx);
        shadows(ctx);
        gable_close(ctx);
    }
    beside_remove();
    return expect_summary("test_host_bytes");
}
