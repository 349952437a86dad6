/* cublas_basis.c: the orthogonalisation of a cycle of GMRES by calls of cuBLAS: CGS2, by gemv or by
 * dots and axpys.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Column k is projected twice against the columns before it, then normalised. All numbers stay on
 * the device: h is negated there, and 1 / |w| comes from a triangular solve of order 1. Nothing
 * waits, so that the whole can be captured. It works on Gable's own columns, one after the other
 * with it.
 */
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "peers/cusparse_api.h"
#include "peers/sparse_peer.h"
#include "sparse_basis.h"

#define WORKSPACE_BYTES ((size_t)32 << 20)

/* Numbers on the device, before the coefficients h. */
enum { ONE, ZERO, MINUS_ONE, NORM, INVERSE, FIRST_H };

typedef struct basis_state {
    const bench_sparse_system *system;
    const cublas_functions *api;
    cublas_handle *handle;
    gable_context *ctx;
    void *numbers, *workspace;
    bool by_dots;
} basis_state;

/* What the task is given. */
typedef struct step {
    basis_state *state;
} step;

/* One measurement at a time and two kinds: by gemv, by dots. The peer's own state belongs to its
 * dense calls. */
static basis_state states[2];

static char *number_at(const basis_state *s, int which)
{
    return (char *)s->numbers + (size_t)which * gbl_dtype_bytes(s->system->what->dtype);
}

/* w := w - V V^T w for the k columns before it, by two gemv. */
static int project(basis_state *s, int k, void *w)
{
    const gbl_gmres *cycle = &s->system->basis->cycle;
    const int t = cycle->dtype, n = (int)cycle->n;
    void *h = number_at(s, FIRST_H);
    const int result = s->api->gemv[t](s->handle, 1, n, k, number_at(s, ONE), cycle->V,
                                       (int)cycle->ld, w, 1, number_at(s, ZERO), h, 1);
    return result != 0 ? result
                       : s->api->gemv[t](s->handle, 0, n, k, number_at(s, MINUS_ONE), cycle->V,
                                         (int)cycle->ld, h, 1, number_at(s, ONE), w, 1);
}

/* The same by k dots and k axpys. */
static int project_by_dots(basis_state *s, int k, void *w)
{
    const gbl_gmres *cycle = &s->system->basis->cycle;
    const int t = cycle->dtype, n = (int)cycle->n;
    int result = 0;
    for (int j = 0; result == 0 && j < k; j++)
        result = s->api->dot[t](s->handle, n, gbl_gmres_column(cycle, j), 1, w, 1,
                                number_at(s, FIRST_H + j));
    if (result == 0)
        result = s->api->scal[t](s->handle, k, number_at(s, MINUS_ONE), number_at(s, FIRST_H), 1);
    for (int j = 0; result == 0 && j < k; j++)
        result = s->api->axpy[t](s->handle, n, number_at(s, FIRST_H + j),
                                 gbl_gmres_column(cycle, j), 1, w, 1);
    return result;
}

static int normalise(basis_state *s, void *w)
{
    const gbl_gmres *cycle = &s->system->basis->cycle;
    const int t = cycle->dtype, n = (int)cycle->n;
    int result = s->api->nrm2[t](s->handle, n, w, 1, number_at(s, NORM));
    if (result == 0)
        result = s->api->copy[t](s->handle, 1, number_at(s, ONE), 1, number_at(s, INVERSE), 1);
    if (result == 0)
        result = s->api->trsv[t](s->handle, CUBLAS_UPPER, CUBLAS_PLAIN, CUBLAS_NON_UNIT, 1,
                                 number_at(s, NORM), 1, number_at(s, INVERSE), 1);
    return result != 0 ? result : s->api->scal[t](s->handle, n, number_at(s, INVERSE), w, 1);
}

static gable_status fail(int result, gbl_message *message)
{
    return gbl_fail(message, GABLE_DEVICE_FAILED,
                    "cuBLAS: a call of the orthogonalisation failed with status %d", result);
}

