/* peer_openblas.c: the installed OpenBLAS, called directly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its calls are tasks of a cpu context: the benchmark's own, or one opened here when the benchmark
 * is of another device and the user asked for this comparison. Always OpenBLAS, whatever BLAS Gable
 * took. Beside mdot and maxpy it makes one dot or axpy for each column.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "device/dynlib.h"
#include "device/vector_args.h"
#include "peers/openblas_level3.h"

gbl_cpu_blas openblas;

/* What Gable does not call, or not every BLAS has. */
static struct {
    void *library;
    void (*saxpby)(int n, float alpha, const void *x, int incx, float beta, void *y, int incy);
    void (*daxpby)(int n, double alpha, const void *x, int incx, double beta, void *y, int incy);
    void (*axpby[2])(int n, const void *alpha, const void *x, int incx, const void *beta, void *y,
                     int incy);
    void (*csrot)(int n, void *x, int incx, void *y, int incy, float c, float s);
    void (*zdrot)(int n, void *x, int incx, void *y, int incy, double c, double s);
    float (*sdsdot)(int n, float alpha, const void *x, int incx, const void *y, int incy);
    size_t (*amax[4])(int n, const void *x, int incx);
    char *(*config)(void);
    int (*threads)(void);
    void (*set_threads)(int count);
} more;

static bool suits(const gable_context *ctx)
{
    return ctx->device->props.is_host;
}

static gable_status load(gbl_message *message)
{
    /* Those that may be missing are no part of every CBLAS. */
    const gbl_symbol symbols[] = {
        {.name = "cblas_saxpby", .slot = &more.saxpby, .optional = true},
        {.name = "cblas_daxpby", .slot = &more.daxpby, .optional = true},
        {.name = "cblas_caxpby", .slot = &more.axpby[0], .optional = true},
        {.name = "cblas_zaxpby", .slot = &more.axpby[1], .optional = true},
        {.name = "cblas_csrot", .slot = &more.csrot, .optional = true},
        {.name = "cblas_zdrot", .slot = &more.zdrot, .optional = true},
        {.name = "cblas_sdsdot", .slot = &more.sdsdot},
        {.name = "cblas_isamax", .slot = &more.amax[0]},
        {.name = "cblas_idamax", .slot = &more.amax[1]},
        {.name = "cblas_icamax", .slot = &more.amax[2]},
        {.name = "cblas_izamax", .slot = &more.amax[3]},
        {.name = "openblas_get_config", .slot = &more.config},
        {.name = "openblas_get_num_threads", .slot = &more.threads, .optional = true},
        {.name = "openblas_set_num_threads", .slot = &more.set_threads, .optional = true},
    };
    const char *why = NULL;
    if (more.library != NULL)
        return GABLE_OK;
    void *library = gbl_dynlib_open("libopenblas.so.0", true, &why);
    if (library == NULL)
        library = gbl_dynlib_open("libopenblas.so", true, NULL);
    if (library == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "not found: %s; install it (libopenblas0 on Debian and Ubuntu)", why);
    const char *missing = gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
    const int lacks = gbl_cpu_blas_load(library, &openblas);
    if (missing != NULL || lacks > 0) {
        gbl_dynlib_close(library);
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "the installed library has no function %s; install a newer OpenBLAS",
                        missing != NULL ? missing : "for some routines of BLAS");
    }
    openblas_load_level2(library);
    more.library = library; /* never closed: its threads live as long as the process */
    return GABLE_OK;
}

static gable_status open_peer(bench_peer *peer, gbl_message *message)
{
    TRY(load(message));
    char config[128];
    snprintf(config, sizeof config, "%s", more.config());
    for (size_t end = strlen(config); end > 0 && config[end - 1] == ' '; end--)
        config[end - 1] = '\0';
    const int threads = more.threads != NULL ? more.threads() : 1;
    snprintf(peer->version, sizeof peer->version, "%.110s, %d thread%s", config, threads,
             threads == 1 ? "" : "s");
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

static int threads(int count)
{
    const int before = more.threads != NULL ? more.threads() : 1;
    if (count > 0 && more.set_threads != NULL)
        more.set_threads(count);
    return more.set_threads != NULL ? before : 1;
}

static void close_peer(bench_peer *peer)
{
    if (peer->own_context)
        gable_close(peer->ctx);
}

/* ---- Calls: strides are 1, sizes were found to fit ---- */

#define TASK(name)                                                                                 \
    static gable_status name(gbl_queue *queue, void *stream, const void *given,                    \
                             gbl_message *message)
#define NOT_NEEDED() (void)queue, (void)stream, (void)message

TASK(task_copy)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    const int n = (int)a->n;
    if (a->dtype == GBL_S)
        openblas.scopy(n, a->x, 1, a->y, 1);
    else if (a->dtype == GBL_D)
        openblas.dcopy(n, a->x, 1, a->y, 1);
    else
        (a->dtype == GBL_C ? openblas.ccopy : openblas.zcopy)(n, a->x, 1, a->y, 1);
    return GABLE_OK;
}

