/* cublas.c: finds and loads cuBLAS, keeps its handles.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One handle per queue, made outside any capture, with a workspace of ours: cuBLAS then allocates
 * nothing while it is captured. Atomics are off, so that its sums come out the same each time.
 * Functions exist in two widths; since CUDA 12 the one with 64-bit sizes is used.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "device/cublas.h"
#include "device/cublas_private.h"
#include "device/cuda_device.h"
#include "device/cuda_find.h"
#include "device/dynlib.h"
#include "device/fork_guard.h"

/* cuBLAS's own default on Hopper; level 1 needs far less. */
#define WORKSPACE_BYTES ((size_t)32 << 20)

#define POINTERS_ON_HOST   0
#define POINTERS_ON_DEVICE 1
#define ATOMICS_OFF        0

static struct {
    int (*create)(gbl_cublas_handle **handle);
    int (*destroy)(gbl_cublas_handle *handle);
    int (*set_stream)(gbl_cublas_handle *handle, void *stream);
    int (*set_pointer_mode)(gbl_cublas_handle *handle, int mode);
    int (*set_atomics_mode)(gbl_cublas_handle *handle, int mode);
    int (*set_workspace)(gbl_cublas_handle *handle, void *workspace, size_t bytes);
    int (*property)(int which, int *value);
    const char *(*status_text)(int status);
} api;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
GBL_FORK_GUARD(.lock = &lock)
static struct {
    bool tried, wide;
    gable_status status;
    int major, minor;
    char path[GBL_CUDA_PATH_BYTES];
    gbl_message why;
} kept;

/* What a queue keeps in its vendor field. */
typedef struct cublas_state {
    gbl_cublas_handle *handle;
    void *workspace;
} cublas_state;

/* ---- loading ---- */

static bool load_routines(void *library, const char *suffix)
{
    return gbl_cublas_load_level1(library, suffix) && gbl_cublas_load_level2(library, suffix) &&
           gbl_cublas_load_band(library, suffix) && gbl_cublas_load_level3(library, suffix);
}

static bool judge_library(void *library, const char *path, void *user)
{
    const gbl_symbol symbols[] = {
        {.name = "cublasCreate_v2", .slot = &api.create},
        {.name = "cublasDestroy_v2", .slot = &api.destroy},
        {.name = "cublasSetStream_v2", .slot = &api.set_stream},
        {.name = "cublasSetPointerMode_v2", .slot = &api.set_pointer_mode},
        {.name = "cublasSetAtomicsMode", .slot = &api.set_atomics_mode},
        {.name = "cublasSetWorkspace_v2", .slot = &api.set_workspace},
        {.name = "cublasGetProperty", .slot = &api.property},
        {.name = "cublasGetStatusString",
         .slot = &api.status_text,
         .optional = true}, /* since 11.4 */
    };
    (void)path;
    (void)user;
    if (gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]) != NULL)
        return false;
    kept.wide = load_routines(library, "_v2_64");
    return kept.wide || load_routines(library, "_v2");
}

static gable_status load_locked(gbl_message *message)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so", NULL};
    static const gbl_cuda_wanted wanted = {
        .title = "cuBLAS (libcublas, 11.2 or newer)",
        .variable = "GABLE_CUBLAS",
        .names = names,
        .pip_folder = "cublas",
        .cure = "install the CUDA toolkit's cuBLAS, or `pip install nvidia-cublas`, or set "
                "GABLE_CUBLAS to the path of libcublas.so"};
    void *library;
    TRY(gbl_cuda_find(&wanted, judge_library, NULL, &library, kept.path, message));
    api.property(0, &kept.major);
    api.property(1, &kept.minor);
    return GABLE_OK;
}

static gable_status load(gbl_message *message)
{
    pthread_mutex_lock(&lock);
    if (!kept.tried) {
        kept.status = load_locked(&kept.why);
        kept.tried = true;
    }
    pthread_mutex_unlock(&lock);
    if (kept.status != GABLE_OK)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s", kept.why.text);
    return GABLE_OK;
}

bool gbl_cublas_available(const gbl_device *device)
{
    return device->table == &gbl_cuda_table && load(NULL) == GABLE_OK;
}

gable_status gbl_cublas_describe(char *text, size_t text_bytes, gbl_message *message)
{
    TRY(load(message));
    snprintf(text, text_bytes, "cuBLAS %d.%d (%s)", kept.major, kept.minor, kept.path);
    return GABLE_OK;
}

/* ---- handles ---- */

static gable_status fail_cublas(int result, const char *what, gbl_message *message)
{
    const gable_status status = result == 3 ? GABLE_OUT_OF_MEMORY : GABLE_DEVICE_FAILED;
    return gbl_fail(message, status, "cuBLAS %d.%d: %s failed with status %d (%s)", kept.major,
                    kept.minor, what, result,
                    api.status_text != NULL ? api.status_text(result) : "no description");
}

static void close_state(gbl_cuda_queue *queue)
{
    cublas_state *state = queue->vendor;
    if (state->handle != NULL)
        api.destroy(state->handle);
    gbl_cuda_free(queue->base.device, state->workspace, NULL);
    free(state);
    queue->vendor = NULL;
    queue->vendor_close = NULL;
}

