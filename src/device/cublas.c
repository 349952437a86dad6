/* cublas.c: cuBLAS behind the device's tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One handle a queue, made outside any capture, with a workspace of ours: cuBLAS then allocates
 * nothing while it is captured. Atomics are off, so that its sums come out the same each time.
 * Functions exist in two widths; since CUDA 12 the one with 64-bit sizes is used.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cublas.h"
#include "device/cuda_device.h"
#include "device/cuda_find.h"
#include "device/dynlib.h"

/* cuBLAS's own default on Hopper; level 1 needs far less. */
#define WORKSPACE_BYTES ((size_t)32 << 20)

#define POINTERS_ON_HOST   0
#define POINTERS_ON_DEVICE 1
#define ATOMICS_OFF        0

typedef struct cublas_handle cublas_handle;

/* The routines that exist in four precisions, in both widths of their integers. */
typedef union copy_function {
    int (*wide)(cublas_handle *, int64_t, const void *, int64_t, void *, int64_t);
    int (*narrow)(cublas_handle *, int, const void *, int, void *, int);
} copy_function;
typedef union axpy_function {
    int (*wide)(cublas_handle *, int64_t, const void *, const void *, int64_t, void *, int64_t);
    int (*narrow)(cublas_handle *, int, const void *, const void *, int, void *, int);
} axpy_function;
typedef union dot_function {
    int (*wide)(cublas_handle *, int64_t, const void *, int64_t, const void *, int64_t, void *);
    int (*narrow)(cublas_handle *, int, const void *, int, const void *, int, void *);
} dot_function;
typedef union nrm2_function {
    int (*wide)(cublas_handle *, int64_t, const void *, int64_t, void *);
    int (*narrow)(cublas_handle *, int, const void *, int, void *);
} nrm2_function;

static struct {
    int (*create)(cublas_handle **handle);
    int (*destroy)(cublas_handle *handle);
    int (*set_stream)(cublas_handle *handle, void *stream);
    int (*set_pointer_mode)(cublas_handle *handle, int mode);
    int (*set_atomics_mode)(cublas_handle *handle, int mode);
    int (*set_workspace)(cublas_handle *handle, void *workspace, size_t bytes);
    int (*property)(int which, int *value);
    const char *(*status_text)(int status);
    copy_function copy[4];
    axpy_function axpy[4];
    dot_function dot[4], dot_conj[4];
    nrm2_function nrm2[4];
} api;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool tried, wide;
    gable_status status;
    int major, minor;
    char path[GBL_CUDA_PATH_BYTES];
    gbl_message why;
} kept;

/* What a queue keeps in its vendor field. */
typedef struct cublas_state {
    cublas_handle *handle;
    void *workspace;
} cublas_state;

/* ---- loading ---- */

/* Loads the typed routines with a suffix: "_v2_64" or "_v2". */
static bool load_width(void *library, const char *suffix)
{
    static const char *const stems[] = {
        "Scopy", "Dcopy", "Ccopy", "Zcopy", "Saxpy", "Daxpy", "Caxpy", "Zaxpy", "Sdot",   "Ddot",
        "Cdotu", "Zdotu", "Sdot",  "Ddot",  "Cdotc", "Zdotc", "Snrm2", "Dnrm2", "Scnrm2", "Dznrm2"};
    void *const slots[] = {api.copy, api.axpy, api.dot, api.dot_conj, api.nrm2};
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "cublas%s%s", stems[i], suffix);
        /* Each slot is an array of four unions of function pointers, one pointer in size. */
        const gbl_symbol symbol = {name, (char *)slots[i / 4] + i % 4 * sizeof(copy_function),
                                   false};
        if (gbl_dynlib_load(library, &symbol, 1) != NULL)
            return false;
    }
    return true;
}

static bool judge_library(void *library, const char *path, void *user)
{
    const gbl_symbol symbols[] = {
        {"cublasCreate_v2", &api.create, false},
        {"cublasDestroy_v2", &api.destroy, false},
        {"cublasSetStream_v2", &api.set_stream, false},
        {"cublasSetPointerMode_v2", &api.set_pointer_mode, false},
        {"cublasSetAtomicsMode", &api.set_atomics_mode, false},
        {"cublasSetWorkspace_v2", &api.set_workspace, false},
        {"cublasGetProperty", &api.property, false},
        {"cublasGetStatusString", &api.status_text, true}, /* since 11.4 */
    };
    (void)path;
    (void)user;
    if (gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]) != NULL)
        return false;
    kept.wide = load_width(library, "_v2_64");
    return kept.wide || load_width(library, "_v2");
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

