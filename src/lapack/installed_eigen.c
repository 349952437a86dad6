/* installed_eigen.c: eigenvalues through the LAPACK that is installed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On cpu a driver is one task. Input that is not finite does not reach the library, whose loops
 * need not end with it: info is less than 0 then, and what would be written is NaN. The same
 * functions serve the stages that devices leave to the host.
 */
#include <limits.h>
#include <math.h>
#include <string.h>
#include "blas/blas_speed.h"
#include "core/arena.h"
#include "core/launch.h"
#include "cpu/cpu_eigen.h"
#include "device/cpu_blas.h"
#include "device/cpu_lapack.h"
#include "device/cpu_team.h"
#include "lapack/eigen.h"
#include "lapack/installed.h"
#include "lapack/installed_range.h"

static const char *const stems[GBL_EIGEN_ROUTINES] = {"sterf", "stedc", "syevd",
                                                      "sygst", "sygvd", "syevx"};
const gbl_eigen_routine gbl_eigen_routines[GBL_EIGEN_ROUTINES] = {GBL_STERF, GBL_STEDC, GBL_SYEVD,
                                                                  GBL_SYGST, GBL_SYGVD, GBL_SYEVX};

/* A BLAS that loads past the ends of complex operands is given a copy of A with a column and so
 * many bytes behind it: installed_reductions.c. */
#define BYTES_BEHIND 256

/* ---- Numbers that are not finite ---- */

static bool reals_finite(gbl_dtype dtype, const void *x, int64_t count)
{
    return count <= 0 || (gbl_dtype_real_bytes(dtype) == 4 ? gbl_cpu_sall_finite(x, count)
                                                           : gbl_cpu_dall_finite(x, count));
}

static void fill_nan(gbl_dtype dtype, void *x, int64_t reals)
{
    for (int64_t i = 0; i < reals; i++) {
        if (gbl_dtype_real_bytes(dtype) == 4)
            ((float *)x)[i] = (float)NAN;
        else
            ((double *)x)[i] = NAN;
    }
}

static int64_t reals_in(gbl_dtype dtype, int64_t elements)
{
    return elements * (gbl_dtype_complex(dtype) ? 2 : 1);
}

static void fill_columns(gbl_dtype dtype, int64_t m, int64_t n, void *A, int64_t lda)
{
    for (int64_t j = 0; j < n; j++)
        fill_nan(dtype, gbl_element(dtype, A, lda, 0, j), reals_in(dtype, m));
}

/* Imaginary parts of a diagonal are taken as zeros. */
static void clear_diagonal(gbl_dtype dtype, int64_t n, void *A, int64_t lda)
{
    for (int64_t i = 0; gbl_dtype_complex(dtype) && i < n; i++)
        memset((char *)gbl_element(dtype, A, lda, i, i) + gbl_dtype_real_bytes(dtype), 0,
               gbl_dtype_real_bytes(dtype));
}

static bool triangle_finite(const gbl_product_args *call, void *A, int64_t lda)
{
    const bool lower = call->uplo == GABLE_LOWER;
    bool finite = true;
    clear_diagonal(call->dtype, call->n, A, lda);
    for (int64_t j = 0; finite && j < call->n; j++) {
        const int64_t first = lower ? j : 0, count = lower ? call->n - j : j + 1;
        finite = reals_finite(call->dtype, gbl_element(call->dtype, A, lda, first, j),
                              reals_in(call->dtype, count));
    }
    return finite;
}

bool gbl_eigen_tridiagonal_finite(const gbl_product_call *call)
{
    if (reals_finite(call->dtype, call->d, call->n) &&
        reals_finite(call->dtype, call->e, call->n - 1))
        return true;
    fill_nan(call->dtype, call->d, call->n);
    if (gbl_eigen_vectors(call))
        fill_columns(call->dtype, call->n, call->n, call->C, call->ldc);
    *call->info = -gbl_eigen_number(call);
    return false;
}

/* ---- The library ---- */

bool gbl_eigen_library_fits(gbl_eigen_routine which, const gbl_product_call *call)
{
    const int64_t n = call->n;
    const bool vectors = gbl_eigen_vectors(call);
    /* Workspace: 4 n^2 and less than 100 n, counted in its int. */
    if (vectors && (n > 23000 || call->ldc > INT_MAX))
        return false;
    return n <= INT_MAX / 128 &&
           GBL_LAPACK_FITS(stems[which], call->dtype, n, call->lda, call->ldb, call->ldc);
}

