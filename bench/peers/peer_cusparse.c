/* peer_cusparse.c: cuSPARSE beside Gable on CUDA devices: products, and CG by calls of cuSPARSE and
 * cuBLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products are tasks on the context's stream, so that single and captured ones are timed as Gable's
 * are. Of the two algorithms for compressed rows, both after cusparseSpMV_preprocess where the
 * library has it, the faster one is kept.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "peers/cusparse_private.h"
#include "sparse/matrix/sparse_matrix.h"

#define TRIED_RUNS 10
#define TRIALS     3

static bool suits(const gable_context *ctx)
{
    return ctx->device->table == &gbl_cuda_table;
}

static gable_status fail(int result, const char *what, gbl_message *message)
{
    return gbl_fail(message, result == 2 ? GABLE_OUT_OF_MEMORY : GABLE_DEVICE_FAILED,
                    "cuSPARSE: %s failed with status %d", what, result);
}

/* ---- One product ---- */

gable_status cusparse_product_make(cusparse_state *s, const void *csr_layout, void *x,
                                   int64_t x_length, void *y, int64_t y_length,
                                   cusparse_product *product, gbl_message *message)
{
    const gbl_sparse_layout *layout = csr_layout;
    const int index = layout->index_bytes == 4 ? CUSPARSE_INDEX_32 : CUSPARSE_INDEX_64;
    size_t bytes = 0;
    /* Its matrices take addresses that are not const; products only read. */
    void *arrays[3];
    memcpy(&arrays[0], &layout->start, sizeof arrays[0]);
    memcpy(&arrays[1], &layout->column, sizeof arrays[1]);
    memcpy(&arrays[2], &layout->value, sizeof arrays[2]);
    int result =
        s->api->create_csr(&product->A, layout->rows, layout->columns, layout->entries, arrays[0],
                           arrays[1], arrays[2], index, index, CUSPARSE_BASE_ZERO, s->value_type);
    if (result == 0)
        result = s->api->create_vector(&product->x, x_length, x, s->value_type);
    if (result == 0)
        result = s->api->create_vector(&product->y, y_length, y, s->value_type);
    if (result == 0)
        result = s->api->mv_bytes(s->handle, s->trans, s->alpha, product->A, product->x, s->beta,
                                  product->y, s->value_type, s->algorithm, &bytes);
    if (result != 0)
        return fail(result, "describing a matrix", message);
    TRY(s->peer->ctx->device->table->alloc(s->peer->ctx->device, bytes + 1, &product->buffer,
                                           message));
    if (s->api->mv_preprocess != NULL)
        result =
            s->api->mv_preprocess(s->handle, s->trans, s->alpha, product->A, product->x, s->beta,
                                  product->y, s->value_type, s->algorithm, product->buffer);
    return result == 0 ? GABLE_OK : fail(result, "cusparseSpMV_preprocess", message);
}

void cusparse_product_free(cusparse_state *s, cusparse_product *product)
{
    gable_context *ctx = s->peer->ctx;
    if (product->A != NULL)
        s->api->destroy_matrix(product->A);
    if (product->x != NULL)
        s->api->destroy_vector(product->x);
    if (product->y != NULL)
        s->api->destroy_vector(product->y);
    if (product->buffer != NULL)
        ctx->device->table->free(ctx->device, product->buffer, NULL);
    memset(product, 0, sizeof *product);
}

gable_status cusparse_product_run(cusparse_state *s, void *stream, const cusparse_product *product,
                                  gbl_message *message)
{
    int result = s->api->set_stream(s->handle, stream);
    if (result == 0)
        result = s->api->mv(s->handle, s->trans, s->alpha, product->A, product->x, s->beta,
                            product->y, s->value_type, s->algorithm, product->buffer);
    return result == 0 ? GABLE_OK : fail(result, "cusparseSpMV", message);
}

/* ---- Tasks ---- */

/* What a task is given. */
typedef struct step {
    cusparse_state *state;
    int64_t set;
} step;

