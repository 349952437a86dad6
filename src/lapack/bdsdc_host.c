/* bdsdc_host.c: bdsdc by the installed LAPACK.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Libraries may loop on numbers that are not finite (bdsqr does on infinities), so d and e are
 * looked at first. A recording may be replayed inside an OpenMP region, where a library would start
 * threads of its own: the task refuses there.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "core/prepare.h"
#include "cpu/cpu_kernels.h"
#include "device/cpu_lapack.h"
#include "lapack/bdsdc.h"
#include "range_one_args.h"

#define BAD_D (-4) /* LAPACK's number of d */

static bool has_vectors(const gbl_product_call *call)
{
    return call->job != GABLE_NO_VECTORS;
}

/* LAPACK's counts are of its int, which places in its workspace must fit, too. */
static double work_elements(const gbl_product_call *call)
{
    const double n = (double)call->n;
    return has_vectors(call) ? 3 * n * n + 4 * n + 16 : 4 * n + 16;
}

const char *gbl_bdsdc_installed_flaw(const gbl_product_call *call)
{
    if (gbl_cpu_lapack_get() == NULL)
        return gbl_cpu_lapack_reason();
    if (!gbl_cpu_lapack_has("bdsdc", call->dtype))
        return "the installed LAPACK has no bdsdc";
    if (work_elements(call) > INT_MAX || call->ldb > INT_MAX || call->ldc > INT_MAX)
        return "the installed LAPACK counts in 32 bits, which n or a leading dimension passes";
    if (!GBL_LAPACK_FITS("bdsdc", call->dtype, call->n))
        return "the call is made inside of an OpenMP region, where LAPACK is not called";
    return NULL;
}

size_t gbl_bdsdc_installed_bytes(const gbl_product_call *call)
{
    return (size_t)work_elements(call) * gbl_dtype_bytes(call->dtype) +
           (size_t)(8 * call->n + 16) * sizeof(int);
}

static bool all_finite(gbl_dtype dtype, int64_t n, const void *x)
{
    return dtype == GBL_S ? gbl_cpu_sall_finite(x, n) : gbl_cpu_dall_finite(x, n);
}

/* x times 2^exponent. */
static void scale(gbl_dtype dtype, int64_t n, void *x, int exponent)
{
    for (int64_t i = 0; i < n; i++)
        if (dtype == GBL_S)
            ((float *)x)[i] = ldexpf(((float *)x)[i], exponent);
        else
            ((double *)x)[i] = ldexp(((double *)x)[i], exponent);
}

static double largest(gbl_dtype dtype, int64_t n, const void *x)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, dtype == GBL_S ? (double)fabsf(((const float *)x)[i])
                                         : fabs(((const double *)x)[i]));
    return most;
}

/* LAPACK scales matrices from order 26 on, and QR iterations of small ones lose digits near
 * underflow. Powers of two are exact. */
static int exponent_for(gbl_dtype dtype, const gbl_product_call *call)
{
    const double d = largest(dtype, call->n, call->d), e = largest(dtype, call->n - 1, call->e),
                 most = d > e ? d : e;
    const int far = dtype == GBL_S ? 40 : 459;
    int exponent = 0;
    if (most > 0)
        frexp(most, &exponent);
    return exponent < -far || exponent > far ? -exponent : 0;
}

static void fill_nan(gbl_dtype dtype, int64_t n, void *x)
{
    for (int64_t i = 0; i < n; i++)
        if (dtype == GBL_S)
            ((float *)x)[i] = NAN;
        else
            ((double *)x)[i] = NAN;
}

void gbl_bdsdc_installed(const gbl_product_call *call, void *work)
{
    const gbl_dtype t = call->dtype;
    const int64_t count = call->n;
    const int n = (int)count, ldu = has_vectors(call) ? (int)call->ldb : 1,
              ldvt = has_vectors(call) ? (int)call->ldc : 1;
    int *const iwork = work, none = 0, info = 0;
    char *const reals = (char *)work + (size_t)(8 * count + 16) * sizeof(int);
    if (!all_finite(t, count, call->d) || (count > 1 && !all_finite(t, count - 1, call->e))) {
        fill_nan(t, count, call->d);
        for (int64_t j = 0; j < count && has_vectors(call); j++) {
            fill_nan(t, count, gbl_element(t, call->B, call->ldb, 0, j));
            fill_nan(t, count, gbl_element(t, call->C, call->ldc, 0, j));
        }
        *call->info = BAD_D;
        return;
    }
    const int exponent = exponent_for(t, call);
    if (exponent != 0) {
        scale(t, count, call->d, exponent);
        scale(t, count - 1, call->e, exponent);
    }
    gbl_cpu_lapack_get()->bdsdc[t](gbl_lapack_uplo((int)call->uplo), has_vectors(call) ? "I" : "N",
                                   &n, call->d, call->e, call->B, &ldu, call->C, &ldvt, NULL, &none,
                                   reals, iwork, &info, 1, 1);
    if (exponent != 0)
        scale(t, count, call->d, -exponent);
    *call->info = info;
}

