/* peer_cusolver.c: cuSOLVER beside Gable on CUDA devices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Direct calls on the context's stream. Some of its routines wait for the host, so none is
 * recorded: it has times of single calls. Workspace is taken at the first call of a size, which is
 * not timed. A routine is one line of `routines` and two functions, which fill in its arguments. It
 * has no gesv and no posv: those are two of its calls.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "device/cuda_find.h"
#include "device/dynlib.h"
#include "peers/cusolver_private.h"

enum { OP_N = 0, OP_T = 1, OP_C = 2 };
enum { SIDE_LEFT = 0, SIDE_RIGHT = 1 };

/* ---- The library ---- */

typedef int square_room(cusolver_handle *handle, int fill, int n, void *A, int lda, int *count);
typedef int square_call(cusolver_handle *handle, int fill, int n, void *A, int lda, void *work,
                        int count, int *info);
typedef int shape_room(cusolver_handle *handle, int m, int n, void *A, int lda, int *count);

/* By precision. */
static struct {
    int (*create)(cusolver_handle **handle);
    int (*destroy)(cusolver_handle *handle);
    int (*set_stream)(cusolver_handle *handle, void *stream);
    int (*property)(int which, int *value);
    square_room *potrf_room[4], *potri_room[4];
    square_call *potrf[4], *potri[4];
    int (*potrs[4])(cusolver_handle *handle, int fill, int n, int sides, const void *A, int lda,
                    void *B, int ldb, int *info);
    shape_room *getrf_room[4], *geqrf_room[4];
    int (*getrf[4])(cusolver_handle *handle, int m, int n, void *A, int lda, void *work, int *ipiv,
                    int *info);
    int (*getrs[4])(cusolver_handle *handle, int trans, int n, int sides, const void *A, int lda,
                    const int *ipiv, void *B, int ldb, int *info);
    int (*laswp[4])(cusolver_handle *handle, int n, void *A, int lda, int k1, int k2,
                    const int *ipiv, int incx);
    int (*geqrf[4])(cusolver_handle *handle, int m, int n, void *A, int lda, void *tau, void *work,
                    int count, int *info);
    int (*sytrd_room[4])(cusolver_handle *handle, int fill, int n, const void *A, int lda,
                         const void *d, const void *e, const void *tau, int *count);
    int (*sytrd[4])(cusolver_handle *handle, int fill, int n, void *A, int lda, void *d, void *e,
                    void *tau, void *work, int count, int *info);
    int (*orgqr_room[4])(cusolver_handle *handle, int m, int n, int k, const void *A, int lda,
                         const void *tau, int *count);
    int (*orgqr[4])(cusolver_handle *handle, int m, int n, int k, void *A, int lda, const void *tau,
                    void *work, int count, int *info);
    int (*ormqr_room[4])(cusolver_handle *handle, int side, int trans, int m, int n, int k,
                         const void *A, int lda, const void *tau, const void *C, int ldc,
                         int *count);
    int (*ormqr[4])(cusolver_handle *handle, int side, int trans, int m, int n, int k,
                    const void *A, int lda, const void *tau, void *C, int ldc, void *work,
                    int count, int *info);
    int (*gebrd_room[4])(cusolver_handle *handle, int m, int n, int *count);
    int (*gebrd[4])(cusolver_handle *handle, int m, int n, void *A, int lda, void *d, void *e,
                    void *tauq, void *taup, void *work, int count, int *info);
    int (*orgtr_room[4])(cusolver_handle *handle, int fill, int n, const void *A, int lda,
                         const void *tau, int *count);
    int (*orgtr[4])(cusolver_handle *handle, int fill, int n, void *A, int lda, const void *tau,
                    void *work, int count, int *info);
    int (*orgbr_room[4])(cusolver_handle *handle, int side, int m, int n, int k, const void *A,
                         int lda, const void *tau, int *count);
    int (*orgbr[4])(cusolver_handle *handle, int side, int m, int n, int k, void *A, int lda,
                    const void *tau, void *work, int count, int *info);
    int (*ormtr_room[4])(cusolver_handle *handle, int side, int fill, int trans, int m, int n,
                         const void *A, int lda, const void *tau, const void *C, int ldc,
                         int *count);
    int (*ormtr[4])(cusolver_handle *handle, int side, int fill, int trans, int m, int n, void *A,
                    int lda, void *tau, void *C, int ldc, void *work, int count, int *info);
} api;