static gable_status task_open(gbl_queue *queue, void *stream, const void *args,
                              gbl_message *message)
{
    cusparse_state *s = ((const step *)args)->state;
    (void)queue;
    (void)stream;
    int result = s->api->create(&s->handle);
    if (result == 0)
        result = s->api->set_pointer_mode(s->handle, POINTERS_ON_HOST);
    if (result != 0)
        return fail(result, "making a handle", message);
    if (s->blas != NULL && s->blas->create(&s->blas_handle) != 0)
        s->blas = NULL;
    return GABLE_OK;
}

static gable_status task_close(gbl_queue *queue, void *stream, const void *args,
                               gbl_message *message)
{
    cusparse_state *s = ((const step *)args)->state;
    (void)queue;
    (void)stream;
    (void)message;
    if (s->handle != NULL)
        s->api->destroy(s->handle);
    if (s->blas_handle != NULL)
        s->blas->destroy(s->blas_handle);
    s->handle = NULL;
    s->blas_handle = NULL;
    return GABLE_OK;
}

static gable_status task_make(gbl_queue *queue, void *stream, const void *args,
                              gbl_message *message)
{
    cusparse_state *s = ((const step *)args)->state;
    const bench_sparse_system *system = s->system;
    (void)queue;
    const int result = s->api->set_stream(s->handle, stream);
    if (result != 0)
        return fail(result, "cusparseSetStream", message);
    for (int64_t i = 0; i < system->sets; i++)
        TRY(cusparse_product_make(s, &system->csr[i]->layout, system->x[i], system->x_length,
                                  system->y[i], system->y_length, &s->product[i], message));
    return GABLE_OK;
}

static gable_status task_free(gbl_queue *queue, void *stream, const void *args,
                              gbl_message *message)
{
    cusparse_state *s = ((const step *)args)->state;
    (void)queue;
    (void)stream;
    (void)message;
    for (int64_t i = 0; i < BENCH_SPARSE_SETS; i++)
        cusparse_product_free(s, &s->product[i]);
    return GABLE_OK;
}

static gable_status task_multiply(gbl_queue *queue, void *stream, const void *args,
                                  gbl_message *message)
{
    const step *now = args;
    (void)queue;
    return cusparse_product_run(now->state, stream, &now->state->product[now->set], message);
}

static gable_status do_task(cusparse_state *s, gbl_task_function function, int64_t set)
{
    const step now = {s, set};
    return gbl_task(s->peer->ctx, "cusparse", function, &now, sizeof now);
}

/* ---- The peer ---- */

static gable_status open_peer(bench_peer *peer, gbl_message *message)
{
    if (!suits(peer->ctx))
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "it runs on CUDA devices only, and this is %s",
                        peer->ctx->device->info.name);
    const cusparse_functions *api = cusparse_load(peer->version, sizeof peer->version, message);
    if (api == NULL)
        return GABLE_NOT_SUPPORTED;
    cusparse_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory");
    s->peer = peer;
    s->api = api;
    gbl_message without = {NULL, ""}; /* then there is no cg beside Gable's */
    s->blas = cublas_load(&without);
    const gable_status status = do_task(s, task_open, 0);
    if (status != GABLE_OK) {
        free(s);
        return gbl_fail(message, status, "%.300s", peer->ctx->message.text);
    }
    peer->state = s;
    return GABLE_OK;
}

static void close_peer(bench_peer *peer)
{
    cusparse_state *s = peer->state;
    s->peer = peer;
    gable_sync(peer->ctx);
    do_task(s, task_close, 0);
    free(s);
    peer->state = NULL;
}

static bool supports_dense(const bench_peer *peer, const bench_case *what)
{
    (void)peer;
    (void)what;
    return false;
}

static bool supports(const bench_peer *peer, const bench_sparse_case *what)
{
    const cusparse_state *s = peer->state;
    if (what->op == BENCH_SPARSE_MV)
        return true;
    return s->blas != NULL && cusparse_cg_supports(what);
}

