/* installed_reductions.c: reductions through the LAPACK that is installed, on cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The whole reduction is one task. A recording may be replayed inside an OpenMP region, where a
 * library would start threads of its own: there own tasks serve, which run here and now, column by
 * column.
 */
#include <string.h>
#include "core/arena.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "device/cpu_blas.h"
#include "device/cpu_lapack.h"
#include "lapack/installed.h"

typedef struct reduction_args {
    gbl_product_args call;
    void *work; /* n elements at least */
    int lwork;
    void *copy; /* of A's triangle, columns n apart; NULL: A itself serves */
} reduction_args;

/* A BLAS that loads past the ends of complex operands (cpu_blas.h) is given a copy of a Hermitian
 * matrix with a column and so many bytes behind it. From order 33 on OpenBLAS 0.3.21 loads up to a
 * column past the end of A: in gemv N, which hetrd multiplies rows of A by. Its gehrd does not. */
#define BYTES_BEHIND 256

/* What own tasks are run with. */
typedef struct own_tasks {
    gbl_queue *queue;
    void *stream;
    gbl_message *message;
    const gbl_product_args *call;
} own_tasks;

/* ---- Numbers ---- */

static gbl_scalar load(gbl_dtype dtype, const void *at)
{
    float narrow[2] = {0, 0};
    double wide[2] = {0, 0};
    if (gbl_dtype_real_bytes(dtype) == 8)
        memcpy(wide, at, gbl_dtype_bytes(dtype));
    else
        memcpy(narrow, at, gbl_dtype_bytes(dtype));
    return (gbl_scalar){.re = wide[0] + (double)narrow[0], .im = wide[1] + (double)narrow[1]};
}

static gbl_scalar times(gbl_scalar a, gbl_scalar b)
{
    return (gbl_scalar){.re = a.re * b.re - a.im * b.im, .im = a.re * b.im + a.im * b.re};
}

/* The number at `at` becomes `value`, which is real. */
static void store_real(gbl_dtype dtype, void *at, double value)
{
    const float narrow = (float)value;
    memset(at, 0, gbl_dtype_bytes(dtype));
    if (gbl_dtype_real_bytes(dtype) == 8)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &narrow, sizeof narrow);
}

/* ---- Own tasks ---- */

static gable_status reflect(const own_tasks *own, int64_t n, void *alpha, void *x, void *tau)
{
    static const gbl_task_function tasks[4] = GBL_CPU_FOUR(larfg);
    const gbl_cpu_larfg_args args = {.n = n, .alpha = alpha, .x = x, .tau = tau};
    return tasks[own->call->dtype](own->queue, own->stream, &args, own->message);
}

/* A v, or A^H v: y := alpha op(A) x. */
static gable_status multiply(const own_tasks *own, bool adjoint, int64_t m, int64_t n, double alpha,
                             void *A, void *x, void *y)
{
    static const gbl_task_function tasks[4] = GBL_CPU_FOUR(gemv_omp);
    const gbl_dtype dtype = own->call->dtype;
    const gbl_matrix_args args = {.dtype = dtype,
                                  .trans = adjoint ? gbl_adjoint(dtype) : GABLE_NO_TRANS,
                                  .m = m,
                                  .n = n,
                                  .lda = own->call->lda,
                                  .incx = 1,
                                  .incy = 1,
                                  .A = A,
                                  .x = x,
                                  .y = y,
                                  .alpha = {.re = alpha}};
    return tasks[dtype](own->queue, own->stream, &args, own->message);
}

/* A := A + alpha x y^H, which is m by n. */
static gable_status update(const own_tasks *own, int64_t m, int64_t n, gbl_scalar alpha, void *x,
                           void *y, void *A)
{
    static const gbl_task_function tasks[4] = GBL_CPU_FOUR(ger_omp);
    const gbl_dtype dtype = own->call->dtype;
    const gbl_matrix_args args = {.dtype = dtype,
                                  .conj = gbl_dtype_complex(dtype),
                                  .m = m,
                                  .n = n,
                                  .lda = own->call->lda,
                                  .incx = 1,
                                  .incy = 1,
                                  .A = A,
                                  .x = x,
                                  .y = y,
                                  .alpha = alpha};
    return tasks[dtype](own->queue, own->stream, &args, own->message);
}