static const char *job_of(const gbl_product_call *call)
{
    static const char *const letters[GBL_JOBS] = {"N", "V", "I", "A", "S", "O"};
    return letters[call->job == 0 ? 0 : GBL_JOB_NUMBER(call->job)];
}

typedef struct bounds {
    double wide[3];
    float narrow[3];
    const void *at[3]; /* vl, vu, abstol */
} bounds;

static void take_bounds(const gbl_product_call *call, bounds *of)
{
    const double given[3] = {call->alpha.re, call->beta.re, call->abstol.re};
    for (int i = 0; i < 3; i++) {
        of->wide[i] = given[i];
        of->narrow[i] = (float)given[i];
        of->at[i] = gbl_dtype_real_bytes(call->dtype) == 4 ? (const void *)&of->narrow[i]
                                                           : (const void *)&of->wide[i];
    }
}

static int call_syevx(const gbl_product_call *call, const gbl_eigen_room *room)
{
    const gbl_cpu_lapack *lapack = gbl_cpu_lapack_get();
    const int n = (int)call->n, lda = (int)call->lda, ldz = (int)call->ldc, il = (int)call->ilo,
              iu = (int)call->ihi;
    const char *range = call->range == GABLE_RANGE_VALUES    ? "V"
                        : call->range == GABLE_RANGE_INDICES ? "I"
                                                             : "A",
               *uplo = gbl_lapack_uplo((int)call->uplo);
    int info = 0, found = 0, *const ifail = room->iwork != NULL ? room->iwork + 5 * call->n : NULL;
    bounds of;
    take_bounds(call, &of);
    if (gbl_dtype_complex(call->dtype))
        lapack->syevx[call->dtype].complex(job_of(call), range, uplo, &n, call->A, &lda, of.at[0],
                                           of.at[1], &il, &iu, of.at[2], &found, call->d, call->C,
                                           &ldz, room->work, &room->lwork, room->rwork, room->iwork,
                                           ifail, &info, 1, 1, 1);
    else
        lapack->syevx[call->dtype].real(job_of(call), range, uplo, &n, call->A, &lda, of.at[0],
                                        of.at[1], &il, &iu, of.at[2], &found, call->d, call->C,
                                        &ldz, room->work, &room->lwork, room->iwork, ifail, &info,
                                        1, 1, 1);
    if (room->lwork < 0)
        return info;
    *call->found = found;
    for (int i = 0; gbl_eigen_vectors(call) && i < found; i++)
        call->ipiv[i] = ifail[i];
    return info;
}

/* sygvd tells a pivot i of B that is not positive as n + i, and a part that did not converge as
 * (first row) (n + 1) + last row: then the pivot is positive, and info becomes the first row. */
static int sygvd_info(const gbl_product_call *call, int info)
{
    const int n = (int)call->n, i = info - n - 1;
    if (info <= n)
        return info;
    const void *pivot = i < n ? gbl_element(call->dtype, call->B, call->ldb, i, i) : NULL;
    const bool positive =
        i >= n || (gbl_dtype_real_bytes(call->dtype) == 4 ? *(const float *)pivot > 0
                                                          : *(const double *)pivot > 0);
    return positive ? info / (n + 1) : info;
}