TASK(task_swap)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    const int n = (int)a->n;
    if (a->dtype == GBL_S)
        openblas.sswap(n, a->x, 1, a->y, 1);
    else if (a->dtype == GBL_D)
        openblas.dswap(n, a->x, 1, a->y, 1);
    else
        (a->dtype == GBL_C ? openblas.cswap : openblas.zswap)(n, a->x, 1, a->y, 1);
    return GABLE_OK;
}

TASK(task_scal)
{
    const gbl_vector_args *a = given;
    const openblas_scalar alpha = openblas_typed(a->dtype, a->alpha);
    const int n = (int)a->n;
    NOT_NEEDED();
    if (a->dtype == GBL_S)
        openblas.sscal(n, alpha.single[0], a->x, 1);
    else if (a->dtype == GBL_D)
        openblas.dscal(n, alpha.wide[0], a->x, 1);
    else if (!a->real_scalars)
        (a->dtype == GBL_C ? openblas.cscal : openblas.zscal)(n, &alpha, a->x, 1);
    else if (a->dtype == GBL_C)
        openblas.cscal_real(n, alpha.single[0], a->x, 1);
    else
        openblas.zscal_real(n, alpha.wide[0], a->x, 1);
    return GABLE_OK;
}

static void axpy(const gbl_vector_args *a, openblas_scalar alpha, const void *x)
{
    const int n = (int)a->n;
    if (a->dtype == GBL_S)
        openblas.saxpy(n, alpha.single[0], x, 1, a->y, 1);
    else if (a->dtype == GBL_D)
        openblas.daxpy(n, alpha.wide[0], x, 1, a->y, 1);
    else
        (a->dtype == GBL_C ? openblas.caxpy : openblas.zaxpy)(n, &alpha, x, 1, a->y, 1);
}

TASK(task_axpy)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    axpy(a, openblas_typed(a->dtype, a->alpha), a->x);
    return GABLE_OK;
}

/* One axpy for each column. */
TASK(task_maxpy)
{
    const gbl_vector_args *a = given;
    const size_t elem = gbl_dtype_bytes(a->dtype);
    NOT_NEEDED();
    for (int64_t j = 0; j < a->count; j++) {
        openblas_scalar alpha;
        memcpy(&alpha, (const char *)a->values_at + (size_t)j * elem, elem);
        axpy(a, alpha, (const char *)a->x + (size_t)(j * a->ldx) * elem);
    }
    return GABLE_OK;
}

TASK(task_axpby)
{
    const gbl_vector_args *a = given;
    const openblas_scalar alpha = openblas_typed(a->dtype, a->alpha),
                          beta = openblas_typed(a->dtype, a->beta);
    const int n = (int)a->n;
    NOT_NEEDED();
    if (a->dtype == GBL_S)
        more.saxpby(n, alpha.single[0], a->x, 1, beta.single[0], a->y, 1);
    else if (a->dtype == GBL_D)
        more.daxpby(n, alpha.wide[0], a->x, 1, beta.wide[0], a->y, 1);
    else
        more.axpby[a->dtype - GBL_C](n, &alpha, a->x, 1, &beta, a->y, 1);
    return GABLE_OK;
}

TASK(task_rot)
{
    const gbl_vector_args *a = given;
    const int n = (int)a->n;
    const double c = a->alpha.re, s = a->beta.re;
    NOT_NEEDED();
    if (a->dtype == GBL_S)
        openblas.srot(n, a->x, 1, a->y, 1, (float)c, (float)s);
    else if (a->dtype == GBL_D)
        openblas.drot(n, a->x, 1, a->y, 1, c, s);
    else if (a->dtype == GBL_C)
        more.csrot(n, a->x, 1, a->y, 1, (float)c, (float)s);
    else
        more.zdrot(n, a->x, 1, a->y, 1, c, s);
    return GABLE_OK;
}

TASK(task_rotm)
{
    const gbl_vector_args *a = given;
    const double wide[] = {-1, a->alpha.re, a->alpha.im, a->beta.re, a->beta.im};
    const float single[] = {-1, (float)wide[1], (float)wide[2], (float)wide[3], (float)wide[4]};
    NOT_NEEDED();
    if (a->dtype == GBL_S)
        openblas.srotm((int)a->n, a->x, 1, a->y, 1, single);
    else
        openblas.drotm((int)a->n, a->x, 1, a->y, 1, wide);
    return GABLE_OK;
}

static void dot(const gbl_vector_args *a, const void *x, void *result)
{
    const int n = (int)a->n;
    if (a->dtype == GBL_S)
        *(float *)result = openblas.sdot(n, x, 1, a->y, 1);
    else if (a->dtype == GBL_D)
        *(double *)result = openblas.ddot(n, x, 1, a->y, 1);
    else
        (a->dtype == GBL_C ? (a->conj ? openblas.cdotc : openblas.cdotu)
                           : (a->conj ? openblas.zdotc : openblas.zdotu))(n, x, 1, a->y, 1, result);
}

