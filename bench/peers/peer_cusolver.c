/* peer_cusolver.c: cuSOLVER beside Gable on CUDA devices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Direct calls on the context's stream. Some of its routines wait for the host, so none is
 * recorded: it has times of single calls. Workspace is taken at the first call of a size, which is
 * not timed. A routine is one line of `routines` and two functions, which fill in its arguments.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "device/cuda_find.h"
#include "device/dynlib.h"
#include "peers/peer.h"

typedef struct cusolver_handle cusolver_handle;
enum { FILL_LOWER = 0, FILL_UPPER = 1 };

/* ---- The library ---- */

/* By precision. */
static struct {
    int (*create)(cusolver_handle **handle);
    int (*destroy)(cusolver_handle *handle);
    int (*set_stream)(cusolver_handle *handle, void *stream);
    int (*property)(int which, int *value);
    int (*potrf_room[4])(cusolver_handle *handle, int fill, int n, void *A, int lda, int *count);
    int (*potrf[4])(cusolver_handle *handle, int fill, int n, void *A, int lda, void *work,
                    int count, int *info);
    int (*getrf_room[4])(cusolver_handle *handle, int m, int n, void *A, int lda, int *count);
    int (*getrf[4])(cusolver_handle *handle, int m, int n, void *A, int lda, void *work, int *ipiv,
                    int *info);
    int (*geqrf_room[4])(cusolver_handle *handle, int m, int n, void *A, int lda, int *count);
    int (*geqrf[4])(cusolver_handle *handle, int m, int n, void *A, int lda, void *tau, void *work,
                    int count, int *info);
} api;

/* The four precisions of a function. */
static bool load_four(void *library, const char *stem, const char *ending, void *slots)
{
    for (int dtype = 0; dtype < 4; dtype++) {
        char name[64];
        void *loaded = NULL;
        snprintf(name, sizeof name, "cusolverDn%c%s%s", "SDCZ"[dtype], stem, ending);
        const gbl_symbol symbol = {.name = name, .slot = &loaded};
        if (gbl_dynlib_load(library, &symbol, 1) != NULL)
            return false;
        memcpy((char *)slots + (size_t)dtype * sizeof loaded, &loaded, sizeof loaded);
    }
    return true;
}

static bool judge(void *library, const char *path, void *user)
{
    const gbl_symbol symbols[] = {
        {.name = "cusolverDnCreate", .slot = &api.create},
        {.name = "cusolverDnDestroy", .slot = &api.destroy},
        {.name = "cusolverDnSetStream", .slot = &api.set_stream},
        {.name = "cusolverGetProperty", .slot = &api.property},
    };
    (void)path, (void)user;
    return gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]) == NULL &&
           load_four(library, "potrf", "_bufferSize", api.potrf_room) &&
           load_four(library, "potrf", "", api.potrf) &&
           load_four(library, "getrf", "_bufferSize", api.getrf_room) &&
           load_four(library, "getrf", "", api.getrf) &&
           load_four(library, "geqrf", "_bufferSize", api.geqrf_room) &&
           load_four(library, "geqrf", "", api.geqrf);
}

static gable_status load(char *version, size_t version_bytes, gbl_message *message)
{
    static const char *const names[] = {"libcusolver.so.13", "libcusolver.so.12",
                                        "libcusolver.so.11", "libcusolver.so", NULL};
    static const gbl_cuda_wanted wanted = {
        .title = "cuSOLVER (libcusolver, 11 or newer)",
        .variable = "GABLE_CUSOLVER",
        .names = names,
        .pip_folder = "cusolver",
        .cure = "install the CUDA toolkit's cuSOLVER, or `pip install nvidia-cusolver`, or set "
                "GABLE_CUSOLVER to the path of libcusolver.so"};
    static void *library;
    static char path[GBL_CUDA_PATH_BYTES];
    int major = 0, minor = 0;
    if (library == NULL) {
        const gable_status status = gbl_cuda_find(&wanted, judge, NULL, &library, path, message);
        if (status != GABLE_OK) {
            library = NULL;
            return status;
        }
    }
    api.property(0, &major);
    api.property(1, &minor);
    snprintf(version, version_bytes, "cuSOLVER %d.%d (%.120s)", major, minor, path);
    return GABLE_OK;
}

/* ---- Routines ---- */

/* What a peer keeps: a handle, and the workspace of the size that it worked on last. */
typedef struct cusolver_state {
    cusolver_handle *handle;
    void *work;
    const struct routine *routine; /* whose workspace it is */
    gbl_dtype dtype;
    int64_t m, n;
    int count; /* elements */
} cusolver_state;

/* What a task is given. */
typedef struct cusolver_task {
    cusolver_state *state;
    gbl_product_args call;
} cusolver_task;

typedef struct routine {
    const char *stem;
    int (*room)(cusolver_state *state, const gbl_product_args *call, int *count);
    int (*call)(cusolver_state *state, const gbl_product_args *call);
} routine;

static int fill_of(const gbl_product_args *call)
{
    return call->uplo == GABLE_UPPER ? FILL_UPPER : FILL_LOWER;
}

static int room_potrf(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.potrf_room[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, count);
}

static int call_potrf(cusolver_state *state, const gbl_product_args *c)
{
    return api.potrf[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, state->work,
                               state->count, (int *)(void *)c->info);
}

