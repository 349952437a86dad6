/* test_host_waits.c: stages that drivers leave to the host, beside a device that does not answer.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On the device of beside_device.h. The stages are called as the drivers call them: a call of the
 * standard door says how long it may wait, and each wait of the stages ends.
 */
#include <string.h>
#include "beside_device.h"
#include "core/context.h"
#include "core/expect.h"
#include "lapack/bdsdc.h"
#include "lapack/eigen.h"

#define N 8

static gable_context *open_beside(void)
{
    gable_context *ctx = NULL;
    const gable_status status = gable_open(&ctx, "beside");
    EXPECT(status == GABLE_OK, "%s", gable_message(ctx));
    return ctx;
}

/* d, e and two matrices of vectors. */
static gbl_product_call make_call(gable_context *ctx, gable_job job, int64_t *info)
{
    gbl_product_call call = {.dtype = GBL_D, .n = N, .ldb = N, .ldc = N, .job = job, .info = info};
    void **const arrays[] = {&call.d, &call.e, &call.B, &call.C};
    for (int i = 0; i < 4; i++) {
        EXPECT(gable_alloc(ctx, N * N * sizeof(double), arrays[i]) == GABLE_OK, "%s",
               gable_message(ctx));
        memset(*arrays[i], 0, N * N * sizeof(double));
    }
    return call;
}

typedef gable_status stage_function(gable_context *ctx, const gbl_variant *self, const void *call,
                                    const gbl_params *params);

static void ends(const char *detail, stage_function *stage, gable_job job)
{
    const gbl_variant self = {.name = "host_stage", .detail = detail};
    int64_t info = -7;
    gable_context *ctx = open_beside();
    const gbl_product_call call = make_call(ctx, job, &info);
    void *const arrays[] = {call.d, call.e, call.B, call.C};
    if (strcmp(detail, "bdsdc") == 0 && gbl_bdsdc_installed_flaw(&call) != NULL) {
        gable_close(ctx);
        return;
    }
    ctx->limit = 1;
    beside_hang(1);
    const gable_status status = stage(ctx, &self, &call, NULL);
    EXPECT(status == GABLE_DEVICE_LOST && info == -7 &&
               strstr(gable_message(ctx), "beside:0 did not answer within 1 seconds") != NULL,
           "%s: status %d, info %lld: %s", detail, (int)status, (long long)info,
           gable_message(ctx));
    beside_hang(0);
    ctx->limit = 0;
    for (int i = 0; i < 4; i++)
        EXPECT(gable_free(ctx, arrays[i]) == GABLE_OK, "%s", gable_message(ctx));
    gable_close(ctx);
}

int main(void)
{
    beside_install();
    ends("stedc", gbl_eigen_stage_run, GABLE_IDENTITY_VECTORS);
    ends("bdsdc", gbl_bdsdc_host_run, GABLE_IDENTITY_VECTORS);
    beside_remove();
    return expect_summary("test_host_waits");
}