TASK(task_dot)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    dot(a, a->x, a->result);
    return GABLE_OK;
}

/* One dot for each column. */
TASK(task_mdot)
{
    const gbl_vector_args *a = given;
    const size_t elem = gbl_dtype_bytes(a->dtype);
    NOT_NEEDED();
    for (int64_t j = 0; j < a->count; j++)
        dot(a, (const char *)a->x + (size_t)(j * a->ldx) * elem,
            (char *)a->result + (size_t)j * elem);
    return GABLE_OK;
}

TASK(task_dsdot)
{
    const gbl_vector_args *a = given;
    const int n = (int)a->n;
    NOT_NEEDED();
    if (a->wide_result)
        *(double *)a->result = openblas.dsdot(n, a->x, 1, a->y, 1);
    else
        *(float *)a->result = more.sdsdot(n, (float)a->alpha.re, a->x, 1, a->y, 1);
    return GABLE_OK;
}

TASK(task_nrm2)
{
    const gbl_vector_args *a = given;
    const int n = (int)a->n;
    NOT_NEEDED();
    if (a->dtype == GBL_S)
        *(float *)a->result = openblas.snrm2(n, a->x, 1);
    else if (a->dtype == GBL_D)
        *(double *)a->result = openblas.dnrm2(n, a->x, 1);
    else if (a->dtype == GBL_C)
        *(float *)a->result = openblas.cnrm2(n, a->x, 1);
    else
        *(double *)a->result = openblas.znrm2(n, a->x, 1);
    return GABLE_OK;
}

TASK(task_asum)
{
    const gbl_vector_args *a = given;
    const int n = (int)a->n;
    NOT_NEEDED();
    if (a->dtype == GBL_S)
        *(float *)a->result = openblas.sasum(n, a->x, 1);
    else if (a->dtype == GBL_D)
        *(double *)a->result = openblas.dasum(n, a->x, 1);
    else if (a->dtype == GBL_C)
        *(float *)a->result = openblas.casum(n, a->x, 1);
    else
        *(double *)a->result = openblas.zasum(n, a->x, 1);
    return GABLE_OK;
}

TASK(task_amax)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    *(int64_t *)a->result = (int64_t)more.amax[a->dtype]((int)a->n, a->x, 1) + 1;
    return GABLE_OK;
}

/* ---- The peer ---- */

static gbl_task_function task_of(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {
        {.stem = "copy", .task = task_copy},   {.stem = "swap", .task = task_swap},
        {.stem = "scal", .task = task_scal},   {.stem = "axpy", .task = task_axpy},
        {.stem = "rot", .task = task_rot},     {.stem = "axpby", .task = task_axpby},
        {.stem = "maxpy", .task = task_maxpy}, {.stem = "rotm", .task = task_rotm},
        {.stem = "dot", .task = task_dot},     {.stem = "mdot", .task = task_mdot},
        {.stem = "nrm2", .task = task_nrm2},   {.stem = "dsdot", .task = task_dsdot},
        {.stem = "asum", .task = task_asum},   {.stem = "amax", .task = task_amax},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    const gbl_task_function task = openblas_level2_task(stem);
    return task != NULL ? task : openblas_level3_task(stem);
}

/* The functions that an OpenBLAS may lack. */
static bool has_axpby(gbl_dtype dtype)
{
    const bool has[] = {more.saxpby != NULL, more.daxpby != NULL, more.axpby[0] != NULL,
                        more.axpby[1] != NULL};
    return has[dtype];
}

static bool has_rot(const bench_case *what)
{
    if (!gbl_dtype_complex(what->dtype))
        return true;
    if (!what->op->real_scalars)
        return false;
    return what->dtype == GBL_C ? more.csrot != NULL : more.zdrot != NULL;
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    (void)peer;
    if (what->n > INT_MAX || what->m > INT_MAX || what->k > INT_MAX ||
        task_of(what->op->op->stem) == NULL)
        return false;
    if (bench_op_is_product(what->op))
        return true;
    if (bench_op_has_matrix(what->op))
        return openblas_has_level2(what);
    if (what->op->formula == BENCH_AXPBY)
        return has_axpby(what->dtype);
    return what->op->formula != BENCH_ROT || has_rot(what);
}

static gable_status run(bench_peer *peer, const bench_op *op, const bench_call *call)
{
    return gbl_task(peer->ctx, "openblas", task_of(op->op->stem), call, op->op->layout->call_bytes);
}

const bench_peer_kind bench_peer_openblas = {
    .name = "openblas",
    .where = "the cpu",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports,
    .threads = threads,
    .run = run,
};