static int call_library(gbl_eigen_routine which, const gbl_product_call *call,
                        const gbl_eigen_room *room)
{
    const gbl_cpu_lapack *lapack = gbl_cpu_lapack_get();
    const gbl_dtype t = call->dtype;
    const bool complex = gbl_dtype_complex(t);
    const int n = (int)call->n, lda = (int)call->lda, ldb = (int)call->ldb, ldz = (int)call->ldc,
              itype = gbl_eigen_itype(call);
    const char *job = job_of(call), *uplo = gbl_lapack_uplo((int)call->uplo);
    int info = 0;
    switch (which) {
    case GBL_STERF:
        lapack->sterf[t](&n, call->d, call->e, &info);
        break;
    case GBL_STEDC:
        if (complex)
            lapack->stedc[t].complex(job, &n, call->d, call->e, call->C, &ldz, room->work,
                                     &room->lwork, room->rwork, &room->lrwork, room->iwork,
                                     &room->liwork, &info, 1);
        else
            lapack->stedc[t].real(job, &n, call->d, call->e, call->C, &ldz, room->work,
                                  &room->lwork, room->iwork, &room->liwork, &info, 1);
        break;
    case GBL_SYEVD:
        if (complex)
            lapack->syevd[t].complex(job, uplo, &n, call->A, &lda, call->d, room->work,
                                     &room->lwork, room->rwork, &room->lrwork, room->iwork,
                                     &room->liwork, &info, 1, 1);
        else
            lapack->syevd[t].real(job, uplo, &n, call->A, &lda, call->d, room->work, &room->lwork,
                                  room->iwork, &room->liwork, &info, 1, 1);
        break;
    case GBL_SYGST:
        lapack->sygst[t](&itype, uplo, &n, call->A, &lda, call->B, &ldb, &info, 1);
        break;
    case GBL_SYGVD:
        if (complex)
            lapack->sygvd[t].complex(&itype, job, uplo, &n, call->A, &lda, call->B, &ldb, call->d,
                                     room->work, &room->lwork, room->rwork, &room->lrwork,
                                     room->iwork, &room->liwork, &info, 1, 1);
        else
            lapack->sygvd[t].real(&itype, job, uplo, &n, call->A, &lda, call->B, &ldb, call->d,
                                  room->work, &room->lwork, room->iwork, &room->liwork, &info, 1,
                                  1);
        if (room->lwork > 0)
            info = sygvd_info(call, info);
        break;
    default:
        return call_syevx(call, room);
    }
    return info;
}

/* The first number of a workspace after a query, rounded up: in single not all integers are
 * there. */
static int wanted(gbl_dtype dtype, const void *first)
{
    const double value = gbl_dtype_real_bytes(dtype) == 4 ? (double)*(const float *)first * 1.000001
                                                          : *(const double *)first;
    return value < 1 ? 1 : value > INT_MAX ? INT_MAX : (int)ceil(value);
}

void gbl_eigen_library_room(gbl_eigen_routine which, const gbl_product_call *call,
                            gbl_eigen_room *room)
{
    double work[2] = {1, 0}, rwork[2] = {1, 0};
    int iwork[2] = {1, 0};
    const size_t n = (size_t)call->n;
    *room = (gbl_eigen_room){.lwork = -1, .lrwork = -1, .liwork = -1};
    if (which == GBL_STERF || which == GBL_SYGST)
        return;
    if (which == GBL_SYEVX) {
        const gbl_eigen_room ask = {.lwork = -1, .work = work};
        gbl_product_call all = *call; /* bounds are looked at in a query, too */
        all.range = GABLE_RANGE_ALL;
        call_syevx(&all, &ask);
        room->lwork = wanted(call->dtype, work);
        room->liwork = (int)(6 * n);
        room->lrwork = (int)(7 * n);
    } else {
        gbl_eigen_room ask = *room;
        ask.work = work;
        ask.rwork = rwork;
        ask.iwork = iwork;
        call_library(which, call, &ask);
        room->lwork = wanted(call->dtype, work);
        room->lrwork = wanted(call->dtype, rwork);
        room->liwork = iwork[0] > 1 ? iwork[0] : 1;
    }
    room->work_bytes = (size_t)room->lwork * gbl_dtype_bytes(call->dtype);
    room->rwork_bytes = gbl_dtype_complex(call->dtype)
                            ? (size_t)room->lrwork * gbl_dtype_real_bytes(call->dtype)
                            : 0;
    room->iwork_bytes = (size_t)room->liwork * sizeof(int);
}

/* A bound for the library, which says of matrices of more than one row that an eigenvalue d is in
 * (vl, vu] where d - safmin is: that tells zero from the least numbers. */
static double bound_of(const gbl_product_call *call, double given, int exponent)
{
    const double bound = gbl_installed_bound(call->dtype, given, exponent);
    if (call->n == 1)
        return bound;
    return gbl_dtype_real_bytes(call->dtype) == 4 ? (double)(float)(bound - 0x1p-126)
                                                  : bound - 0x1p-1022;
}

/* The interval may hold no number of the precision: then the library, which would refuse it, is not
 * asked. */