/* ---- On cpu, as a task ---- */

typedef struct bdsdc_args {
    gbl_product_args call;
    void *work;
} bdsdc_args;

static gable_status bdsdc_task(gbl_queue *queue, void *stream, const void *given,
                               gbl_message *message)
{
    const bdsdc_args *args = given;
    const char *flaw = gbl_bdsdc_installed_flaw(&args->call);
    (void)queue, (void)stream;
    if (flaw != NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "bdsdc needs a LAPACK: %s", flaw);
    gbl_bdsdc_installed(&args->call, args->work);
    return GABLE_OK;
}

gable_status gbl_bdsdc_task_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                const gbl_params *params)
{
    bdsdc_args args = {.call = *(const gbl_product_call *)given};
    (void)self, (void)params;
    TRY(gbl_arena_take(ctx->arena, ctx->device, gbl_bdsdc_installed_bytes(given), &args.work,
                       &ctx->message));
    return gbl_task(ctx, "bdsdc", bdsdc_task, &args, sizeof args);
}

/* ---- Beside a device ---- */

gable_status gbl_bdsdc_host_check(gable_context *ctx, const gbl_product_call *call)
{
    const char *flaw = gbl_bdsdc_installed_flaw(call);
    if (ctx->recording != NULL && gbl_preparing(ctx) == NULL)
        return gbl_fail(&ctx->message, GABLE_NOT_RECORDABLE,
                        "the host computes the singular %s of the bidiagonal matrix by the "
                        "installed LAPACK, for which the call waits; it cannot be part of a "
                        "recording",
                        has_vectors(call) ? "vectors" : "values");
    if (flaw != NULL)
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "the singular %s of the bidiagonal matrix are computed by the installed "
                        "LAPACK: %s",
                        has_vectors(call) ? "vectors" : "values", flaw);
    return GABLE_OK;
}

int gbl_bdsdc_host_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    (void)self, (void)params;
    if (device->table->build == NULL)
        return 0;
    gbl_kernel_begin(specs, "put_info.cl", call->dtype);
    return 1;
}

/* Columns of one matrix on the host, without gaps, and on the device. */
static gable_status send(gable_context *ctx, gbl_dtype dtype, int64_t m, int64_t n,
                         const void *host, void *device, int64_t ld)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    const gbl_copy_spec spec = {.direction = GBL_TO_DEVICE,
                                .target = device,
                                .target_pitch = (size_t)ld * elem,
                                .source = host,
                                .source_pitch = (size_t)m * elem,
                                .run_bytes = (size_t)m * elem,
                                .runs = n};
    return gbl_transfer(ctx, &spec);
}

static gable_status fetch(gable_context *ctx, size_t bytes, const void *device, void *host)
{
    const gbl_copy_spec spec = {.direction = GBL_TO_HOST,
                                .target = host,
                                .target_pitch = bytes,
                                .source = device,
                                .source_pitch = bytes,
                                .run_bytes = bytes,
                                .runs = 1};
    return gbl_transfer(ctx, &spec);
}

/* Info may be memory that kernels alone reach. */
static gable_status put_info(gable_context *ctx, const gbl_product_call *call, int64_t info)
{
    const range_info_args args = {.info = info};
    gbl_kernel_spec wanted;
    gbl_kernel *kernel;
    if (gbl_bdsdc_host_specs(NULL, call, NULL, ctx->device, &wanted) == 0) {
        *call->info = info;
        return GABLE_OK;
    }
    TRY(gbl_kernel_get(ctx->device, &wanted, &kernel, &ctx->message));
    return gbl_launch(ctx, kernel,
                      &(gbl_launch_spec){.groups = {1, 1},
                                         .group = {1, 1},
                                         .buffer_count = 1,
                                         .buffers = {call->info},
                                         .args = &args,
                                         .args_bytes = sizeof args});
}

