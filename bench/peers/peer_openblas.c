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
#include "peers/openblas_level2.h"

static struct {
    void *library;
    void (*copy[4])(int n, const void *x, int incx, void *y, int incy);
    void (*swap[4])(int n, void *x, int incx, void *y, int incy);
    void (*sscal)(int n, float alpha, void *x, int incx);
    void (*dscal)(int n, double alpha, void *x, int incx);
    void (*scal[2])(int n, const void *alpha, void *x, int incx);
    void (*csscal)(int n, float alpha, void *x, int incx);
    void (*zdscal)(int n, double alpha, void *x, int incx);
    void (*saxpy)(int n, float alpha, const void *x, int incx, void *y, int incy);
    void (*daxpy)(int n, double alpha, const void *x, int incx, void *y, int incy);
    void (*axpy[2])(int n, const void *alpha, const void *x, int incx, void *y, int incy);
    void (*saxpby)(int n, float alpha, const void *x, int incx, float beta, void *y, int incy);
    void (*daxpby)(int n, double alpha, const void *x, int incx, double beta, void *y, int incy);
    void (*axpby[2])(int n, const void *alpha, const void *x, int incx, const void *beta, void *y,
                     int incy);
    void (*single_rot[2])(int n, void *x, int incx, void *y, int incy, float c, float s);
    void (*double_rot[2])(int n, void *x, int incx, void *y, int incy, double c, double s);
    void (*rotm[2])(int n, void *x, int incx, void *y, int incy, const void *param);
    float (*sdot)(int n, const void *x, int incx, const void *y, int incy);
    double (*ddot)(int n, const void *x, int incx, const void *y, int incy);
    void (*dotu[2])(int n, const void *x, int incx, const void *y, int incy, void *result);
    void (*dotc[2])(int n, const void *x, int incx, const void *y, int incy, void *result);
    double (*dsdot)(int n, const void *x, int incx, const void *y, int incy);
    float (*sdsdot)(int n, float alpha, const void *x, int incx, const void *y, int incy);
    float (*single_nrm2[2])(int n, const void *x, int incx);
    double (*double_nrm2[2])(int n, const void *x, int incx);
    float (*single_asum[2])(int n, const void *x, int incx);
    double (*double_asum[2])(int n, const void *x, int incx);
    size_t (*amax[4])(int n, const void *x, int incx);
    char *(*config)(void);
    int (*threads)(void);
} blas;

static bool suits(const gable_context *ctx)
{
    return ctx->device->props.is_host;
}

static gable_status load(gbl_message *message)
{
    /* Those that may be missing are no part of every CBLAS. */
    const gbl_symbol symbols[] = {
        {"cblas_scopy", &blas.copy[0], false},
        {"cblas_dcopy", &blas.copy[1], false},
        {"cblas_ccopy", &blas.copy[2], false},
        {"cblas_zcopy", &blas.copy[3], false},
        {"cblas_sswap", &blas.swap[0], false},
        {"cblas_dswap", &blas.swap[1], false},
        {"cblas_cswap", &blas.swap[2], false},
        {"cblas_zswap", &blas.swap[3], false},
        {"cblas_sscal", &blas.sscal, false},
        {"cblas_dscal", &blas.dscal, false},
        {"cblas_cscal", &blas.scal[0], false},
        {"cblas_zscal", &blas.scal[1], false},
        {"cblas_csscal", &blas.csscal, false},
        {"cblas_zdscal", &blas.zdscal, false},
        {"cblas_saxpy", &blas.saxpy, false},
        {"cblas_daxpy", &blas.daxpy, false},
        {"cblas_caxpy", &blas.axpy[0], false},
        {"cblas_zaxpy", &blas.axpy[1], false},
        {"cblas_saxpby", &blas.saxpby, true},
        {"cblas_daxpby", &blas.daxpby, true},
        {"cblas_caxpby", &blas.axpby[0], true},
        {"cblas_zaxpby", &blas.axpby[1], true},
        {"cblas_srot", &blas.single_rot[0], false},
        {"cblas_csrot", &blas.single_rot[1], true},
        {"cblas_drot", &blas.double_rot[0], false},
        {"cblas_zdrot", &blas.double_rot[1], true},
        {"cblas_srotm", &blas.rotm[0], false},
        {"cblas_drotm", &blas.rotm[1], false},
        {"cblas_sdot", &blas.sdot, false},
        {"cblas_ddot", &blas.ddot, false},
        {"cblas_cdotu_sub", &blas.dotu[0], false},
        {"cblas_zdotu_sub", &blas.dotu[1], false},
        {"cblas_cdotc_sub", &blas.dotc[0], false},
        {"cblas_zdotc_sub", &blas.dotc[1], false},
        {"cblas_dsdot", &blas.dsdot, false},
        {"cblas_sdsdot", &blas.sdsdot, false},
        {"cblas_snrm2", &blas.single_nrm2[0], false},
        {"cblas_scnrm2", &blas.single_nrm2[1], false},
        {"cblas_dnrm2", &blas.double_nrm2[0], false},
        {"cblas_dznrm2", &blas.double_nrm2[1], false},
        {"cblas_sasum", &blas.single_asum[0], false},
        {"cblas_scasum", &blas.single_asum[1], false},
        {"cblas_dasum", &blas.double_asum[0], false},
        {"cblas_dzasum", &blas.double_asum[1], false},
        {"cblas_isamax", &blas.amax[0], false},
        {"cblas_idamax", &blas.amax[1], false},
        {"cblas_icamax", &blas.amax[2], false},
        {"cblas_izamax", &blas.amax[3], false},
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
    if (missing == NULL)
        missing = openblas_load_level2(library);
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
    const int threads = blas.threads != NULL ? blas.threads() : 1;
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

static bool is_single(const gbl_vector_args *a)
{
    return gbl_dtype_real_bytes(a->dtype) == 4;
}

/* A complex scalar in the type of the vectors. */
typedef union scalar {
    float single[2];
    double wide[2];
} scalar;

static scalar typed(gbl_dtype dtype, gbl_scalar value)
{
    scalar s;
    if (gbl_dtype_real_bytes(dtype) == 4) {
        s.single[0] = (float)value.re;
        s.single[1] = (float)value.im;
    } else {
        s.wide[0] = value.re;
        s.wide[1] = value.im;
    }
    return s;
}

TASK(task_copy)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    blas.copy[a->dtype]((int)a->n, a->x, 1, a->y, 1);
    return GABLE_OK;
}

TASK(task_swap)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    blas.swap[a->dtype]((int)a->n, a->x, 1, a->y, 1);
    return GABLE_OK;
}