static gable_status multiply(bench_peer *peer, int64_t set)
{
    return do_task(peer->state, task_multiply, set);
}

static void unload(bench_peer *peer)
{
    cusparse_state *s = peer->state;
    if (s->system == NULL)
        return;
    gable_sync(peer->ctx);
    if (s->system->what->op != BENCH_SPARSE_MV)
        cusparse_cg_unload(s);
    do_task(s, task_free, 0);
    s->system = NULL;
}

/* Seconds of a few products over all sets, the best of some trials. */
static gable_status try_products(cusparse_state *s, gable_timer *timer, double *least)
{
    *least = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double seconds;
        TRY(gable_timer_start(timer));
        for (int64_t i = 0; i < TRIED_RUNS; i++)
            TRY(do_task(s, task_multiply, i % s->system->sets));
        TRY(gable_timer_stop(timer));
        TRY(gable_timer_seconds(timer, &seconds));
        if (trial == 0 || seconds < *least)
            *least = seconds;
    }
    return GABLE_OK;
}

/* Tries both algorithms and stays with the faster one. */
static gable_status choose_algorithm(cusparse_state *s)
{
    static const int algorithms[] = {CUSPARSE_CSR_ALG1, CUSPARSE_CSR_ALG2};
    gable_timer *timer = NULL;
    double best = 0;
    int fastest = algorithms[0];
    TRY(gable_timer_create(s->peer->ctx, &timer));
    gable_status status = GABLE_OK;
    for (int i = 0; status == GABLE_OK && i < 2; i++) {
        double seconds = 0;
        s->algorithm = algorithms[i];
        status = do_task(s, task_make, 0);
        if (status == GABLE_OK)
            status = try_products(s, timer, &seconds);
        gable_sync(s->peer->ctx);
        do_task(s, task_free, 0);
        if (status == GABLE_OK && (i == 0 || seconds < best)) {
            best = seconds;
            fastest = algorithms[i];
        }
    }
    gable_timer_destroy(timer);
    s->algorithm = fastest;
    return status;
}

static gable_status load(bench_peer *peer, const bench_sparse_system *system, gbl_message *message)
{
    cusparse_state *s = peer->state;
    const bench_sparse_case *what = system->what;
    const float one = 1, zero = 0;
    s->peer = peer;
    s->system = system;
    s->value_type = cusparse_value_type(what->dtype);
    s->trans = what->op != BENCH_SPARSE_MV || what->trans == GABLE_NO_TRANS ? 0
               : what->trans == GABLE_TRANS                                 ? 1
                                                                            : 2;
    s->alpha[0] = 1;
    s->alpha[1] = s->beta[0] = s->beta[1] = 0;
    if (gbl_dtype_real_bytes(what->dtype) == 4) {
        memset(s->alpha, 0, sizeof s->alpha);
        memcpy(s->alpha, &one, sizeof one);
        memcpy(s->beta, &zero, sizeof zero);
    }
    gable_status status = choose_algorithm(s);
    if (status == GABLE_OK)
        status = do_task(s, task_make, 0);
    if (status == GABLE_OK && what->op != BENCH_SPARSE_MV)
        return cusparse_cg_load(s, message);
    return status;
}

static gable_status time_it(bench_peer *peer, int64_t count, double *seconds, gbl_message *message)
{
    return cusparse_cg_time(peer->state, count, seconds, message);
}

static gable_status check(bench_peer *peer, double *number, gbl_message *message)
{
    return cusparse_cg_check(peer->state, number, message);
}

static const bench_sparse_peer sparse = {.supports = supports,
                                         .wants_csr = true,
                                         .load = load,
                                         .unload = unload,
                                         .multiply = multiply,
                                         .time = time_it,
                                         .check = check};

const bench_peer_kind bench_peer_cusparse = {
    .name = "cusparse",
    .where = "CUDA devices, for sparse matrices",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports_dense,
    .sparse = &sparse,
};
