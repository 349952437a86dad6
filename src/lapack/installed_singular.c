/* installed_singular.c: singular values and vectors by the driver of the installed LAPACK, on cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The whole driver is one task. It looks at A first: LAPACK's loop for ever on infinities. A
 * recording may be replayed inside an OpenMP region, where a library would start threads of its
 * own: there the task refuses.
 */
#include <limits.h>
#include <math.h>
#include <string.h>
#include "blas/blas_speed.h"
#include "core/arena.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "device/cpu_blas.h"
#include "device/cpu_lapack.h"
#include "lapack/installed.h"
#include "lapack/installed_range.h"
#include "lapack/singular.h"

/* Behind copies of complex operands: installed.c. */
#define BYTES_BEHIND 256

typedef struct svd_args {
    gbl_product_args call;
    const gbl_singular_routine *routine;
    int64_t rows[3], columns[3]; /* of A, U and Vt as they are written */
    void *copies[3];             /* of A, U and Vt; NULL: they serve themselves */
    void *work, *rwork;
    int *iwork;
    int lwork;
} svd_args;

static char letter(gable_job job)
{
    return gbl_job_letter((int)job);
}

static gbl_lapack_svd svd_of(const svd_args *args)
{
    const gbl_product_args *call = &args->call;
    gbl_lapack_svd svd = {.jobu = letter(call->job),
                          .jobvt = args->routine->two_jobs ? letter(call->job_b) : 'N',
                          .m = (int)call->m,
                          .n = (int)call->n,
                          .lda = (int)call->lda,
                          .ldu = args->rows[1] > 0 ? (int)call->ldb : 1,
                          .ldvt = args->rows[2] > 0 ? (int)call->ldc : 1,
                          .A = call->A,
                          .s = call->d,
                          .U = call->B,
                          .Vt = call->C,
                          .work = args->work,
                          .rwork = args->rwork,
                          .iwork = args->iwork,
                          .lwork = args->lwork};
    if (args->copies[0] != NULL) {
        svd.A = args->copies[0];
        svd.lda = (int)args->rows[0];
        svd.U = args->copies[1];
        svd.ldu = args->rows[1] > 0 ? (int)args->rows[1] : 1;
        svd.Vt = args->copies[2];
        svd.ldvt = args->rows[2] > 0 ? (int)args->rows[2] : 1;
    }
    return svd;
}

static int call_driver(const svd_args *args)
{
    const gbl_lapack_svd svd = svd_of(args);
    const gbl_dtype t = args->call.dtype;
    return args->routine->two_jobs ? gbl_lapack_gesvd(t, &svd) : gbl_lapack_gesdd(t, &svd);
}

/* LAPACK counts elements of its workspace in an int, more than 4 k^2 and m n of them; and it finds
 * rows of matrices by products of an int with a leading dimension. */
static const char *flaw_of(const gbl_singular_routine *routine, const gbl_product_call *call)
{
    const double m = (double)call->m, n = (double)call->n, k = m < n ? m : n,
                 ld = (double)(call->lda > call->ldb ? call->lda : call->ldb),
                 widest = ld > (double)call->ldc ? ld : (double)call->ldc;
    if (gbl_cpu_lapack_get() == NULL)
        return gbl_cpu_lapack_reason();
    if (!gbl_cpu_lapack_has(routine->stem, call->dtype))
        return "the installed LAPACK lacks it";
    if (5 * k * k + 2 * m * n + 16 * (m + n) > INT_MAX || widest * (m > n ? m : n) + m > INT_MAX)
        return "the installed LAPACK counts in 32 bits, which the matrix passes";
    if (!GBL_LAPACK_FITS(routine->stem, call->dtype, call->m, call->n))
        return "the call is made inside of an OpenMP region, where LAPACK is not called";
    return NULL;
}

bool gbl_singular_installed_fits(const gbl_variant *self, const void *call,
                                 const gbl_device *device)
{
    return device->props.is_host && flaw_of(self->detail, call) == NULL &&
           !gbl_blas_speed_get()->slow;
}

void gbl_singular_installed_cost(const gbl_variant *self, const void *call,
                                 const gbl_params *params, const gbl_device *device, gbl_cost *cost)
{
    const gbl_singular_routine *routine = self->detail;
    (void)params;
    gbl_installed_cost(routine->op, call, device, cost);
}

/* ---- The task ---- */

static void *operand(const svd_args *args, int which, int64_t *ld)
{
    const gbl_product_args *call = &args->call;
    void *const operands[] = {call->A, call->B, call->C};
    const int64_t lds[] = {call->lda, call->ldb, call->ldc};
    *ld = lds[which];
    return operands[which];
}

static void move(const svd_args *args, int which, bool back)
{
    const gbl_dtype t = args->call.dtype;
    const int64_t rows = args->rows[which];
    int64_t ld;
    void *const A = operand(args, which, &ld), *const kept = args->copies[which];
    for (int64_t j = 0; j < args->columns[which] && rows > 0; j++) {
        void *const at = gbl_element(t, A, ld, 0, j), *const copy =
                                                          gbl_element(t, kept, rows, 0, j);
        memcpy(back ? at : copy, back ? copy : at, (size_t)rows * gbl_dtype_bytes(t));
    }
}

static bool is_finite(const gbl_product_args *call)
{
    const int64_t reals = gbl_dtype_complex(call->dtype) ? 2 : 1;
    bool finite = true;
    for (int64_t j = 0; finite && j < call->n; j++) {
        const void *column = gbl_element(call->dtype, call->A, call->lda, 0, j);
        finite = gbl_dtype_real_bytes(call->dtype) == 4
                     ? gbl_cpu_sall_finite(column, reals * call->m)
                     : gbl_cpu_dall_finite(column, reals * call->m);
    }
    return finite;
}