static int room_getrf(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.getrf_room[c->dtype](state->handle, (int)c->m, (int)c->n, c->A, (int)c->lda, count);
}

static int call_getrf(cusolver_state *state, const gbl_product_args *c)
{
    return api.getrf[c->dtype](state->handle, (int)c->m, (int)c->n, c->A, (int)c->lda, state->work,
                               (int *)(void *)c->ipiv, (int *)(void *)c->info);
}

static int room_geqrf(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.geqrf_room[c->dtype](state->handle, (int)c->m, (int)c->n, c->A, (int)c->lda, count);
}

static int call_geqrf(cusolver_state *state, const gbl_product_args *c)
{
    return api.geqrf[c->dtype](state->handle, (int)c->m, (int)c->n, c->A, (int)c->lda, c->tau,
                               state->work, state->count, (int *)(void *)c->info);
}

static const routine routines[] = {
    {.stem = "potrf", .room = room_potrf, .call = call_potrf},
    {.stem = "getrf", .room = room_getrf, .call = call_getrf},
    {.stem = "geqrf", .room = room_geqrf, .call = call_geqrf},
};

static const routine *routine_of(const char *stem)
{
    for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++)
        if (strcmp(routines[i].stem, stem) == 0)
            return &routines[i];
    return NULL;
}

/* ---- Tasks: they run with the device's context ---- */

static gable_status end_of(int result, const char *what, gbl_message *message)
{
    if (result == 0)
        return GABLE_OK;
    return gbl_fail(message, GABLE_DEVICE_FAILED, "cuSOLVER's %s failed with status %d", what,
                    result);
}

static gable_status create_task(gbl_queue *queue, void *stream, const void *given,
                                gbl_message *message)
{
    const cusolver_task *task = given;
    (void)queue, (void)stream;
    return end_of(api.create(&task->state->handle), "cusolverDnCreate", message);
}

static gable_status destroy_task(gbl_queue *queue, void *stream, const void *given,
                                 gbl_message *message)
{
    const cusolver_task *task = given;
    (void)queue, (void)stream;
    return end_of(api.destroy(task->state->handle), "cusolverDnDestroy", message);
}

static gable_status room_task(gbl_queue *queue, void *stream, const void *given,
                              gbl_message *message)
{
    const cusolver_task *task = given;
    cusolver_state *state = task->state;
    (void)queue, (void)stream;
    return end_of(state->routine->room(state, &task->call, &state->count), state->routine->stem,
                  message);
}

static gable_status call_task(gbl_queue *queue, void *stream, const void *given,
                              gbl_message *message)
{
    const cusolver_task *task = given;
    cusolver_state *state = task->state;
    (void)queue;
    TRY(end_of(api.set_stream(state->handle, stream), "cusolverDnSetStream", message));
    return end_of(state->routine->call(state, &task->call), state->routine->stem, message);
}

static gable_status enqueue(bench_peer *peer, gbl_task_function function,
                            const gbl_product_args *call)
{
    cusolver_task task = {.state = peer->state};
    if (call != NULL)
        task.call = *call;
    return gbl_task(peer->ctx, "cusolver", function, &task, sizeof task);
}

/* ---- The peer ---- */

static bool suits(const gable_context *ctx)
{
    return ctx->device->table == &gbl_cuda_table;
}

static gable_status open_peer(bench_peer *peer, gbl_message *message)
{
    if (!suits(peer->ctx))
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "it runs on CUDA devices only, and this is %s",
                        peer->ctx->device->info.name);
    TRY(load(peer->version, sizeof peer->version, message));
    peer->state = calloc(1, sizeof(cusolver_state));
    if (peer->state == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory");
    const gable_status status = enqueue(peer, create_task, NULL);
    if (status != GABLE_OK) {
        gbl_fail(message, status, "%s", gable_message(peer->ctx));
        free(peer->state);
        peer->state = NULL;
    }
    return status;
}

static void close_peer(bench_peer *peer)
{
    cusolver_state *state = peer->state;
    if (state == NULL)
        return;
    gable_free(peer->ctx, state->work); /* waits */
    enqueue(peer, destroy_task, NULL);
    free(state);
    peer->state = NULL;
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    (void)peer;
    return routine_of(what->op->op->stem) != NULL && what->m < INT_MAX / 2 && what->n < INT_MAX / 2;
}

/* Workspace for a call, unless it is that of the last one. */
static gable_status take_room(bench_peer *peer, const routine *wanted, const gbl_product_args *call)
{
    cusolver_state *state = peer->state;
    if (state->routine == wanted && state->dtype == call->dtype && state->m == call->m &&
        state->n == call->n)
        return GABLE_OK;
    TRY(gable_free(peer->ctx, state->work));
    state->work = NULL;
    state->routine = wanted;
    state->dtype = call->dtype;
    state->m = call->m;
    state->n = call->n;
    TRY(enqueue(peer, room_task, call));
    return gable_alloc(peer->ctx, (size_t)state->count * gbl_dtype_bytes(call->dtype),
                       &state->work);
}

static gable_status run(bench_peer *peer, const bench_op *op, const bench_call *call)
{
    TRY(take_room(peer, routine_of(op->op->stem), &call->product));
    return enqueue(peer, call_task, &call->product);
}

const bench_peer_kind bench_peer_cusolver = {
    .name = "cusolver",
    .where = "CUDA devices",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports,
    .run = run,
    .waits = true,
};