bool cusolver_load_four(void *library, const char *stem, const char *complex_stem,
                        const char *ending, void *slots)
{
    for (int dtype = 0; dtype < 4; dtype++) {
        const char *called = complex_stem != NULL && dtype >= GBL_C ? complex_stem : stem;
        char name[64];
        void *loaded = NULL;
        snprintf(name, sizeof name, "cusolverDn%c%s%s", "SDCZ"[dtype], called, ending);
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
    const struct {
        const char *stem, *complex_stem, *ending;
        void *slots;
    } fours[] = {
        {"potrf", NULL, "_bufferSize", api.potrf_room},
        {"potrf", NULL, "", api.potrf},
        {"potri", NULL, "_bufferSize", api.potri_room},
        {"potri", NULL, "", api.potri},
        {"potrs", NULL, "", api.potrs},
        {"getrf", NULL, "_bufferSize", api.getrf_room},
        {"getrf", NULL, "", api.getrf},
        {"getrs", NULL, "", api.getrs},
        {"laswp", NULL, "", api.laswp},
        {"geqrf", NULL, "_bufferSize", api.geqrf_room},
        {"geqrf", NULL, "", api.geqrf},
        {"orgqr", "ungqr", "_bufferSize", api.orgqr_room},
        {"orgqr", "ungqr", "", api.orgqr},
        {"ormqr", "unmqr", "_bufferSize", api.ormqr_room},
        {"ormqr", "unmqr", "", api.ormqr},
        {"sytrd", "hetrd", "_bufferSize", api.sytrd_room},
        {"sytrd", "hetrd", "", api.sytrd},
        {"gebrd", NULL, "_bufferSize", api.gebrd_room},
        {"gebrd", NULL, "", api.gebrd},
        {"orgtr", "ungtr", "_bufferSize", api.orgtr_room},
        {"orgtr", "ungtr", "", api.orgtr},
        {"orgbr", "ungbr", "_bufferSize", api.orgbr_room},
        {"orgbr", "ungbr", "", api.orgbr},
        {"ormtr", "unmtr", "_bufferSize", api.ormtr_room},
        {"ormtr", "unmtr", "", api.ormtr},
    };
    (void)path, (void)user;
    if (gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]) != NULL)
        return false;
    for (size_t i = 0; i < sizeof fours / sizeof fours[0]; i++)
        if (!cusolver_load_four(library, fours[i].stem, fours[i].complex_stem, fours[i].ending,
                                fours[i].slots))
            return false;
    return cusolver_spectra_load(library);
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

/* What a task is given. */
typedef struct cusolver_task {
    cusolver_state *state;
    gbl_product_args call;
} cusolver_task;

typedef struct routine {
    const char *stem;
    /* NULL: it needs no workspace. */
    int (*room)(cusolver_state *state, const gbl_product_args *call, int *count);
    int (*call)(cusolver_state *state, const gbl_product_args *call);
    bool reads_pivots;
} routine;

static int fill_of(const gbl_product_args *call)
{
    return call->uplo == GABLE_UPPER ? FILL_UPPER : FILL_LOWER;
}

static int op_of(const gbl_product_args *call)
{
    return call->trans == GABLE_NO_TRANS ? OP_N : call->trans == GABLE_TRANS ? OP_T : OP_C;
}

static int side_of(const gbl_product_args *call)
{
    return call->side == GABLE_RIGHT ? SIDE_RIGHT : SIDE_LEFT;
}

static int room_potrf(cusolver_state *state, const gbl_product_args *c, int *count)
{
    const int n = (int)(c->B != NULL ? c->m : c->n); /* of posv, of potrf */
    return api.potrf_room[c->dtype](state->handle, fill_of(c), n, c->A, (int)c->lda, count);
}

