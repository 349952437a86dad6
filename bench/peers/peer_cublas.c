/* peer_cublas.c: cuBLAS beside Gable on CUDA devices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same tasks as the row "vendor" of each op: direct calls on the context's stream, results in
 * device memory, so that both single calls and captured ones are timed as Gable's are.
 */
#include "core/launch.h"
#include "device/cublas.h"
#include "device/vector_args.h"
#include "peers/peer.h"

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
    TRY(gbl_cublas_describe(peer->version, sizeof peer->version, message));
    return peer->ctx->device->table->vendor->prepare(peer->ctx->queue, message);
}

static void close_peer(bench_peer *peer)
{
    (void)peer; /* the handle belongs to the queue */
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    return peer->ctx->device->table->vendor->task(what->op->op->stem) != NULL;
}

static gable_status run(bench_peer *peer, const bench_op *op, const gbl_vector_call *call)
{
    const gbl_vector_args args = {.dtype = (int)call->dtype,
                                  .conj = call->conj,
                                  .n = call->n,
                                  .re = call->alpha.re,
                                  .im = call->alpha.im,
                                  .x = call->x,
                                  .incx = call->incx,
                                  .y = call->y,
                                  .incy = call->incy,
                                  .result = call->result};
    return gbl_task(peer->ctx, "cublas", peer->ctx->device->table->vendor->task(op->op->stem),
                    &args, sizeof args);
}

const bench_peer_kind bench_peer_cublas = {
    .name = "cublas",
    .where = "CUDA devices",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports,
    .run = run,
};