static void fill_nan(gbl_dtype dtype, int64_t m, int64_t n, void *A, int64_t ld)
{
    const int64_t reals = gbl_dtype_complex(dtype) ? 2 : 1;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < reals * m; i++)
            if (gbl_dtype_real_bytes(dtype) == 4)
                ((float *)gbl_element(dtype, A, ld, 0, j))[i] = NAN;
            else
                ((double *)gbl_element(dtype, A, ld, 0, j))[i] = NAN;
}

/* Rows and columns of A that vectors overwrite. */
static void overwritten(const svd_args *args, int64_t *rows, int64_t *columns)
{
    const gbl_product_args *call = &args->call;
    const int64_t least = gbl_singular_least(call);
    gable_job u, vt;
    gbl_singular_jobs(args->routine, call, &u, &vt);
    *rows = u == GABLE_OVERWRITE ? call->m : vt == GABLE_OVERWRITE ? least : 0;
    *columns = u == GABLE_OVERWRITE ? least : call->n;
}

static void refuse_numbers(const svd_args *args)
{
    const gbl_product_args *call = &args->call;
    const gbl_dtype real = gbl_dtype_real_bytes(call->dtype) == 4 ? GBL_S : GBL_D;
    int64_t rows, columns, ld;
    overwritten(args, &rows, &columns);
    fill_nan(real, gbl_singular_least(call), 1, call->d, 1);
    if (rows > 0)
        fill_nan(call->dtype, rows, columns, call->A, call->lda);
    for (int which = 1; which < 3; which++) {
        void *const at = operand(args, which, &ld);
        if (args->rows[which] > 0)
            fill_nan(call->dtype, args->rows[which], args->columns[which], at, ld);
    }
    *call->info = args->routine->bad;
}

static gable_status svd_task(gbl_queue *queue, void *stream, const void *given,
                             gbl_message *message)
{
    const svd_args *args = given;
    const char *flaw = flaw_of(args->routine, &args->call);
    (void)queue, (void)stream;
    if (flaw != NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s needs a LAPACK: %s", args->routine->stem,
                        flaw);
    if (!is_finite(&args->call)) {
        refuse_numbers(args);
        return GABLE_OK;
    }
    if (args->copies[0] != NULL)
        move(args, 0, false);
    const gbl_lapack_svd svd = svd_of(args);
    const int exponent = gbl_installed_range_enter(args->call.dtype, GABLE_GENERAL, args->call.m,
                                                   args->call.n, svd.A, svd.lda);
    *args->call.info = call_driver(args);
    gbl_installed_range_leave(args->call.dtype, gbl_singular_least(&args->call), args->call.d,
                              exponent);
    for (int which = 0; which < 3 && args->copies[0] != NULL; which++)
        move(args, which, true);
    return GABLE_OK;
}

/* ---- Its workspace ---- */

static gable_status take(gable_context *ctx, double bytes, void **address)
{
    return gbl_arena_take(ctx->arena, ctx->device, (size_t)bytes, address, &ctx->message);
}

/* The library tells how much it wants in the first element, as a real number, which in single
 * precision may have been rounded down. */
static double wanted_elements(gbl_dtype dtype, const double *first, double least)
{
    float single;
    memcpy(&single, first, sizeof single);
    const double told =
        gbl_dtype_real_bytes(dtype) == 4 ? (double)single * (1 + 0x1p-22) : first[0];
    return told > least ? told : least;
}

gable_status gbl_singular_installed_run(gable_context *ctx, const gbl_variant *self,
                                        const void *given, const gbl_params *params)
{
    const gbl_singular_routine *routine = self->detail;
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype),
                 real = (double)gbl_dtype_real_bytes(call->dtype), m = (double)call->m,
                 n = (double)call->n, least = m < n ? m : n, most = m + n - least;
    svd_args args = {.call = *call, .routine = routine, .lwork = -1};
    double first[2] = {0, 0}, reals[8] = {0};
    int integers[8] = {0};
    (void)params;
    args.rows[0] = call->m;
    args.columns[0] = call->n;
    args.rows[1] = gbl_singular_u_rows(routine, call);
    args.columns[1] = gbl_singular_u_columns(routine, call);
    args.rows[2] = gbl_singular_vt_rows(routine, call);
    args.columns[2] = gbl_singular_vt_columns(routine, call);
    args.work = first;
    args.rwork = reals;
    args.iwork = integers;
    call_driver(&args);
    const double elements = wanted_elements(call->dtype, first, 5 * (m + n));
    args.lwork = elements < INT_MAX ? (int)elements : INT_MAX;
    TRY(take(ctx, (double)args.lwork * elem, &args.work));
    if (gbl_dtype_complex(call->dtype)) {
        const double count =
            routine->two_jobs || call->job == GABLE_NO_VECTORS
                ? 7 * least
                : 5 * least * least + 5 * least + 2 * most * least + 2 * least * least + least;
        TRY(take(ctx, (count + 8) * real, &args.rwork));
    }
    void *indices;
    TRY(take(ctx, (8 * least + 8) * (double)sizeof(int), &indices));
    args.iwork = indices;
    for (int which = 0; which < 3 && !gbl_cpu_blas_trusted(call->dtype); which++)
        TRY(take(ctx, (double)args.rows[which] * (double)args.columns[which] * elem + BYTES_BEHIND,
                 &args.copies[which]));
    return gbl_task(ctx, routine->stem, svd_task, &args, sizeof args);
}