static int call_potrf(cusolver_state *state, const gbl_product_args *c)
{
    return api.potrf[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, state->work,
                               state->count, cusolver_info(state, c));
}

static int room_potri(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.potri_room[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, count);
}

static int call_potri(cusolver_state *state, const gbl_product_args *c)
{
    return api.potri[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, state->work,
                               state->count, cusolver_info(state, c));
}

static int call_potrs(cusolver_state *state, const gbl_product_args *c)
{
    return api.potrs[c->dtype](state->handle, fill_of(c), (int)c->m, (int)c->n, c->A, (int)c->lda,
                               c->B, (int)c->ldb, cusolver_info(state, c));
}

/* Solvers of systems have the order of A as m. */
static int call_posv(cusolver_state *state, const gbl_product_args *c)
{
    const int result = api.potrf[c->dtype](state->handle, fill_of(c), (int)c->m, c->A, (int)c->lda,
                                           state->work, state->count, cusolver_info(state, c));
    return result != 0 ? result
                       : api.potrs[c->dtype](state->handle, fill_of(c), (int)c->m, (int)c->n, c->A,
                                             (int)c->lda, c->B, (int)c->ldb, state->info);
}

static int room_getrf(cusolver_state *state, const gbl_product_args *c, int *count)
{
    const int n = (int)(c->B != NULL ? c->m : c->n); /* of gesv, of getrf */
    return api.getrf_room[c->dtype](state->handle, (int)c->m, n, c->A, (int)c->lda, count);
}

static int call_getrf(cusolver_state *state, const gbl_product_args *c)
{
    return api.getrf[c->dtype](state->handle, (int)c->m, (int)c->n, c->A, (int)c->lda, state->work,
                               (int *)(void *)c->ipiv, cusolver_info(state, c));
}

static int call_getrs(cusolver_state *state, const gbl_product_args *c)
{
    return api.getrs[c->dtype](state->handle, op_of(c), (int)c->m, (int)c->n, c->A, (int)c->lda,
                               state->pivots, c->B, (int)c->ldb, cusolver_info(state, c));
}

static int call_gesv(cusolver_state *state, const gbl_product_args *c)
{
    int *const pivots = (int *)(void *)c->ipiv;
    const int result = api.getrf[c->dtype](state->handle, (int)c->m, (int)c->m, c->A, (int)c->lda,
                                           state->work, pivots, cusolver_info(state, c));
    return result != 0 ? result
                       : api.getrs[c->dtype](state->handle, OP_N, (int)c->m, (int)c->n, c->A,
                                             (int)c->lda, pivots, c->B, (int)c->ldb, state->info);
}

static int call_laswp(cusolver_state *state, const gbl_product_args *c)
{
    return api.laswp[c->dtype](state->handle, (int)c->n, c->A, (int)c->lda, (int)c->k, (int)c->m,
                               state->pivots, (int)c->stride_b);
}

static int room_geqrf(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.geqrf_room[c->dtype](state->handle, (int)c->m, (int)c->n, c->A, (int)c->lda, count);
}

static int call_geqrf(cusolver_state *state, const gbl_product_args *c)
{
    return api.geqrf[c->dtype](state->handle, (int)c->m, (int)c->n, c->A, (int)c->lda, c->tau,
                               state->work, state->count, cusolver_info(state, c));
}

static int room_orgqr(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.orgqr_room[c->dtype](state->handle, (int)c->m, (int)c->n, (int)c->k, c->A,
                                    (int)c->lda, c->tau, count);
}

static int call_orgqr(cusolver_state *state, const gbl_product_args *c)
{
    return api.orgqr[c->dtype](state->handle, (int)c->m, (int)c->n, (int)c->k, c->A, (int)c->lda,
                               c->tau, state->work, state->count, cusolver_info(state, c));
}

static int room_ormqr(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.ormqr_room[c->dtype](state->handle, side_of(c), op_of(c), (int)c->m, (int)c->n,
                                    (int)c->k, c->A, (int)c->lda, c->tau, c->C, (int)c->ldc, count);
}