static gable_status task_run(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    basis_state *s = ((const step *)args)->state;
    const gbl_gmres *cycle = &s->system->basis->cycle;
    (void)queue;
    int result = s->api->set_stream(s->handle, stream); /* which resets the workspace */
    if (result == 0)
        result = s->api->set_workspace(s->handle, s->workspace, WORKSPACE_BYTES);
    if (result == 0)
        result = s->api->set_pointer_mode(s->handle, POINTERS_ON_DEVICE);
    for (int k = 0; result == 0 && k <= (int)cycle->m; k++) {
        void *w = gbl_gmres_column(cycle, k);
        for (int pass = 0; result == 0 && k > 0 && pass < 2; pass++)
            result = s->by_dots ? project_by_dots(s, k, w) : project(s, k, w);
        if (result == 0)
            result = normalise(s, w);
    }
    return result == 0 ? GABLE_OK : fail(result, message);
}

static gable_status task_open(gbl_queue *queue, void *stream, const void *args,
                              gbl_message *message)
{
    basis_state *s = ((const step *)args)->state;
    (void)queue;
    (void)stream;
    const int result = s->api->create(&s->handle);
    return result == 0 ? GABLE_OK : fail(result, message);
}

static gable_status task_close(gbl_queue *queue, void *stream, const void *args,
                               gbl_message *message)
{
    basis_state *s = ((const step *)args)->state;
    (void)queue;
    (void)stream;
    (void)message;
    if (s->handle != NULL)
        s->api->destroy(s->handle);
    s->handle = NULL;
    return GABLE_OK;
}

static gable_status put(basis_state *s, int which, double value)
{
    const float narrow = (float)value;
    const gbl_dtype dtype = s->system->what->dtype;
    return gable_set_vector(s->ctx, 1, gbl_dtype_bytes(dtype),
                            dtype == GBL_S ? (const void *)&narrow : (const void *)&value, 1,
                            number_at(s, which), 1);
}

static gable_status set_up(basis_state *s)
{
    const gbl_gmres *cycle = &s->system->basis->cycle;
    const step now = {s};
    TRY(gable_alloc(s->ctx, (size_t)(FIRST_H + cycle->m + 1) * gbl_dtype_bytes(cycle->dtype),
                    &s->numbers));
    TRY(gable_alloc(s->ctx, WORKSPACE_BYTES, &s->workspace));
    TRY(put(s, ONE, 1));
    TRY(put(s, ZERO, 0));
    TRY(put(s, MINUS_ONE, -1));
    return gbl_task(s->ctx, "cublas", task_open, &now, sizeof now);
}

/* ---- The peers ---- */

static basis_state *state_of(const bench_peer *peer)
{
    return &states[peer->kind == &bench_peer_cublas_dot];
}

static bool supports(const bench_peer *peer, const bench_sparse_case *what)
{
    (void)peer;
    return what->op == BENCH_SPARSE_ORTHOGONALISE && !gbl_dtype_complex(what->dtype) &&
           what->matrix->rows <= INT32_MAX;
}

static gable_status load(bench_peer *peer, const bench_sparse_system *system, gbl_message *message)
{
    basis_state *s = state_of(peer);
    memset(s, 0, sizeof *s);
    s->by_dots = peer->kind == &bench_peer_cublas_dot;
    s->system = system;
    s->ctx = peer->ctx;
    s->api = cublas_load(message);
    return s->api != NULL ? set_up(s) : GABLE_NOT_SUPPORTED;
}

static void unload(bench_peer *peer)
{
    basis_state *s = state_of(peer);
    const step now = {s};
    if (s->system == NULL)
        return;
    gable_sync(s->ctx);
    gbl_task(s->ctx, "cublas", task_close, &now, sizeof now);
    gable_free(s->ctx, s->numbers);
    gable_free(s->ctx, s->workspace);
    s->system = NULL;
}

static gable_status run(bench_peer *peer, int64_t set)
{
    const step now = {state_of(peer)};
    (void)set;
    return gbl_task(peer->ctx, "cublas", task_run, &now, sizeof now);
}

const bench_sparse_peer bench_cublas_basis = {
    .supports = supports, .load = load, .unload = unload, .multiply = run};
