/* cusparse_cg.c: CG by calls of cuSPARSE and cuBLAS alone, as programs write it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two forms, of which the faster one is timed. In the first the host reads both dots of an
 * iteration and gives the coefficients by value. In the second they stay on the device: a dot
 * writes there, and a triangular solve of order 1 divides. The latter has more calls and no wait.
 */
#include <string.h>
#include "core/launch.h"
#include "peers/cusparse_private.h"
#include "sparse/matrix/sparse_matrix.h"
#include "sparse_reference.h"

#define TRIED_ITERATIONS 20

/* Numbers on the device. */
enum { RR, NEXT, PQ, ALPHA, MINUS, BETA, ONE, MINUS_ONE, SCALARS };

typedef struct cg_step {
    cusparse_state *state;
    int64_t iterations;
    bool on_device;
} cg_step;

static char *scalar(const cusparse_state *s, int which)
{
    return (char *)s->scalars + (size_t)which * gbl_dtype_bytes(s->system->what->dtype);
}

bool cusparse_cg_supports(const bench_sparse_case *what)
{
    return what->op == BENCH_SPARSE_CG && strcmp(what->precond, "none") == 0 &&
           !gbl_dtype_complex(what->dtype) && what->matrix->rows <= INT32_MAX;
}

/* A coefficient in the precision. */
typedef union number {
    float s;
    double d;
} number;

static number rounded(const cusparse_state *s, double value)
{
    number n = {.d = value};
    if (s->system->what->dtype == GBL_S)
        n.s = (float)value;
    return n;
}

static double widened(const cusparse_state *s, number n)
{
    return s->system->what->dtype == GBL_S ? (double)n.s : n.d;
}

/* x := 0, r := p := b. */
static int begin(cusparse_state *s, int n)
{
    const int t = s->system->what->dtype;
    const cublas_functions *blas = s->blas;
    cublas_handle *h = s->blas_handle;
    const number zero = rounded(s, 0);
    int result = blas->set_pointer_mode(h, POINTERS_ON_HOST);
    if (result == 0) /* x is one of Gable's vectors, never NaN here: it was copied from b */
        result = blas->copy[t](h, n, s->system->x[0], 1, s->system->y[0], 1);
    if (result == 0)
        result = blas->scal[t](h, n, &zero, s->system->y[0], 1);
    if (result == 0)
        result = blas->copy[t](h, n, s->system->x[0], 1, s->r, 1);
    return result != 0 ? result : blas->copy[t](h, n, s->system->x[0], 1, s->p, 1);
}

static gable_status fail(int result, gbl_message *message)
{
    return gbl_fail(message, GABLE_DEVICE_FAILED, "cuBLAS: a call of CG failed with status %d",
                    result);
}

/* The host reads both dots. */
static gable_status by_host(cusparse_state *s, void *stream, int n, int64_t iterations,
                            gbl_message *message)
{
    const int t = s->system->what->dtype;
    const cublas_functions *blas = s->blas;
    cublas_handle *h = s->blas_handle;
    void *x = s->system->y[0];
    number rr, pq, next;
    const number one = rounded(s, 1);
    int result = blas->dot[t](h, n, s->r, 1, s->r, 1, &rr);
    for (int64_t k = 0; result == 0 && k < iterations; k++) {
        TRY(cusparse_product_run(s, stream, &s->step, message));
        result = blas->dot[t](h, n, s->p, 1, s->q, 1, &pq);
        const double alpha = widened(s, rr) / widened(s, pq);
        const number plus = rounded(s, alpha), minus = rounded(s, -alpha);
        if (result == 0)
            result = blas->axpy[t](h, n, &plus, s->p, 1, x, 1);
        if (result == 0)
            result = blas->axpy[t](h, n, &minus, s->q, 1, s->r, 1);
        if (result == 0)
            result = blas->dot[t](h, n, s->r, 1, s->r, 1, &next);
        const number beta = rounded(s, widened(s, next) / widened(s, rr));
        rr = next;
        if (result == 0)
            result = blas->scal[t](h, n, &beta, s->p, 1);
        if (result == 0)
            result = blas->axpy[t](h, n, &one, s->r, 1, s->p, 1);
    }
    return result == 0 ? GABLE_OK : fail(result, message);
}