static int call_ormqr(cusolver_state *state, const gbl_product_args *c)
{
    return api.ormqr[c->dtype](state->handle, side_of(c), op_of(c), (int)c->m, (int)c->n, (int)c->k,
                               c->A, (int)c->lda, c->tau, c->C, (int)c->ldc, state->work,
                               state->count, cusolver_info(state, c));
}

static int room_sytrd(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.sytrd_room[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, c->d,
                                    c->e, c->tau, count);
}

static int call_sytrd(cusolver_state *state, const gbl_product_args *c)
{
    return api.sytrd[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, c->d, c->e,
                               c->tau, state->work, state->count, cusolver_info(state, c));
}

static int room_gebrd(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.gebrd_room[c->dtype](state->handle, (int)c->m, (int)c->n, count);
}

static int call_gebrd(cusolver_state *state, const gbl_product_args *c)
{
    return api.gebrd[c->dtype](state->handle, (int)c->m, (int)c->n, c->A, (int)c->lda, c->d, c->e,
                               c->tau, c->taup, state->work, state->count, cusolver_info(state, c));
}

static int room_orgtr(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.orgtr_room[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, c->tau,
                                    count);
}

static int call_orgtr(cusolver_state *state, const gbl_product_args *c)
{
    return api.orgtr[c->dtype](state->handle, fill_of(c), (int)c->n, c->A, (int)c->lda, c->tau,
                               state->work, state->count, cusolver_info(state, c));
}

/* Q is its left side, P^H its right one. */
static int side_of_vect(const gbl_product_args *c)
{
    const gbl_product_args asked = {.side = c->vect == GABLE_VECT_P ? GABLE_RIGHT : GABLE_LEFT};
    return side_of(&asked);
}

static int room_orgbr(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.orgbr_room[c->dtype](state->handle, side_of_vect(c), (int)c->m, (int)c->n, (int)c->k,
                                    c->A, (int)c->lda, c->tau, count);
}

static int call_orgbr(cusolver_state *state, const gbl_product_args *c)
{
    return api.orgbr[c->dtype](state->handle, side_of_vect(c), (int)c->m, (int)c->n, (int)c->k,
                               c->A, (int)c->lda, c->tau, state->work, state->count,
                               cusolver_info(state, c));
}

static int room_ormtr(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.ormtr_room[c->dtype](state->handle, side_of(c), fill_of(c), op_of(c), (int)c->m,
                                    (int)c->n, c->A, (int)c->lda, c->tau, c->C, (int)c->ldc, count);
}

static int call_ormtr(cusolver_state *state, const gbl_product_args *c)
{
    return api.ormtr[c->dtype](state->handle, side_of(c), fill_of(c), op_of(c), (int)c->m,
                               (int)c->n, c->A, (int)c->lda, c->tau, c->C, (int)c->ldc, state->work,
                               state->count, cusolver_info(state, c));
}