static int call_scaled(gbl_eigen_routine which, const gbl_product_call *given,
                       const gbl_eigen_room *room)
{
    const bool by_values = which == GBL_SYEVX && given->range == GABLE_RANGE_VALUES;
    gbl_product_call call = *given;
    const int exponent =
        gbl_installed_range_enter(call.dtype, call.uplo, call.n, call.n, call.A, call.lda);
    if (by_values) {
        call.alpha.re = bound_of(&call, given->alpha.re, exponent);
        call.beta.re = bound_of(&call, given->beta.re, exponent);
        *call.found = 0;
        if (!(call.alpha.re < call.beta.re))
            return 0;
    }
    call.abstol.re = ldexp(given->abstol.re, exponent);
    const int info = call_library(which, &call, room);
    const int64_t count = which == GBL_SYEVX ? *call.found : call.n;
    gbl_installed_range_leave(call.dtype, count, call.d, exponent);
    if (by_values)
        gbl_installed_confine(call.dtype, count, call.d, given->alpha.re, given->beta.re);
    return info;
}

void gbl_eigen_library_run(gbl_eigen_routine which, const gbl_product_call *call,
                           const gbl_eigen_room *room)
{
    const bool scales = which == GBL_SYEVD || which == GBL_SYEVX;
    const int info = scales ? call_scaled(which, call, room) : call_library(which, call, room);
    if (call->info != NULL)
        *call->info = info;
}

/* ---- Tasks ---- */

typedef struct eigen_args {
    gbl_product_args call;
    gbl_eigen_room room;
    gbl_eigen_routine which;
    /* Of A's triangle, with syevx's Z behind it, or of stedc's Z, columns n apart; NULL: they serve
     * themselves. */
    void *copy;
} eigen_args;

/* zstedc of LAPACK 3.11 writes between the columns of the Z that it multiplies. */
static bool writes_gaps(gbl_eigen_routine which, const gbl_product_call *call)
{
    return which == GBL_STEDC && call->job == GABLE_VECTORS && gbl_dtype_complex(call->dtype) &&
           call->ldc != call->n;
}

static void move_vectors(const gbl_product_args *call, void *copy, bool back)
{
    for (int64_t j = 0; j < call->n; j++) {
        void *const at = gbl_element(call->dtype, call->C, call->ldc, 0, j), *const kept =
                                                                                 gbl_element(
                                                                                     call->dtype,
                                                                                     copy, call->n,
                                                                                     0, j);
        memcpy(back ? at : kept, back ? kept : at, (size_t)call->n * gbl_dtype_bytes(call->dtype));
    }
}

static void move_columns(const gbl_product_args *call, void *copy, bool whole, bool back)
{
    const int64_t n = call->n;
    const bool lower = call->uplo == GABLE_LOWER;
    for (int64_t j = 0; j < n; j++) {
        const int64_t first = lower && !whole ? j : 0, end = lower || whole ? n : j + 1;
        void *const at = gbl_element(call->dtype, call->A, call->lda, first, j),
                    *const kept = gbl_element(call->dtype, copy, n, first, j);
        memcpy(back ? at : kept, back ? kept : at,
               (size_t)(end - first) * gbl_dtype_bytes(call->dtype));
    }
}

/* False: something is not finite, and the outputs say so. */
static bool begins(gbl_eigen_routine which, const gbl_product_args *call)
{
    int64_t number = 0;
    if (which == GBL_STERF || which == GBL_STEDC)
        return gbl_eigen_tridiagonal_finite(call);
    if (which == GBL_SYGST) {
        clear_diagonal(call->dtype, call->n, call->A, call->lda);
        return true;
    }
    if (!triangle_finite(call, call->A, call->lda))
        number = which == GBL_SYEVD ? GBL_SYEVD_A : which == GBL_SYGVD ? GBL_SYGVD_A : GBL_SYEVX_A;
    else if (which == GBL_SYGVD && !triangle_finite(call, call->B, call->ldb))
        number = GBL_SYGVD_B;
    if (number == 0)
        return true;
    *call->info = -number;
    if (which == GBL_SYEVX) {
        const int64_t found = call->range == GABLE_RANGE_VALUES    ? 0
                              : call->range == GABLE_RANGE_INDICES ? call->ihi - call->ilo + 1
                                                                   : call->n;
        *call->found = found;
        fill_nan(call->dtype, call->d, found);
        for (int64_t i = 0; gbl_eigen_vectors(call) && i < found; i++)
            call->ipiv[i] = 0;
        if (gbl_eigen_vectors(call))
            fill_columns(call->dtype, call->n, found, call->C, call->ldc);
        return false;
    }
    fill_nan(call->dtype, call->d, call->n);
    if (gbl_eigen_vectors(call))
        fill_columns(call->dtype, call->n, call->n, call->A, call->lda);
    return false;
}