/* w := tau A v - 1/2 tau (w^H v) v, then A - v w^H - w v^H, A of order n. */
static gable_status update_both(const own_tasks *own, int64_t n, void *A, void *v, gbl_scalar tau,
                                void *w)
{
    static const gbl_task_function products[4] = GBL_CPU_FOUR(symv_omp),
                                   dots[4] = GBL_CPU_FOUR(dot_omp),
                                   sums[4] = GBL_CPU_FOUR(axpy_omp),
                                   updates[4] = GBL_CPU_FOUR(syr2_omp);
    const gbl_dtype dtype = own->call->dtype;
    double inner[2] = {0, 0};
    const gbl_vector_args dot = {.dtype = dtype,
                                 .conj = gbl_dtype_complex(dtype),
                                 .n = n,
                                 .incx = 1,
                                 .incy = 1,
                                 .x = w,
                                 .y = v,
                                 .result = inner};
    gbl_vector_args sum = {.dtype = dtype, .n = n, .incx = 1, .incy = 1, .x = v, .y = w};
    gbl_matrix_args both = {.dtype = dtype,
                            .uplo = own->call->uplo,
                            .conj = gbl_dtype_complex(dtype),
                            .m = n,
                            .n = n,
                            .lda = own->call->lda,
                            .incx = 1,
                            .incy = 1,
                            .A = A,
                            .x = v,
                            .y = w,
                            .alpha = tau};
    TRY(products[dtype](own->queue, own->stream, &both, own->message));
    TRY(dots[dtype](own->queue, own->stream, &dot, own->message));
    sum.alpha = times((gbl_scalar){.re = -0.5}, times(tau, load(dtype, inner)));
    TRY(sums[dtype](own->queue, own->stream, &sum, own->message));
    both.alpha = (gbl_scalar){.re = -1};
    return updates[dtype](own->queue, own->stream, &both, own->message);
}

/* Imaginary parts of a diagonal are taken as zeros; libraries leave some of them. */
static void clear_diagonal(const gbl_product_args *call)
{
    for (int64_t i = 0; gbl_dtype_complex(call->dtype) && i < call->n; i++) {
        void *const diagonal = gbl_element(call->dtype, call->A, call->lda, i, i);
        store_real(call->dtype, diagonal, load(call->dtype, diagonal).re);
    }
}

static gable_status sytrd_by_own(const own_tasks *own, void *w)
{
    const gbl_product_args *call = own->call;
    const gbl_dtype t = call->dtype;
    const bool lower = call->uplo == GABLE_LOWER;
    const int64_t n = call->n, lda = call->lda;
    const size_t real = gbl_dtype_real_bytes(t);
    for (int64_t step = 0; step + 1 < n; step++) {
        const int64_t j = lower ? step : n - 1 - step, rows = lower ? n - 1 - j : j,
                      at = lower ? j : j - 1;
        void *const v = gbl_element(t, call->A, lda, lower ? j + 1 : 0, j),
                    *const alpha = gbl_element(t, call->A, lda, lower ? j + 1 : j - 1, j),
                    *const x = gbl_element(t, call->A, lda, lower ? j + 2 : 0, j),
                    *const tau = gbl_element(t, call->tau, 1, at, 0);
        TRY(reflect(own, rows, alpha, x, tau));
        const double beta = load(t, alpha).re;
        memcpy((char *)call->e + (size_t)at * real, alpha, real);
        store_real(t, alpha, 1);
        TRY(update_both(own, rows, lower ? gbl_element(t, call->A, lda, j + 1, j + 1) : call->A, v,
                        load(t, tau), w));
        store_real(t, alpha, beta);
    }
    for (int64_t i = 0; i < n; i++)
        memcpy((char *)call->d + (size_t)i * real, gbl_element(t, call->A, lda, i, i), real);
    return GABLE_OK;
}

static gable_status gehrd_by_own(const own_tasks *own, void *w)
{
    const gbl_product_args *call = own->call;
    const gbl_dtype t = call->dtype;
    const int64_t n = call->n, lda = call->lda, end = call->ihi;
    if (n > 1)
        memset(call->tau, 0, (size_t)(n - 1) * gbl_dtype_bytes(t));
    for (int64_t j = call->ilo - 1; j + 1 < end; j++) {
        const int64_t rows = end - j - 1;
        void *const v = gbl_element(t, call->A, lda, j + 1, j),
                    *const above = gbl_element(t, call->A, lda, 0, j + 1),
                    *const beside = gbl_element(t, call->A, lda, j + 1, j + 1),
                    *const tau = gbl_element(t, call->tau, 1, j, 0);
        TRY(reflect(own, rows, v, gbl_element(t, call->A, lda, j + 2, j), tau));
        const double beta = load(t, v).re;
        const gbl_scalar factor = load(t, tau), turned = {.re = factor.re, .im = -factor.im};
        store_real(t, v, 1);
        TRY(multiply(own, false, end, rows, -1, above, v, w));
        TRY(update(own, end, rows, factor, w, v, above));
        TRY(multiply(own, true, rows, n - j - 1, -1, beside, v, w));
        TRY(update(own, rows, n - j - 1, turned, v, w, beside));
        store_real(t, v, beta);
    }
    return GABLE_OK;
}