static const routine routines[] = {
    {.stem = "potrf", .room = room_potrf, .call = call_potrf},
    {.stem = "potrs", .call = call_potrs},
    {.stem = "posv", .room = room_potrf, .call = call_posv},
    {.stem = "potri", .room = room_potri, .call = call_potri},
    {.stem = "getrf", .room = room_getrf, .call = call_getrf},
    {.stem = "getrs", .call = call_getrs, .reads_pivots = true},
    {.stem = "gesv", .room = room_getrf, .call = call_gesv},
    {.stem = "laswp", .call = call_laswp, .reads_pivots = true},
    {.stem = "geqrf", .room = room_geqrf, .call = call_geqrf},
    {.stem = "orgqr", .room = room_orgqr, .call = call_orgqr},
    {.stem = "ormqr", .room = room_ormqr, .call = call_ormqr},
    {.stem = "sytrd", .room = room_sytrd, .call = call_sytrd},
    {.stem = "gebrd", .room = room_gebrd, .call = call_gebrd},
    {.stem = "orgtr", .room = room_orgtr, .call = call_orgtr},
    {.stem = "orgbr", .room = room_orgbr, .call = call_orgbr},
    {.stem = "ormtr", .room = room_ormtr, .call = call_ormtr},
    {.stem = "syevd", .room = cusolver_room_syevd, .call = cusolver_call_syevd},
    {.stem = "syevx", .room = cusolver_room_syevx, .call = cusolver_call_syevx},
    {.stem = "sygvd", .room = cusolver_room_sygvd, .call = cusolver_call_sygvd},
    {.stem = "gesdd", .room = cusolver_room_gesvd, .call = cusolver_call_gesvd},
    {.stem = "gesvd", .room = cusolver_room_gesvd, .call = cusolver_call_gesvd},
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

/* Waits. */
static void free_room(bench_peer *peer)
{
    cusolver_state *state = peer->state;
    gable_free(peer->ctx, state->work);
    gable_free(peer->ctx, state->info);
    gable_free(peer->ctx, state->pivots);
    state->work = state->info = state->pivots = NULL;
    state->routine = NULL;
}

static void close_peer(bench_peer *peer)
{
    cusolver_state *state = peer->state;
    if (state == NULL)
        return;
    free_room(peer);
    enqueue(peer, destroy_task, NULL);
    free(state);
    peer->state = NULL;
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    const int64_t most = INT_MAX / 2;
    (void)peer;
    return routine_of(what->op->op->stem) != NULL && what->m < most && what->n < most &&
           what->k < most &&
           ((what->op->formula != BENCH_GEBRD && what->op->formula != BENCH_GESDD) ||
            what->m >= what->n);
}

/* The pivots of a call as int: they are the same in all sets. */
static gable_status narrow_pivots(bench_peer *peer, const gbl_product_args *call)
{
    cusolver_state *state = peer->state;
    const int64_t count = call->m;
    int64_t *wide = malloc((size_t)count * sizeof *wide);
    int *narrow = malloc((size_t)count * sizeof *narrow);
    gable_status status = GABLE_OK;
    if (wide == NULL || narrow == NULL)
        status = gbl_fail(&peer->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for pivots");
    if (status == GABLE_OK)
        status = gable_get_vector(peer->ctx, count, sizeof *wide, call->ipiv, 1, wide, 1);
    for (int64_t i = 0; status == GABLE_OK && i < count; i++)
        narrow[i] = (int)wide[i];
    if (status == GABLE_OK)
        status = gable_alloc(peer->ctx, (size_t)count * sizeof *narrow, &state->pivots);
    if (status == GABLE_OK)
        status = gable_set_vector(peer->ctx, count, sizeof *narrow, narrow, 1, state->pivots, 1);
    free(wide);
    free(narrow);
    return status;
}

/* What a call needs beside its operands, unless that of the last one serves. */
static gable_status take_room(bench_peer *peer, const routine *wanted, const gbl_product_args *call)
{
    cusolver_state *state = peer->state;
    if (state->routine == wanted && memcmp(&state->shape, call, GBL_PRODUCT_SHAPE_BYTES) == 0)
        return GABLE_OK;
    free_room(peer);
    memcpy(&state->shape, call, GBL_PRODUCT_SHAPE_BYTES);
    state->count = 0;
    TRY(gable_alloc(peer->ctx, sizeof(int), &state->info));
    if (wanted->room != NULL) {
        state->routine = wanted;
        TRY(enqueue(peer, room_task, call));
        state->routine = NULL; /* until all of it is there */
        const size_t elements = state->count > 0 ? (size_t)state->count : 1;
        TRY(gable_alloc(peer->ctx, elements * gbl_dtype_bytes(call->dtype), &state->work));
    }
    if (wanted->reads_pivots)
        TRY(narrow_pivots(peer, call));
    state->routine = wanted;
    return GABLE_OK;
}

static gable_status run(bench_peer *peer, const bench_op *op, const bench_call *call)
{
    TRY(take_room(peer, routine_of(op->op->stem), &call->product));
    TRY(enqueue(peer, call_task, &call->product));
    return op->formula == BENCH_SYEVX && !op->values_only
               ? cusolver_copy_vectors(peer, &call->product)
               : GABLE_OK;
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
    .narrow_pivots = true,
};