/* to := from / by, of numbers on the device. */
static int divide(cusparse_state *s, int to, int from, int by)
{
    const int t = s->system->what->dtype;
    const int result = s->blas->copy[t](s->blas_handle, 1, scalar(s, from), 1, scalar(s, to), 1);
    return result != 0 ? result
                       : s->blas->trsv[t](s->blas_handle, CUBLAS_UPPER, CUBLAS_PLAIN,
                                          CUBLAS_NON_UNIT, 1, scalar(s, by), 1, scalar(s, to), 1);
}

/* alpha and -alpha, x and r: all on the device. */
static int step_down(cusparse_state *s, int n)
{
    const int t = s->system->what->dtype;
    const cublas_functions *blas = s->blas;
    cublas_handle *h = s->blas_handle;
    int result = blas->dot[t](h, n, s->p, 1, s->q, 1, scalar(s, PQ));
    if (result == 0)
        result = divide(s, ALPHA, RR, PQ);
    if (result == 0)
        result = blas->copy[t](h, 1, scalar(s, ALPHA), 1, scalar(s, MINUS), 1);
    if (result == 0)
        result = blas->scal[t](h, 1, scalar(s, MINUS_ONE), scalar(s, MINUS), 1);
    if (result == 0)
        result = blas->axpy[t](h, n, scalar(s, ALPHA), s->p, 1, s->system->y[0], 1);
    if (result == 0)
        result = blas->axpy[t](h, n, scalar(s, MINUS), s->q, 1, s->r, 1);
    return result;
}

static int step_direction(cusparse_state *s, int n)
{
    const int t = s->system->what->dtype;
    const cublas_functions *blas = s->blas;
    cublas_handle *h = s->blas_handle;
    int result = blas->dot[t](h, n, s->r, 1, s->r, 1, scalar(s, NEXT));
    if (result == 0)
        result = divide(s, BETA, NEXT, RR);
    if (result == 0)
        result = blas->copy[t](h, 1, scalar(s, NEXT), 1, scalar(s, RR), 1);
    if (result == 0)
        result = blas->scal[t](h, n, scalar(s, BETA), s->p, 1);
    if (result == 0)
        result = blas->axpy[t](h, n, scalar(s, ONE), s->r, 1, s->p, 1);
    return result;
}

static gable_status by_device(cusparse_state *s, void *stream, int n, int64_t iterations,
                              gbl_message *message)
{
    const int t = s->system->what->dtype;
    int result = s->blas->set_pointer_mode(s->blas_handle, POINTERS_ON_DEVICE);
    if (result == 0)
        result = s->blas->dot[t](s->blas_handle, n, s->r, 1, s->r, 1, scalar(s, RR));
    for (int64_t k = 0; result == 0 && k < iterations; k++) {
        TRY(cusparse_product_run(s, stream, &s->step, message));
        result = step_down(s, n);
        if (result == 0)
            result = step_direction(s, n);
    }
    return result == 0 ? GABLE_OK : fail(result, message);
}

static gable_status task_solve(gbl_queue *queue, void *stream, const void *args,
                               gbl_message *message)
{
    const cg_step *now = args;
    cusparse_state *s = now->state;
    const int n = (int)s->system->what->matrix->rows;
    (void)queue;
    int result = s->blas->set_stream(s->blas_handle, stream);
    if (result == 0)
        result = begin(s, n);
    if (result != 0)
        return fail(result, message);
    return now->on_device ? by_device(s, stream, n, now->iterations, message)
                          : by_host(s, stream, n, now->iterations, message);
}