/* Points the handle at the stream, which also resets its workspace, hence the order. */
static gable_status begin(gbl_queue *base, void *stream, const gbl_vector_args *args,
                          int pointer_mode, cublas_handle **handle, gbl_message *message)
{
    const cublas_state *state = ((gbl_cuda_queue *)base)->vendor;
    if (state == NULL)
        return gbl_fail(message, GABLE_INTERNAL,
                        "a cuBLAS task runs on a queue without gbl_cublas_prepare");
    if (!kept.wide && !(fits_int(args->n) && fits_int(args->incx) && fits_int(args->incy)))
        return gbl_fail(
            message, GABLE_NOT_SUPPORTED,
            "cuBLAS %d.%d takes 32-bit sizes and n = %lld, incx = %lld, incy = %lld do not "
            "all fit; use another variant or cuBLAS 12",
            kept.major, kept.minor, (long long)args->n, (long long)args->incx,
            (long long)args->incy);
    int result = api.set_stream(state->handle, stream);
    if (result == 0)
        result = api.set_workspace(state->handle, state->workspace, WORKSPACE_BYTES);
    if (result == 0)
        result = api.set_pointer_mode(state->handle, pointer_mode);
    if (result != 0)
        return fail_cublas(result, "preparing the handle", message);
    *handle = state->handle;
    return GABLE_OK;
}

gable_status gbl_cublas_copy(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const copy_function function = api.copy[a->dtype];
    cublas_handle *handle = NULL;
    TRY(begin(queue, stream, a, POINTERS_ON_DEVICE, &handle, message));
    const int result =
        kept.wide ? function.wide(handle, a->n, a->x, a->incx, a->y, a->incy)
                  : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->y, (int)a->incy);
    return result == 0 ? GABLE_OK : fail_cublas(result, "copy", message);
}

gable_status gbl_cublas_axpy(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const axpy_function function = api.axpy[a->dtype];
    const float single[] = {(float)a->re, (float)a->im};
    const double wide[] = {a->re, a->im};
    const bool is_single = a->dtype % 2 == 0;
    const void *alpha = a->alpha_at != NULL ? a->alpha_at : is_single ? (const void *)single : wide;
    cublas_handle *handle = NULL;
    TRY(begin(queue, stream, a, a->alpha_at != NULL ? POINTERS_ON_DEVICE : POINTERS_ON_HOST,
              &handle, message));
    const int result = kept.wide ? function.wide(handle, a->n, alpha, a->x, a->incx, a->y, a->incy)
                                 : function.narrow(handle, (int)a->n, alpha, a->x, (int)a->incx,
                                                   a->y, (int)a->incy);
    return result == 0 ? GABLE_OK : fail_cublas(result, "axpy", message);
}

gable_status gbl_cublas_dot(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const dot_function function = a->conj ? api.dot_conj[a->dtype] : api.dot[a->dtype];
    cublas_handle *handle = NULL;
    TRY(begin(queue, stream, a, POINTERS_ON_DEVICE, &handle, message));
    const int result =
        kept.wide
            ? function.wide(handle, a->n, a->x, a->incx, a->y, a->incy, a->result)
            : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->y, (int)a->incy, a->result);
    return result == 0 ? GABLE_OK : fail_cublas(result, "dot", message);
}

gable_status gbl_cublas_nrm2(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const nrm2_function function = api.nrm2[a->dtype];
    cublas_handle *handle = NULL;
    TRY(begin(queue, stream, a, POINTERS_ON_DEVICE, &handle, message));
    const int result = kept.wide
                           ? function.wide(handle, a->n, a->x, a->incx, a->result)
                           : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->result);
    return result == 0 ? GABLE_OK : fail_cublas(result, "nrm2", message);
}

static gbl_task_function task_of(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {{"copy", gbl_cublas_copy},
                 {"axpy", gbl_cublas_axpy},
                 {"dot", gbl_cublas_dot},
                 {"nrm2", gbl_cublas_nrm2}};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}

const gbl_vendor gbl_cublas_vendor = {"cublas", gbl_cublas_available, gbl_cublas_prepare, task_of};