/* U or Vt becomes NaN on the device: bytes of ones. */
static gable_status spoil(gable_context *ctx, gbl_dtype dtype, int64_t n, void *matrix, int64_t ld)
{
    const size_t column = (size_t)n * gbl_dtype_bytes(dtype);
    if (ld == n)
        return gbl_fill_bytes(ctx, matrix, 0xff, column * (size_t)n);
    for (int64_t j = 0; j < n; j++)
        TRY(gbl_fill_bytes(ctx, gbl_element(dtype, matrix, ld, 0, j), 0xff, column));
    return GABLE_OK;
}

static gable_status refuse_numbers(gable_context *ctx, const gbl_product_call *call)
{
    const gbl_dtype t = call->dtype;
    TRY(gbl_fill_bytes(ctx, call->d, 0xff, (size_t)call->n * gbl_dtype_bytes(t)));
    if (has_vectors(call)) {
        TRY(spoil(ctx, t, call->n, call->B, call->ldb));
        TRY(spoil(ctx, t, call->n, call->C, call->ldc));
    }
    return put_info(ctx, call, BAD_D);
}

/* d and e are on the host. */
static gable_status compute(gable_context *ctx, const gbl_product_call *call, void *d, void *e)
{
    const gbl_dtype t = call->dtype;
    const int64_t n = call->n;
    const size_t elem = gbl_dtype_bytes(t),
                 matrix = has_vectors(call) ? (size_t)n * (size_t)n * elem : 0,
                 bytes = 2 * matrix + gbl_bdsdc_installed_bytes(call) + 64;
    char *const memory = malloc(bytes);
    int64_t info = 0;
    gbl_product_call host = *call;
    if (memory == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory of %zu bytes for a bidiagonal matrix", bytes);
    host.d = d;
    host.e = e;
    host.B = memory;
    host.C = memory + matrix;
    host.ldb = host.ldc = n;
    host.info = &info;
    gbl_loan_host_begin(&ctx->loan);
    gbl_bdsdc_installed(&host, memory + 2 * matrix);
    gbl_loan_host_end(&ctx->loan);
    gable_status status = send(ctx, t, n, 1, host.d, call->d, n);
    if (status == GABLE_OK && matrix > 0)
        status = send(ctx, t, n, n, host.B, call->B, call->ldb);
    if (status == GABLE_OK && matrix > 0)
        status = send(ctx, t, n, n, host.C, call->C, call->ldc);
    if (!gbl_is_left(ctx, status))
        free(memory);
    return status == GABLE_OK ? put_info(ctx, call, info) : status;
}

/* A device that only pretends to copy leaves NaN in d: then nothing is computed. */
static gable_status run_host(gable_context *ctx, const gbl_product_call *call, char *memory)
{
    const int64_t n = call->n;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    void *const d = memory, *const e = memory + ((size_t)n + 1) * elem;
    memset(d, 0xff, (size_t)n * elem);
    TRY(gbl_wait_queue(ctx)); /* copies to memory that is not pinned wait for ever */
    TRY(fetch(ctx, (size_t)n * elem, call->d, d));
    TRY(fetch(ctx, (size_t)(n - 1) * elem, call->e, e));
    if (!all_finite(call->dtype, n, d) || (n > 1 && !all_finite(call->dtype, n - 1, e)))
        return refuse_numbers(ctx, call);
    return compute(ctx, call, d, e);
}

gable_status gbl_bdsdc_host_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                const gbl_params *params)
{
    const gbl_product_call *call = given;
    const size_t bytes = 2 * ((size_t)call->n + 2) * gbl_dtype_bytes(call->dtype);
    (void)self, (void)params;
    TRY(gbl_bdsdc_host_check(ctx, call));
    if (gbl_preparing(ctx) != NULL)
        return put_info(ctx, call, 0);
    char *const memory = malloc(bytes);
    if (memory == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory of %zu bytes for a diagonal", bytes);
    const gable_status status = run_host(ctx, call, memory);
    if (!gbl_is_left(ctx, status))
        free(memory);
    return status;
}
