/* peer_openblas.c: the installed OpenBLAS, called directly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its calls are tasks of a cpu context: the benchmark's own, or one opened here when the benchmark
 * is of another device and the user asked for this comparison. Always OpenBLAS, whatever BLAS Gable
 * took.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "device/dynlib.h"
#include "device/vector_args.h"
#include "peers/peer.h"

static struct {
    void *library;
    void (*copy[4])(int n, const void *x, int incx, void *y, int incy);
    void (*saxpy)(int n, float alpha, const void *x, int incx, void *y, int incy);
    void (*daxpy)(int n, double alpha, const void *x, int incx, void *y, int incy);
    void (*caxpy)(int n, const void *alpha, const void *x, int incx, void *y, int incy);
    void (*zaxpy)(int n, const void *alpha, const void *x, int incx, void *y, int incy);
    float (*sdot)(int n, const void *x, int incx, const void *y, int incy);
    double (*ddot)(int n, const void *x, int incx, const void *y, int incy);
    void (*dotu[2])(int n, const void *x, int incx, const void *y, int incy, void *result);
    void (*dotc[2])(int n, const void *x, int incx, const void *y, int incy, void *result);
    float (*single_nrm2[2])(int n, const void *x, int incx);
    double (*double_nrm2[2])(int n, const void *x, int incx);
    char *(*config)(void);
    int (*threads)(void);
} blas;

static bool suits(const gable_context *ctx)
{
    return ctx->device->props.is_host;
}

static gable_status load(gbl_message *message)
{
    const gbl_symbol symbols[] = {
        {"cblas_scopy", &blas.copy[0], false},
        {"cblas_dcopy", &blas.copy[1], false},
        {"cblas_ccopy", &blas.copy[2], false},
        {"cblas_zcopy", &blas.copy[3], false},
        {"cblas_saxpy", &blas.saxpy, false},
        {"cblas_daxpy", &blas.daxpy, false},
        {"cblas_caxpy", &blas.caxpy, false},
        {"cblas_zaxpy", &blas.zaxpy, false},
        {"cblas_sdot", &blas.sdot, false},
        {"cblas_ddot", &blas.ddot, false},
        {"cblas_cdotu_sub", &blas.dotu[0], false},
        {"cblas_zdotu_sub", &blas.dotu[1], false},
        {"cblas_cdotc_sub", &blas.dotc[0], false},
        {"cblas_zdotc_sub", &blas.dotc[1], false},
        {"cblas_snrm2", &blas.single_nrm2[0], false},
        {"cblas_scnrm2", &blas.single_nrm2[1], false},
        {"cblas_dnrm2", &blas.double_nrm2[0], false},
        {"cblas_dznrm2", &blas.double_nrm2[1], false},
        {"openblas_get_config", &blas.config, false},
        {"openblas_get_num_threads", &blas.threads, true},
    };
    const char *why = NULL;
    if (blas.library != NULL)
        return GABLE_OK;
    void *library = gbl_dynlib_open("libopenblas.so.0", true, &why);
    if (library == NULL)
        library = gbl_dynlib_open("libopenblas.so", true, NULL);
    if (library == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "not found: %s; install it (libopenblas0 on Debian and Ubuntu)", why);
    const char *missing = gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
    if (missing != NULL) {
        gbl_dynlib_close(library);
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "the installed library has no function %s",
                        missing);
    }
    blas.library = library; /* never closed: its threads live as long as the process */
    return GABLE_OK;
}

static gable_status open_peer(bench_peer *peer, gbl_message *message)
{
    TRY(load(message));
    char config[128];
    snprintf(config, sizeof config, "%s", blas.config());
    for (size_t end = strlen(config); end > 0 && config[end - 1] == ' '; end--)
        config[end - 1] = '\0';
    snprintf(peer->version, sizeof peer->version, "%.110s, %d threads", config,
             blas.threads != NULL ? blas.threads() : 1);
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

static gable_status task_copy(gbl_queue *queue, void *stream, const void *given,
                              gbl_message *message)
{
    const gbl_vector_args *a = given;
    (void)queue, (void)stream, (void)message;
    blas.copy[a->dtype]((int)a->n, a->x, (int)a->incx, a->y, (int)a->incy);
    return GABLE_OK;
}

static gable_status task_axpy(gbl_queue *queue, void *stream, const void *given,
                              gbl_message *message)
{
    const gbl_vector_args *a = given;
    const int n = (int)a->n, incx = (int)a->incx, incy = (int)a->incy;
    const float single[] = {(float)a->re, (float)a->im};
    const double wide[] = {a->re, a->im};
    (void)queue, (void)stream, (void)message;
    if (a->dtype == GBL_S)
        blas.saxpy(n, single[0], a->x, incx, a->y, incy);
    else if (a->dtype == GBL_D)
        blas.daxpy(n, wide[0], a->x, incx, a->y, incy);
    else if (a->dtype == GBL_C)
        blas.caxpy(n, single, a->x, incx, a->y, incy);
    else
        blas.zaxpy(n, wide, a->x, incx, a->y, incy);
    return GABLE_OK;
}

static gable_status task_dot(gbl_queue *queue, void *stream, const void *given,
                             gbl_message *message)
{
    const gbl_vector_args *a = given;
    const int n = (int)a->n, incx = (int)a->incx, incy = (int)a->incy;
    (void)queue, (void)stream, (void)message;
    if (a->dtype == GBL_S)
        *(float *)a->result = blas.sdot(n, a->x, incx, a->y, incy);
    else if (a->dtype == GBL_D)
        *(double *)a->result = blas.ddot(n, a->x, incx, a->y, incy);
    else
        (a->conj ? blas.dotc : blas.dotu)[a->dtype - GBL_C](n, a->x, incx, a->y, incy, a->result);
    return GABLE_OK;
}

static gable_status task_nrm2(gbl_queue *queue, void *stream, const void *given,
                              gbl_message *message)
{
    const gbl_vector_args *a = given;
    const bool is_complex = gbl_dtype_complex((gbl_dtype)a->dtype);
    (void)queue, (void)stream, (void)message;
    if (gbl_dtype_real_bytes((gbl_dtype)a->dtype) == 4)
        *(float *)a->result = blas.single_nrm2[is_complex]((int)a->n, a->x, (int)a->incx);
    else
        *(double *)a->result = blas.double_nrm2[is_complex]((int)a->n, a->x, (int)a->incx);
    return GABLE_OK;
}

static gbl_task_function task_of(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {{"copy", task_copy}, {"axpy", task_axpy}, {"dot", task_dot}, {"nrm2", task_nrm2}};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    (void)peer;
    return what->n <= INT_MAX && task_of(what->op->op->stem) != NULL;
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
    return gbl_task(peer->ctx, "openblas", task_of(op->op->stem), &args, sizeof args);
}

const bench_peer_kind bench_peer_openblas = {
    .name = "openblas",
    .where = "the cpu",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports,
    .run = run,
};