/* ---- The library ---- */

static void call_sytrd(const gbl_product_args *call, void *work, const int *lwork)
{
    const int n = (int)call->n, lda = (int)call->lda;
    int info = 0;
    gbl_cpu_lapack_get()->sytrd[call->dtype](gbl_lapack_uplo((int)call->uplo), &n, call->A, &lda,
                                             call->d, call->e, call->tau, work, lwork, &info, 1);
}

static void call_gehrd(const gbl_product_args *call, void *work, const int *lwork)
{
    const int n = (int)call->n, lda = (int)call->lda, ilo = (int)call->ilo, ihi = (int)call->ihi;
    int info = 0;
    gbl_cpu_lapack_get()->gehrd[call->dtype](&n, &ilo, &ihi, call->A, &lda, call->tau, work, lwork,
                                             &info);
}

/* A's triangle to the copy or back. */
static void move_triangle(const gbl_product_args *call, void *copy, bool back)
{
    const int64_t n = call->n;
    const bool lower = call->uplo == GABLE_LOWER;
    for (int64_t j = 0; j < n; j++) {
        const int64_t first = lower ? j : 0, end = lower ? n : j + 1;
        void *const at = gbl_element(call->dtype, call->A, call->lda, first, j),
                    *const kept = gbl_element(call->dtype, copy, n, first, j);
        memcpy(back ? at : kept, back ? kept : at,
               (size_t)(end - first) * gbl_dtype_bytes(call->dtype));
    }
}

static gable_status sytrd_task(gbl_queue *queue, void *stream, const void *given,
                               gbl_message *message)
{
    const reduction_args *args = given;
    const own_tasks own = {queue, stream, message, &args->call};
    clear_diagonal(&args->call);
    if (!GBL_LAPACK_FITS("sytrd", args->call.dtype, args->call.n, args->call.lda))
        return sytrd_by_own(&own, args->work);
    if (args->copy == NULL) {
        call_sytrd(&args->call, args->work, &args->lwork);
        return GABLE_OK;
    }
    gbl_product_args kept = args->call;
    kept.A = args->copy;
    kept.lda = kept.n;
    move_triangle(&args->call, args->copy, false);
    call_sytrd(&kept, args->work, &args->lwork);
    move_triangle(&args->call, args->copy, true);
    return GABLE_OK;
}

static gable_status gehrd_task(gbl_queue *queue, void *stream, const void *given,
                               gbl_message *message)
{
    const reduction_args *args = given;
    const own_tasks own = {queue, stream, message, &args->call};
    if (!GBL_LAPACK_FITS("gehrd", args->call.dtype, args->call.n, args->call.lda))
        return gehrd_by_own(&own, args->work);
    call_gehrd(&args->call, args->work, &args->lwork);
    return GABLE_OK;
}

/* The library tells how much workspace it wants in the first element of it, as a real number. */
static gable_status enqueue(gable_context *ctx, const char *name, const gbl_product_call *call,
                            void (*library)(const gbl_product_args *call, void *work,
                                            const int *lwork),
                            gbl_task_function task)
{
    reduction_args args = {.call = *call, .lwork = -1};
    double wanted[2] = {0, 0};
    library(call, wanted, &args.lwork);
    const double elements = load(call->dtype, wanted).re;
    args.lwork = elements > (double)call->n ? (int)elements : (int)call->n;
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)args.lwork * gbl_dtype_bytes(call->dtype),
                       &args.work, &ctx->message));
    if (task == sytrd_task && call->n > 0 && !gbl_cpu_blas_trusted(call->dtype))
        TRY(gbl_arena_take(ctx->arena, ctx->device,
                           (size_t)(call->n * (call->n + 1)) * gbl_dtype_bytes(call->dtype) +
                               BYTES_BEHIND,
                           &args.copy, &ctx->message));
    return gbl_task(ctx, name, task, &args, sizeof args);
}

gable_status gbl_installed_sytrd(gable_context *ctx, const gbl_product_call *call)
{
    return enqueue(ctx, "sytrd", call, call_sytrd, sytrd_task);
}

gable_status gbl_installed_gehrd(gable_context *ctx, const gbl_product_call *given)
{
    gbl_product_call call = *given;
    if (call.ilo == 0) {
        call.ilo = 1;
        call.ihi = call.n;
    }
    return enqueue(ctx, "gehrd", &call, call_gehrd, gehrd_task);
}