static gable_status solve(cusparse_state *s, int64_t iterations, bool on_device, double *seconds)
{
    const cg_step now = {s, iterations, on_device};
    gable_context *ctx = s->peer->ctx;
    TRY(gable_sync(ctx));
    const double start = bench_host_seconds();
    TRY(gbl_task(ctx, "cusparse", task_solve, &now, sizeof now));
    TRY(gable_sync(ctx));
    *seconds = bench_host_seconds() - start;
    return GABLE_OK;
}

static gable_status task_make(gbl_queue *queue, void *stream, const void *args,
                              gbl_message *message)
{
    cusparse_state *s = ((const cg_step *)args)->state;
    const int64_t n = s->system->what->matrix->rows;
    (void)queue;
    s->api->set_stream(s->handle, stream);
    return cusparse_product_make(s, &s->system->csr[0]->layout, s->p, n, s->q, n, &s->step,
                                 message);
}

static gable_status task_free(gbl_queue *queue, void *stream, const void *args,
                              gbl_message *message)
{
    cusparse_state *s = ((const cg_step *)args)->state;
    (void)queue;
    (void)stream;
    (void)message;
    cusparse_product_free(s, &s->step);
    return GABLE_OK;
}

static gable_status put_scalars(cusparse_state *s)
{
    const size_t elem = gbl_dtype_bytes(s->system->what->dtype);
    const number one = rounded(s, 1), minus = rounded(s, -1);
    TRY(gable_set_vector(s->peer->ctx, 1, elem, &one, 1, scalar(s, ONE), 1));
    return gable_set_vector(s->peer->ctx, 1, elem, &minus, 1, scalar(s, MINUS_ONE), 1);
}

static gable_status load(cusparse_state *s)
{
    gable_context *ctx = s->peer->ctx;
    const size_t elem = gbl_dtype_bytes(s->system->what->dtype);
    const size_t bytes = (size_t)s->system->what->matrix->rows * elem;
    const cg_step now = {.state = s};
    double host, device;
    TRY(gable_alloc(ctx, bytes, &s->r));
    TRY(gable_alloc(ctx, bytes, &s->p));
    TRY(gable_alloc(ctx, bytes, &s->q));
    TRY(gable_alloc(ctx, SCALARS * elem, &s->scalars));
    TRY(put_scalars(s));
    TRY(gable_sync(ctx));
    TRY(gbl_task(ctx, "cusparse", task_make, &now, sizeof now));
    for (int trial = 0; trial < 2; trial++) { /* the first one loads kernels */
        TRY(solve(s, TRIED_ITERATIONS, false, &host));
        TRY(solve(s, TRIED_ITERATIONS, true, &device));
    }
    s->on_device = device < host;
    return GABLE_OK;
}

gable_status cusparse_cg_load(cusparse_state *s, gbl_message *message)
{
    const gable_status status = load(s);
    if (status != GABLE_OK && message != &s->peer->ctx->message)
        return gbl_fail(message, status, "%.300s", s->peer->ctx->message.text);
    return status;
}

void cusparse_cg_unload(cusparse_state *s)
{
    gable_context *ctx = s->peer->ctx;
    const cg_step now = {.state = s};
    gbl_task(ctx, "cusparse", task_free, &now, sizeof now);
    void **all[] = {&s->r, &s->p, &s->q, &s->scalars};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        gable_free(ctx, *all[i]);
        *all[i] = NULL;
    }
}

gable_status cusparse_cg_time(cusparse_state *s, int64_t iterations, double *seconds,
                              gbl_message *message)
{
    const gable_status status = solve(s, iterations, s->on_device, seconds);
    if (status != GABLE_OK && message != &s->peer->ctx->message)
        return gbl_fail(message, status, "%.300s", s->peer->ctx->message.text);
    return status;
}

/* The solution is in y of the system's first set. */
gable_status cusparse_cg_check(cusparse_state *s, double *residual, gbl_message *message)
{
    bench_sparse_system system = *s->system;
    (void)message;
    return bench_sparse_residual(&system, s->system->y[0], residual);
}
