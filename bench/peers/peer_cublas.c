/* peer_cublas.c: cuBLAS beside Gable on CUDA devices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same tasks as the variant "vendor" of each op: direct calls on the context's stream, results
 * in device memory, so that both single calls and captured ones are timed as Gable's are. Beside
 * mdot and maxpy it makes one dot or axpy for each column, with results and coefficients on the
 * device.
 */
#include <string.h>
#include "core/launch.h"
#include "device/cublas.h"
#include "device/vector_args.h"
#include "peers/peer.h"
#include "peers/sparse_peer.h"

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

/* What cuBLAS has not is done column by column with what it has; NULL: it has neither. */
static const char *column_stem(const bench_op *op)
{
    if (!bench_op_takes_columns(op))
        return NULL;
    return op->formula == BENCH_MAXPY ? "axpy" : op->formula == BENCH_NRM2 ? "nrm2" : "dot";
}

static gbl_task_function task_of(const char *stem)
{
    return gbl_cublas_vendor.task(stem);
}

/* Complex symmetric matrices cuBLAS has neither as a band nor packed; many triangles only by
 * addresses. */
static bool is_lacking(const bench_case *what)
{
    const char *stem = what->op->op->stem;
    if (strcmp(stem, "trsm_batched") == 0)
        return !what->op->pointers;
    return gbl_dtype_complex(what->dtype) && !what->op->conj &&
           (strcmp(stem, "sbmv") == 0 || strcmp(stem, "spmv") == 0 || strcmp(stem, "spr") == 0 ||
            strcmp(stem, "spr2") == 0);
}

/* cuBLAS has rotm for reals only, which ops say, and nothing that sums in double. */
static bool supports(const bench_peer *peer, const bench_case *what)
{
    const char *stem = column_stem(what->op);
    (void)peer;
    if (is_lacking(what))
        return false;
    return task_of(stem != NULL ? stem : what->op->op->stem) != NULL;
}

/* One task, so that a recording captures all calls as one piece of its graph, as a program
 * would. */
static gable_status columns(gbl_queue *queue, void *stream, const void *given, gbl_message *message)
{
    const gbl_vector_args *all = given;
    const size_t elem = gbl_dtype_bytes(all->dtype);
    const bool norms = all->y == NULL; /* which are real */
    const size_t result_elem = norms ? gbl_dtype_real_bytes(all->dtype) : elem;
    const gbl_task_function task = task_of(norms ? "nrm2" : all->result != NULL ? "dot" : "axpy");
    gbl_vector_args one = *all;
    one.count = 0;
    for (int64_t j = 0; j < all->count; j++) {
        one.x = (char *)all->x + (size_t)(j * all->ldx) * elem;
        if (all->result != NULL)
            one.result = (char *)all->result + (size_t)j * result_elem;
        else
            one.alpha.device = (const char *)all->values_at + (size_t)j * elem;
        TRY(task(queue, stream, &one, message));
    }
    return GABLE_OK;
}

static gable_status run(bench_peer *peer, const bench_op *op, const bench_call *call)
{
    const gbl_task_function task = column_stem(op) != NULL ? columns : task_of(op->op->stem);
    return gbl_task(peer->ctx, "cublas", task, call, op->op->layout->call_bytes);
}

const bench_peer_kind bench_peer_cublas = {
    .name = "cublas",
    .where = "CUDA devices",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports,
    .run = run,
    .sparse = &bench_cublas_basis,
};

static bool supports_none(const bench_peer *peer, const bench_case *what)
{
    (void)peer;
    (void)what;
    return false;
}

const bench_peer_kind bench_peer_cublas_dot = {
    .name = "cublas_dot",
    .where = "CUDA devices, for gmres_orthogonalise",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports_none,
    .sparse = &bench_cublas_basis,
};