TASK(task_scal)
{
    const gbl_vector_args *a = given;
    const scalar alpha = typed(a->dtype, a->alpha);
    const int n = (int)a->n;
    NOT_NEEDED();
    if (a->dtype == GBL_S)
        blas.sscal(n, alpha.single[0], a->x, 1);
    else if (a->dtype == GBL_D)
        blas.dscal(n, alpha.wide[0], a->x, 1);
    else if (!a->real_scalars)
        blas.scal[a->dtype - GBL_C](n, &alpha, a->x, 1);
    else if (a->dtype == GBL_C)
        blas.csscal(n, alpha.single[0], a->x, 1);
    else
        blas.zdscal(n, alpha.wide[0], a->x, 1);
    return GABLE_OK;
}

static void axpy(const gbl_vector_args *a, scalar alpha, const void *x)
{
    const int n = (int)a->n;
    if (a->dtype == GBL_S)
        blas.saxpy(n, alpha.single[0], x, 1, a->y, 1);
    else if (a->dtype == GBL_D)
        blas.daxpy(n, alpha.wide[0], x, 1, a->y, 1);
    else
        blas.axpy[a->dtype - GBL_C](n, &alpha, x, 1, a->y, 1);
}

TASK(task_axpy)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    axpy(a, typed(a->dtype, a->alpha), a->x);
    return GABLE_OK;
}

/* One axpy for each column. */
TASK(task_maxpy)
{
    const gbl_vector_args *a = given;
    const size_t elem = gbl_dtype_bytes(a->dtype);
    NOT_NEEDED();
    for (int64_t j = 0; j < a->count; j++) {
        scalar alpha;
        memcpy(&alpha, (const char *)a->values_at + (size_t)j * elem, elem);
        axpy(a, alpha, (const char *)a->x + (size_t)(j * a->ldx) * elem);
    }
    return GABLE_OK;
}

TASK(task_axpby)
{
    const gbl_vector_args *a = given;
    const scalar alpha = typed(a->dtype, a->alpha), beta = typed(a->dtype, a->beta);
    const int n = (int)a->n;
    NOT_NEEDED();
    if (a->dtype == GBL_S)
        blas.saxpby(n, alpha.single[0], a->x, 1, beta.single[0], a->y, 1);
    else if (a->dtype == GBL_D)
        blas.daxpby(n, alpha.wide[0], a->x, 1, beta.wide[0], a->y, 1);
    else
        blas.axpby[a->dtype - GBL_C](n, &alpha, a->x, 1, &beta, a->y, 1);
    return GABLE_OK;
}

