/* faulty_gable.c: what libgable_link uses of libgable, on host memory, with a fault on demand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * FAULT_AT numbers the calls that can fail, from 1. FAULT_KIND: "memory" (that call alone),
 * "lost" (that call and all later ones), "late" (that product is completed by the cpu, and all
 * later calls fail), "blocks" (that call never returns), "doubt" (that product fails, and
 * gable_sync never returns), "late doubt" (that product is completed by the cpu, and likewise),
 * "rests" (gable_host_release never returns). gable_predict says 1000 us.
 */
#define _XOPEN_SOURCE 700
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gable/prediction.h"

#define API __attribute__((visibility("default")))

struct gable_context {
    bool gpu;
    const char *last;
};

API int faulty_products; /* that the device computed */
API atomic_bool faulty_resting;
static int calls;
static bool lost, late, doubtful;
static atomic_bool blocked;

static gable_status step(void)
{
    const char *const at = getenv("FAULT_AT"), *const kind = getenv("FAULT_KIND");
    const bool now = at != NULL && ++calls == atoi(at);
    if (lost)
        return GABLE_DEVICE_LOST;
    if (!now || kind == NULL)
        return GABLE_OK;
    if (strcmp(kind, "blocks") == 0) {
        blocked = true;
        for (;;)
            pause();
    }
    late = strncmp(kind, "late", 4) == 0;
    doubtful = strstr(kind, "doubt") != NULL;
    if (doubtful)
        return GABLE_DEVICE_FAILED;
    lost = late || strcmp(kind, "lost") == 0;
    return lost ? GABLE_DEVICE_LOST : GABLE_OUT_OF_MEMORY;
}

API gable_status gable_open(gable_context **ctx, const char *device)
{
    *ctx = calloc(1, sizeof **ctx);
    (*ctx)->gpu = device == NULL || strcmp(device, "cpu") != 0;
    (*ctx)->last = "";
    return (*ctx)->gpu ? step() : GABLE_OK;
}

API void gable_close(gable_context *ctx)
{
    free(ctx);
}

API const char *gable_message(const gable_context *ctx)
{
    (void)ctx;
    return "a fault was asked for";
}

API gable_status gable_context_describe(const gable_context *ctx, gable_device_info *info)
{
    memset(info, 0, sizeof *info);
    strcpy(info->name, ctx->gpu ? "faulty:0" : "cpu");
    info->is_gpu = ctx->gpu;
    info->units = 1;
    return ctx->gpu ? step() : GABLE_OK;
}

API gable_status gable_sync(gable_context *ctx)
{
    (void)ctx;
    while (doubtful)
        pause();
    return step();
}

API int gable_host_recall(gable_context *ctx)
{
    (void)ctx;
    return blocked;
}

API gable_status gable_host_release(gable_context *ctx)
{
    const char *const kind = getenv("FAULT_KIND");
    (void)ctx;
    while (kind != NULL && strcmp(kind, "rests") == 0) {
        faulty_resting = true;
        pause();
    }
    return GABLE_OK;
}

API const char *gable_last_device(const gable_context *ctx)
{
    return ctx->last;
}

API gable_status gable_predict(gable_context *ctx, const char *routine, gable_side side, int64_t m,
                               int64_t n, int64_t k, int reads_c, double *seconds,
                               double *host_seconds)
{
    (void)ctx, (void)routine, (void)side, (void)m, (void)n, (void)k, (void)reads_c;
    *host_seconds = 1e-3;
    if (seconds != NULL)
        *seconds = *host_seconds;
    return GABLE_OK;
}

API gable_status gable_host_dgemm(gable_context *ctx, gable_trans transa, gable_trans transb,
                                  int64_t m, int64_t n, int64_t k, double alpha, const double *A,
                                  int64_t lda, const double *B, int64_t ldb, double beta, double *C,
                                  int64_t ldc)
{
    (void)transa, (void)transb;
    late = false;
    const gable_status status = step();
    if (status != GABLE_OK && !late)
        return status;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += A[i + l * lda] * B[l + j * ldb];
            C[i + j * ldc] = alpha * sum + (beta != 0 ? beta * C[i + j * ldc] : 0);
        }
    ctx->last = late ? "faulty:0, then cpu" : "faulty:0";
    faulty_products++;
    return GABLE_OK;
}
