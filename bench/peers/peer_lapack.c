/* peer_lapack.c: the installed LAPACK, called directly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its calls are tasks of a cpu context: the benchmark's own, or one opened here when the benchmark
 * is of another device and the user asked for this comparison. A routine is one line of `tasks`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "device/cpu_lapack.h"
#include "peers/peer.h"

static bool suits(const gable_context *ctx)
{
    return ctx->device->props.is_host;
}

static gable_status open_peer(bench_peer *peer, gbl_message *message)
{
    if (gbl_cpu_lapack_get() == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "not found: %s", gbl_cpu_lapack_reason());
    snprintf(peer->version, sizeof peer->version, "%.150s", gbl_cpu_lapack_name());
    if (suits(peer->ctx))
        return GABLE_OK;
    const gable_status status = gable_open(&peer->ctx, "cpu");
    if (status != GABLE_OK) {
        gbl_fail(message, status, "%s", gable_message(peer->ctx));
        gable_close(peer->ctx);
        return status;
    }
    peer->own_context = true;
    return GABLE_OK;
}

static void close_peer(bench_peer *peer)
{
    if (peer->own_context)
        gable_close(peer->ctx);
}

/* ---- Routines ---- */

#define TASK(name)                                                                                 \
    static gable_status name(gbl_queue *queue, void *stream, const void *given,                    \
                             gbl_message *message)

TASK(task_potrf)
{
    const gbl_product_args *a = given;
    const int n = (int)a->n, lda = (int)a->lda;
    int info = 0;
    (void)queue, (void)stream, (void)message;
    gbl_cpu_lapack_get()->potrf[a->dtype](gbl_lapack_uplo(a->uplo), &n, a->A, &lda, &info, 1);
    *a->info = info;
    return GABLE_OK;
}

/* Pivots come as int, and are spread from the last on. */
TASK(task_getrf)
{
    const gbl_product_args *a = given;
    const int m = (int)a->m, n = (int)a->n, lda = (int)a->lda;
    int *const narrow = (int *)(void *)a->ipiv;
    int info = 0;
    (void)queue, (void)stream, (void)message;
    gbl_cpu_lapack_get()->getrf[a->dtype](&m, &n, a->A, &lda, narrow, &info);
    for (int i = (m < n ? m : n) - 1; i >= 0; i--) {
        int one;
        memcpy(&one, narrow + i, sizeof one);
        a->ipiv[i] = one;
    }
    *a->info = info;
    return GABLE_OK;
}

/* The library says how much workspace it wants: the first element of work, as a real number. */
TASK(task_geqrf)
{
    const gbl_product_args *a = given;
    gbl_lapack_geqrf *const geqrf = gbl_cpu_lapack_get()->geqrf[a->dtype];
    const int m = (int)a->m, n = (int)a->n, lda = (int)a->lda;
    int info = 0, lwork = -1;
    double wanted[2] = {0, 0};
    (void)queue, (void)stream;
    geqrf(&m, &n, a->A, &lda, a->tau, wanted, &lwork, &info);
    float single;
    memcpy(&single, wanted, sizeof single);
    lwork = gbl_dtype_real_bytes(a->dtype) == 4 ? (int)single : (int)wanted[0];
    void *work = malloc((size_t)lwork * gbl_dtype_bytes(a->dtype));
    if (work == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for LAPACK's workspace");
    geqrf(&m, &n, a->A, &lda, a->tau, work, &lwork, &info);
    free(work);
    if (a->info != NULL)
        *a->info = info;
    return GABLE_OK;
}

static gbl_task_function task_of(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {
        {.stem = "potrf", .task = task_potrf},
        {.stem = "getrf", .task = task_getrf},
        {.stem = "geqrf", .task = task_geqrf},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    const char *stem = what->op->op->stem;
    (void)peer;
    return task_of(stem) != NULL &&
           GBL_LAPACK_FITS(stem, what->dtype, what->m + what->offset + what->pad,
                           what->n + what->offset + what->pad);
}

static gable_status run(bench_peer *peer, const bench_op *op, const bench_call *call)
{
    return gbl_task(peer->ctx, "lapack", task_of(op->op->stem), call, op->op->layout->call_bytes);
}

const bench_peer_kind bench_peer_lapack = {
    .name = "lapack",
    .where = "the cpu",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports,
    .run = run,
};