static gable_status task(gbl_queue *queue, void *stream, const void *given, gbl_message *message)
{
    const eigen_args *args = given;
    (void)queue, (void)stream;
    if (gbl_cpu_is_serial())
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "%s was recorded to call the installed LAPACK, which cannot run in a "
                        "process that was forked by a thread of an OpenMP region",
                        stems[args->which]);
    if (!begins(args->which, &args->call))
        return GABLE_OK;
    if (args->copy == NULL) {
        gbl_eigen_library_run(args->which, &args->call, &args->room);
        return GABLE_OK;
    }
    gbl_product_args kept = args->call;
    if (args->which == GBL_SYEVX) {
        kept.A = args->copy;
        kept.lda = kept.ldc = kept.n;
        kept.C = gbl_element(kept.dtype, args->copy, kept.n, 0, kept.n + 1);
        move_columns(&args->call, args->copy, false, false);
        gbl_eigen_library_run(args->which, &kept, &args->room);
        for (int64_t j = 0; gbl_eigen_vectors(&kept) && j < *kept.found; j++)
            memcpy(gbl_element(kept.dtype, args->call.C, args->call.ldc, 0, j),
                   gbl_element(kept.dtype, kept.C, kept.n, 0, j),
                   (size_t)kept.n * gbl_dtype_bytes(kept.dtype));
        return GABLE_OK;
    }
    if (args->which == GBL_STEDC) {
        kept.C = args->copy;
        kept.ldc = kept.n;
        move_vectors(&args->call, args->copy, false);
        gbl_eigen_library_run(args->which, &kept, &args->room);
        move_vectors(&args->call, args->copy, true);
        return GABLE_OK;
    }
    kept.A = args->copy;
    kept.lda = kept.n;
    move_columns(&args->call, args->copy, false, false);
    gbl_eigen_library_run(args->which, &kept, &args->room);
    move_columns(&args->call, args->copy, gbl_eigen_vectors(&kept), true);
    return GABLE_OK;
}

static gbl_eigen_routine routine_of(const gbl_variant *self)
{
    return *(const gbl_eigen_routine *)self->detail;
}

/* Complex operands beside A, and beside syevx's Z, stay where they are: with a BLAS that loads past
 * their ends only routines that have none go through the library. */
bool gbl_eigen_installed_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    const gbl_eigen_routine which = routine_of(self);
    const bool alone = which != GBL_SYGST && which != GBL_SYGVD;
    return device->props.is_host && (alone || gbl_cpu_blas_trusted(call->dtype)) &&
           gbl_eigen_library_fits(which, call) && !gbl_blas_speed_get()->slow;
}

static gable_status take(gable_context *ctx, size_t bytes, void **address)
{
    *address = NULL;
    return bytes == 0 ? GABLE_OK
                      : gbl_arena_take(ctx->arena, ctx->device, bytes, address, &ctx->message);
}

/* A recording that is replayed inside an OpenMP region calls the library there all the same: such a
 * matrix is reduced by one thread or by too many, but right. */
gable_status gbl_eigen_installed_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                     const gbl_params *params)
{
    const gbl_product_call *call = given;
    const gbl_eigen_routine which = routine_of(self);
    eigen_args args = {.call = *call, .which = which};
    void *iwork;
    (void)params;
    gbl_eigen_library_room(which, call, &args.room);
    TRY(take(ctx, args.room.work_bytes, &args.room.work));
    TRY(take(ctx, args.room.rwork_bytes, &args.room.rwork));
    TRY(take(ctx, args.room.iwork_bytes, &iwork));
    args.room.iwork = iwork;
    const bool trusted = gbl_cpu_blas_trusted(call->dtype);
    const int64_t columns = call->n + 1 + (which == GBL_SYEVX ? call->n + 1 : 0);
    if (((which == GBL_SYEVD || which == GBL_SYEVX) && !trusted) || writes_gaps(which, call))
        TRY(take(ctx, (size_t)(call->n * columns) * gbl_dtype_bytes(call->dtype) + BYTES_BEHIND,
                 &args.copy));
    return gbl_task(ctx, stems[which], task, &args, sizeof args);
}

void gbl_eigen_installed_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_cost *cost)
{
    static const gbl_op *const ops[GBL_EIGEN_ROUTINES] = {
        &gbl_sterf_op, &gbl_stedc_op, &gbl_syevd_op, &gbl_sygst_op, &gbl_sygvd_op, &gbl_syevx_op};
    (void)params;
    gbl_installed_cost(ops[routine_of(self)], call, device, cost);
}