static gable_status make_state(gbl_cuda_queue *queue, gbl_message *message)
{
    cublas_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a cuBLAS handle");
    queue->vendor = state;
    queue->vendor_close = close_state;
    gable_status status =
        gbl_cuda_alloc(queue->base.device, WORKSPACE_BYTES, &state->workspace, message);
    if (status == GABLE_OK) {
        int result = api.create(&state->handle);
        if (result != 0)
            state->handle = NULL;
        else
            result = api.set_atomics_mode(state->handle, ATOMICS_OFF);
        if (result != 0)
            status = fail_cublas(result, "making a handle", message);
    }
    if (status != GABLE_OK)
        close_state(queue);
    return status;
}

gable_status gbl_cublas_prepare(gbl_queue *base, gbl_message *message)
{
    gbl_cuda_queue *queue = (gbl_cuda_queue *)base;
    bool pushed;
    if (base->device->table != &gbl_cuda_table)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "cuBLAS runs on CUDA devices only; this context is on %s",
                        base->device->info.name);
    if (queue->vendor != NULL)
        return GABLE_OK;
    TRY(load(message));
    TRY(gbl_cuda_enter((gbl_cuda_device *)base->device, &pushed, message));
    const gable_status status = make_state(queue, message);
    gbl_cuda_leave(pushed);
    return status;
}

/* ---- tasks ---- */

static bool fits_int(int64_t value)
{
    return value >= INT_MIN && value <= INT_MAX;
}

bool gbl_cublas_is_wide(void)
{
    return kept.wide;
}

/* The stream comes first: setting it resets the workspace. */
static gable_status point_handle(gbl_queue *base, void *stream, bool scalars_on_device,
                                 gbl_cublas_handle **handle, gbl_message *message)
{
    const cublas_state *state = ((gbl_cuda_queue *)base)->vendor;
    if (state == NULL)
        return gbl_fail(message, GABLE_INTERNAL,
                        "a cuBLAS task runs on a queue without gbl_cublas_prepare");
    int result = api.set_stream(state->handle, stream);
    if (result == 0)
        result = api.set_workspace(state->handle, state->workspace, WORKSPACE_BYTES);
    if (result == 0)
        result = api.set_pointer_mode(state->handle,
                                      scalars_on_device ? POINTERS_ON_DEVICE : POINTERS_ON_HOST);
    if (result != 0)
        return fail_cublas(result, "preparing the handle", message);
    *handle = state->handle;
    return GABLE_OK;
}

gable_status gbl_cublas_begin(gbl_queue *queue, void *stream, const gbl_vector_args *args,
                              bool scalars_on_device, gbl_cublas_handle **handle,
                              gbl_message *message)
{
    if (!kept.wide && !(fits_int(args->n) && fits_int(args->incx) && fits_int(args->incy)))
        return gbl_fail(
            message, GABLE_NOT_SUPPORTED,
            "cuBLAS %d.%d takes 32-bit sizes and n = %lld, incx = %lld, incy = %lld do not "
            "all fit; use another variant or cuBLAS 12",
            kept.major, kept.minor, (long long)args->n, (long long)args->incx,
            (long long)args->incy);
    return point_handle(queue, stream, scalars_on_device, handle, message);
}

/* A task with matrices: what its scalars and sizes must be. */
static gable_status check_matrices(const gbl_scalar *alpha, const gbl_scalar *beta,
                                   const int64_t *sizes, size_t count, gbl_message *message)
{
    if (beta->device != NULL && alpha->device == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "cuBLAS takes alpha and beta both by value or both from device memory; use "
                        "another variant");
    for (size_t i = 0; i < count; i++)
        if (!kept.wide && !fits_int(sizes[i]))
            return gbl_fail(
                message, GABLE_NOT_SUPPORTED,
                "cuBLAS %d.%d takes 32-bit sizes and %lld does not fit; use another variant or "
                "cuBLAS 12",
                kept.major, kept.minor, (long long)sizes[i]);
    return GABLE_OK;
}

gable_status gbl_cublas_begin_matrix(gbl_queue *queue, void *stream, const gbl_matrix_args *args,
                                     gbl_cublas_handle **handle, gbl_message *message)
{
    const int64_t sizes[] = {args->m,   args->n,   args->kl,   args->ku,   args->lda,
                             args->ldb, args->ldc, args->incx, args->incy, args->batch};
    TRY(check_matrices(&args->alpha, &args->beta, sizes, sizeof sizes / sizeof sizes[0], message));
    return point_handle(queue, stream, args->alpha.device != NULL, handle, message);
}

gable_status gbl_cublas_begin_product(gbl_queue *queue, void *stream, const gbl_product_args *args,
                                      gbl_cublas_handle **handle, gbl_message *message)
{
    const int64_t sizes[] = {args->m,   args->n,   args->k,    args->lda,
                             args->ldb, args->ldc, args->batch};
    TRY(check_matrices(&args->alpha, &args->beta, sizes, sizeof sizes / sizeof sizes[0], message));
    return point_handle(queue, stream, args->alpha.device != NULL, handle, message);
}

gable_status gbl_cublas_end(int result, const char *what, gbl_message *message)
{
    return result == 0 ? GABLE_OK : fail_cublas(result, what, message);
}

static gbl_task_function task_of(const char *stem)
{
    gbl_task_function task = gbl_cublas_level1_task(stem);
    if (task == NULL)
        task = gbl_cublas_level2_task(stem);
    if (task == NULL)
        task = gbl_cublas_band_task(stem);
    return task != NULL ? task : gbl_cublas_level3_task(stem);
}

const gbl_vendor gbl_cublas_vendor = {.name = "cublas",
                                      .available = gbl_cublas_available,
                                      .prepare = gbl_cublas_prepare,
                                      .task = task_of};
