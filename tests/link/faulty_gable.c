/* faulty_gable.c: what libgable_link uses of libgable, on host memory, with a fault on demand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * FAULT_AT numbers the calls that can fail, from 1. FAULT_KIND: "memory" (that call alone),
 * "lost" (that call and all later ones), "hang" (it never returns). PREDICTED_CPU is what
 * gable_predict says of the cpu, in microseconds; of the device it says 1000.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gable/prediction.h"

#define API __attribute__((visibility("default")))

struct gable_context {
    bool gpu;
};

API int faulty_products; /* that the device computed */
static int calls;
static bool lost;

static gable_status step(void)
{
    const char *const at = getenv("FAULT_AT"), *const kind = getenv("FAULT_KIND");
    const bool now = at != NULL && ++calls == atoi(at);
    if (lost)
        return GABLE_DEVICE_LOST;
    if (!now || kind == NULL)
        return GABLE_OK;
    while (strcmp(kind, "hang") == 0)
        pause();
    lost = strcmp(kind, "lost") == 0;
    return lost ? GABLE_DEVICE_LOST : GABLE_OUT_OF_MEMORY;
}

API gable_status gable_open(gable_context **ctx, const char *device)
{
    *ctx = calloc(1, sizeof **ctx);
    (*ctx)->gpu = device == NULL;
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
    return step();
}

API gable_status gable_alloc(gable_context *ctx, size_t bytes, void **address)
{
    (void)ctx;
    const gable_status status = step();
    *address = status == GABLE_OK ? malloc(bytes) : NULL;
    return status;
}

API gable_status gable_free(gable_context *ctx, void *address)
{
    (void)ctx;
    free(address);
    return step();
}

static gable_status copy(int64_t m, int64_t n, size_t elem_bytes, const void *from, int64_t ldfrom,
                         void *to, int64_t ldto)
{
    const gable_status status = step();
    /* A copy that fails may have begun. */
    const int64_t columns = status == GABLE_OK ? n : n / 2;
    for (int64_t j = 0; j < columns; j++)
        memcpy((char *)to + (size_t)(j * ldto) * elem_bytes,
               (const char *)from + (size_t)(j * ldfrom) * elem_bytes, (size_t)m * elem_bytes);
    return status;
}

API gable_status gable_set_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                                  const void *A, int64_t lda, void *dA, int64_t ldda)
{
    (void)ctx;
    return copy(m, n, elem_bytes, A, lda, dA, ldda);
}

API gable_status gable_get_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                                  const void *dA, int64_t ldda, void *A, int64_t lda)
{
    (void)ctx;
    return copy(m, n, elem_bytes, dA, ldda, A, lda);
}

API gable_status gable_predict(gable_context *ctx, const char *routine, gable_side side, int64_t m,
                               int64_t n, int64_t k, double *seconds, double *link_seconds)
{
    const char *const said = getenv("PREDICTED_CPU");
    (void)routine, (void)side, (void)m, (void)n, (void)k;
    *seconds = (ctx->gpu ? 1000 : said != NULL ? atof(said) : 0) * 1e-6;
    *link_seconds = 0;
    return GABLE_OK;
}

API gable_status gable_dgemm(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                             int64_t n, int64_t k, double alpha, const double *A, int64_t lda,
                             const double *B, int64_t ldb, double beta, double *C, int64_t ldc)
{
    (void)ctx, (void)transa, (void)transb;
    const gable_status status = step();
    for (int64_t j = 0; j < (status == GABLE_OK ? n : n / 2); j++)
        for (int64_t i = 0; i < m; i++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += A[i + l * lda] * B[l + j * ldb];
            C[i + j * ldc] = alpha * sum + (beta != 0 ? beta * C[i + j * ldc] : 0);
        }
    faulty_products += status == GABLE_OK;
    return status;
}