TASK(task_rot)
{
    const gbl_vector_args *a = given;
    const bool is_complex = gbl_dtype_complex(a->dtype);
    const int n = (int)a->n;
    NOT_NEEDED();
    if (is_single(a))
        blas.single_rot[is_complex](n, a->x, 1, a->y, 1, (float)a->alpha.re, (float)a->beta.re);
    else
        blas.double_rot[is_complex](n, a->x, 1, a->y, 1, a->alpha.re, a->beta.re);
    return GABLE_OK;
}

TASK(task_rotm)
{
    const gbl_vector_args *a = given;
    const double wide[] = {-1, a->alpha.re, a->alpha.im, a->beta.re, a->beta.im};
    const float single[] = {-1, (float)wide[1], (float)wide[2], (float)wide[3], (float)wide[4]};
    NOT_NEEDED();
    blas.rotm[a->dtype]((int)a->n, a->x, 1, a->y, 1, is_single(a) ? (const void *)single : wide);
    return GABLE_OK;
}

static void dot(const gbl_vector_args *a, const void *x, void *result)
{
    const int n = (int)a->n;
    if (a->dtype == GBL_S)
        *(float *)result = blas.sdot(n, x, 1, a->y, 1);
    else if (a->dtype == GBL_D)
        *(double *)result = blas.ddot(n, x, 1, a->y, 1);
    else
        (a->conj ? blas.dotc : blas.dotu)[a->dtype - GBL_C](n, x, 1, a->y, 1, result);
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
        *(double *)a->result = blas.dsdot(n, a->x, 1, a->y, 1);
    else
        *(float *)a->result = blas.sdsdot(n, (float)a->alpha.re, a->x, 1, a->y, 1);
    return GABLE_OK;
}

TASK(task_nrm2)
{
    const gbl_vector_args *a = given;
    const bool is_complex = gbl_dtype_complex(a->dtype);
    NOT_NEEDED();
    if (is_single(a))
        *(float *)a->result = blas.single_nrm2[is_complex]((int)a->n, a->x, 1);
    else
        *(double *)a->result = blas.double_nrm2[is_complex]((int)a->n, a->x, 1);
    return GABLE_OK;
}

TASK(task_asum)
{
    const gbl_vector_args *a = given;
    const bool is_complex = gbl_dtype_complex(a->dtype);
    NOT_NEEDED();
    if (is_single(a))
        *(float *)a->result = blas.single_asum[is_complex]((int)a->n, a->x, 1);
    else
        *(double *)a->result = blas.double_asum[is_complex]((int)a->n, a->x, 1);
    return GABLE_OK;
}

TASK(task_amax)
{
    const gbl_vector_args *a = given;
    NOT_NEEDED();
    *(int64_t *)a->result = (int64_t)blas.amax[a->dtype]((int)a->n, a->x, 1) + 1;
    return GABLE_OK;
}

/* ---- The peer ---- */

static gbl_task_function task_of(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {{"copy", task_copy},   {"swap", task_swap}, {"scal", task_scal},
                 {"axpy", task_axpy},   {"rot", task_rot},   {"axpby", task_axpby},
                 {"maxpy", task_maxpy}, {"rotm", task_rotm}, {"dot", task_dot},
                 {"mdot", task_mdot},   {"nrm2", task_nrm2}, {"dsdot", task_dsdot},
                 {"asum", task_asum},   {"amax", task_amax}};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return openblas_level2_task(stem);
}

/* The functions that an OpenBLAS may lack. */
static bool has_axpby(gbl_dtype dtype)
{
    const bool has[] = {blas.saxpby != NULL, blas.daxpby != NULL, blas.axpby[0] != NULL,
                        blas.axpby[1] != NULL};
    return has[dtype];
}

static bool has_rot(const bench_case *what)
{
    if (!gbl_dtype_complex(what->dtype))
        return true;
    if (!what->op->real_scalars)
        return false;
    return what->dtype == GBL_C ? blas.single_rot[1] != NULL : blas.double_rot[1] != NULL;
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    (void)peer;
    if (what->n > INT_MAX || what->m > INT_MAX || task_of(what->op->op->stem) == NULL)
        return false;
    if (bench_op_has_matrix(what->op))
        return openblas_has_level2(what);
    if (what->op->formula == BENCH_AXPBY)
        return has_axpby(what->dtype);
    return what->op->formula != BENCH_ROT || has_rot(what);
}

static gable_status run(bench_peer *peer, const bench_op *op, const bench_call *call)
{
    return gbl_task(peer->ctx, "openblas", task_of(op->op->stem), call, bench_op_call_bytes(op));
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
