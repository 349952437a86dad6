/* installed.c: steps of routines through the LAPACK that is installed, on cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A library's potrf does not keep Gable's promise where a pivot is not positive: that the columns
 * before it are those of the factor. OpenBLAS and LAPACK leave the rows below a block as they were,
 * and OpenBLAS 0.3.21 does not see a NaN. So only leaves go through it. They are copied first, and
 * one that fails is factored again by own code. A copy takes a tenth of a leaf's time.
 *
 * getrf goes through it as a whole where all numbers are finite: libraries disagree about the pivot
 * beside a NaN. geqrf and gebrd do so always. A recording may be replayed inside an OpenMP region,
 * where a library would start threads of its own: there, too, own code serves.
 */
#include <limits.h>
#include <string.h>
#include "blas/blas_speed.h"
#include "blas/host_cost.h"
#include "core/arena.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "device/cpu_blas.h"
#include "device/cpu_lapack.h"
#include "lapack/installed.h"

#define MOST_ROWS 64 /* of a leaf: cpu_potrf.c */

static const gbl_task_function own_leaves[4] = {gbl_cpu_spotrf_leaf, gbl_cpu_dpotrf_leaf,
                                                gbl_cpu_cpotrf_leaf, gbl_cpu_zpotrf_leaf};

/* Copies the triangle of a leaf to or from `kept`, whose columns follow one another. */
static void copy_triangle(const gbl_cpu_potrf_args *call, size_t elem, char *kept, bool back)
{
    for (int64_t j = 0; j < call->n; j++) {
        const int64_t first = call->uplo == GABLE_UPPER ? 0 : j,
                      rows = call->uplo == GABLE_UPPER ? j + 1 : call->n - j;
        char *const there = (char *)call->A + (size_t)(first + j * call->lda) * elem;
        char *const here = kept + (size_t)(first + j * call->n) * elem;
        memcpy(back ? there : here, back ? here : there, (size_t)rows * elem);
    }
}

/* Whether all pivots are positive, which a NaN is not. */
static bool is_definite(const gbl_cpu_potrf_args *call, gbl_dtype dtype)
{
    for (int64_t i = 0; i < call->n; i++) {
        const void *pivot = gbl_element(dtype, call->A, call->lda, i, i);
        if (gbl_dtype_real_bytes(dtype) == 4 ? !(*(const float *)pivot > 0)
                                             : !(*(const double *)pivot > 0))
            return false;
    }
    return true;
}

static gable_status leaf(gbl_dtype dtype, gbl_queue *queue, void *stream, const void *args,
                         gbl_message *message)
{
    const gbl_cpu_potrf_args *call = args;
    const int n = (int)call->n, lda = (int)call->lda;
    const size_t elem = gbl_dtype_bytes(dtype);
    _Alignas(64) char kept[MOST_ROWS * MOST_ROWS * 16];
    int info = 0;
    if (call->before > 0 && *call->info != 0)
        return GABLE_OK;
    copy_triangle(call, elem, kept, false);
    gbl_cpu_lapack_get()->potrf[dtype](gbl_lapack_uplo(call->uplo), &n, call->A, &lda, &info, 1);
    if (info != 0 || !is_definite(call, dtype)) {
        copy_triangle(call, elem, kept, true);
        return own_leaves[dtype](queue, stream, args, message);
    }
    if (call->before == 0)
        *call->info = 0;
    return GABLE_OK;
}

#define LEAF(letter, dtype)                                                                        \
    static gable_status letter##leaf(gbl_queue *queue, void *stream, const void *args,             \
                                     gbl_message *message)                                         \
    {                                                                                              \
        return leaf(dtype, queue, stream, args, message);                                          \
    }
LEAF(s, GBL_S)
LEAF(d, GBL_D)
LEAF(c, GBL_C)
LEAF(z, GBL_Z)

gbl_task_function gbl_installed_potrf_leaf(gbl_dtype dtype, int64_t n, int64_t lda)
{
    static const gbl_task_function leaves[4] = {sleaf, dleaf, cleaf, zleaf};
    const bool installed =
        n <= MOST_ROWS && GBL_LAPACK_FITS("potrf", dtype, n, lda) && !gbl_blas_speed_get()->slow;
    return (installed ? leaves : own_leaves)[dtype];
}

/* ---- Whole matrices ---- */

/* Reductions take rows of A as vectors whose elements are lda apart, and LAPACK (larf) and OpenBLAS
 * (gemv of 0.3.21) find the last of them by a product in their int. getrf and geqrf take none. */
static bool rows_fit(const char *stem, const gbl_product_call *call)
{
    if (strcmp(stem, "sytrd") != 0 && strcmp(stem, "gehrd") != 0 && strcmp(stem, "gebrd") != 0)
        return true;
    return call->n <= 1 || call->lda <= (INT_MAX - call->m) / call->n;
}

bool gbl_installed_fits(const char *stem, const gbl_product_call *call, const gbl_device *device)
{
    return device->props.is_host && rows_fit(stem, call) &&
           GBL_LAPACK_FITS(stem, call->dtype, call->m, call->n, call->lda) &&
           !gbl_blas_speed_get()->slow;
}

void gbl_installed_cost(const gbl_op *op, const void *call, const gbl_device *device,
                        gbl_cost *cost)
{
    const gbl_host_walk walk = gbl_host_vectors();
    gbl_work least;
    op->work(call, &least);
    gbl_host_cost(&least, &walk, device, cost);
}

static bool is_finite(const gbl_product_args *call)
{
    const int64_t reals = gbl_dtype_complex(call->dtype) ? 2 : 1;
    const bool single = gbl_dtype_real_bytes(call->dtype) == 4, gaps = call->lda != call->m;
    const int64_t columns = gaps ? call->n : 1, count = reals * call->m * (gaps ? 1 : call->n);
    bool finite = true;
    for (int64_t j = 0; finite && j < columns; j++) {
        const void *column = gbl_element(call->dtype, call->A, call->lda, 0, j);
        finite = single ? gbl_cpu_sall_finite(column, count) : gbl_cpu_dall_finite(column, count);
    }
    return finite;
}

/* ---- getrf ---- */

#define OWN_COLUMNS 32

/* By own tasks, which run here and now: columns, then what stands behind them. */
static gable_status factor_by_own(gbl_queue *queue, void *stream, const gbl_product_args *call,
                                  gbl_message *message)
{
    static const gbl_task_function leaves[4] = {gbl_cpu_sgetrf_leaf, gbl_cpu_dgetrf_leaf,
                                                gbl_cpu_cgetrf_leaf, gbl_cpu_zgetrf_leaf},
                                   exchanges[4] = {gbl_cpu_slaswp_omp, gbl_cpu_dlaswp_omp,
                                                   gbl_cpu_claswp_omp, gbl_cpu_zlaswp_omp},
                                   solves[4] = {gbl_cpu_strsm_omp, gbl_cpu_dtrsm_omp,
                                                gbl_cpu_ctrsm_omp, gbl_cpu_ztrsm_omp},
                                   products[4] = {gbl_cpu_sgemm_omp, gbl_cpu_dgemm_omp,
                                                  gbl_cpu_cgemm_omp, gbl_cpu_zgemm_omp};
    const gbl_dtype dtype = call->dtype;
    const int64_t m = call->m, n = call->n, lda = call->lda, pivots = m < n ? m : n;
    for (int64_t first = 0; first < pivots; first += OWN_COLUMNS) {
        const int64_t count = pivots - first < OWN_COLUMNS ? pivots - first : OWN_COLUMNS,
                      end = first + count;
        void *const corner = gbl_element(dtype, call->A, lda, first, first), *const beside =
                                                                                 gbl_element(
                                                                                     dtype, call->A,
                                                                                     lda, first,
                                                                                     end);
        const gbl_cpu_getrf_args leaf = {.m = m - first,
                                         .n = count,
                                         .A = corner,
                                         .lda = lda,
                                         .before = first,
                                         .ipiv = call->ipiv + first,
                                         .info = call->info};
        const gbl_cpu_laswp_args rows = {.n = n - count,
                                         .lda = lda,
                                         .first = first,
                                         .count = count,
                                         .inc = 1,
                                         .skip = first,
                                         .width = count,
                                         .A = call->A,
                                         .ipiv = call->ipiv};
        const gbl_product_args solve = {.dtype = dtype,
                                        .side = GABLE_LEFT,
                                        .uplo = GABLE_LOWER,
                                        .trans = GABLE_NO_TRANS,
                                        .diag = GABLE_UNIT,
                                        .m = count,
                                        .n = n - end,
                                        .alpha = {.re = 1},
                                        .A = corner,
                                        .lda = lda,
                                        .B = beside,
                                        .ldb = lda},
                               product = {.dtype = dtype,
                                          .trans = GABLE_NO_TRANS,
                                          .trans_b = GABLE_NO_TRANS,
                                          .m = m - end,
                                          .n = n - end,
                                          .k = count,
                                          .alpha = {.re = -1},
                                          .A = gbl_element(dtype, call->A, lda, end, first),
                                          .lda = lda,
                                          .B = beside,
                                          .ldb = lda,
                                          .beta = {.re = 1},
                                          .C = gbl_element(dtype, call->A, lda, end, end),
                                          .ldc = lda};
        TRY(leaves[dtype](queue, stream, &leaf, message));
        if (n > count)
            TRY(exchanges[dtype](queue, stream, &rows, message));
        if (n > end)
            TRY(solves[dtype](queue, stream, &solve, message));
        if (n > end && m > end)
            TRY(products[dtype](queue, stream, &product, message));
    }
    return GABLE_OK;
}

/* Pivots come as int and are spread from the last on. */
static gable_status getrf_task(gbl_queue *queue, void *stream, const void *args,
                               gbl_message *message)
{
    const gbl_product_args *call = args;
    const int m = (int)call->m, n = (int)call->n, lda = (int)call->lda;
    int info = 0;
    if (!GBL_LAPACK_FITS("getrf", call->dtype, m, n, lda) || !is_finite(call))
        return factor_by_own(queue, stream, call, message);
    gbl_cpu_lapack_get()->getrf[call->dtype](&m, &n, call->A, &lda, (int *)(void *)call->ipiv,
                                             &info);
    for (int i = (m < n ? m : n) - 1; i >= 0; i--) {
        int pivot;
        memcpy(&pivot, (const char *)call->ipiv + (size_t)i * sizeof pivot, sizeof pivot);
        call->ipiv[i] = pivot;
    }
    *call->info = info;
    return GABLE_OK;
}

gable_status gbl_installed_getrf(gable_context *ctx, const gbl_product_call *call)
{
    return gbl_task(ctx, "getrf", getrf_task, call, sizeof *call);
}

/* ---- geqrf ---- */

/* Of gebrd, too. */
typedef struct geqrf_args {
    gbl_product_args call;
    void *work;
    int lwork; /* elements */
} geqrf_args;

static gable_status geqrf_task(gbl_queue *queue, void *stream, const void *given,
                               gbl_message *message)
{
    static const gbl_task_function own[4] = {gbl_cpu_sgeqrf_plain, gbl_cpu_dgeqrf_plain,
                                             gbl_cpu_cgeqrf_plain, gbl_cpu_zgeqrf_plain};
    const geqrf_args *args = given;
    const gbl_product_args *call = &args->call;
    const int m = (int)call->m, n = (int)call->n, lda = (int)call->lda;
    int info = 0;
    if (!GBL_LAPACK_FITS("geqrf", call->dtype, m, n, lda))
        return own[call->dtype](queue, stream, call, message);
    gbl_cpu_lapack_get()->geqrf[call->dtype](&m, &n, call->A, &lda, call->tau, args->work,
                                             &args->lwork, &info);
    return GABLE_OK;
}

/* The library tells how much workspace it wants in the first element of it, as a real number; not
 * less than `least` elements are taken. */
static gable_status take_work(gable_context *ctx, const double *wanted, int least, geqrf_args *args)
{
    const gbl_dtype dtype = args->call.dtype;
    float single;
    memcpy(&single, wanted, sizeof single);
    args->lwork = gbl_dtype_real_bytes(dtype) == 4 ? (int)single : (int)wanted[0];
    if (args->lwork < least)
        args->lwork = least;
    return gbl_arena_take(ctx->arena, ctx->device, (size_t)args->lwork * gbl_dtype_bytes(dtype),
                          &args->work, &ctx->message);
}

gable_status gbl_installed_geqrf(gable_context *ctx, const gbl_product_call *call)
{
    geqrf_args args = {.call = *call, .lwork = -1};
    const int m = (int)call->m, n = (int)call->n, lda = (int)call->lda;
    double wanted[2] = {0, 0};
    int info = 0;
    gbl_cpu_lapack_get()->geqrf[call->dtype](&m, &n, call->A, &lda, call->tau, wanted, &args.lwork,
                                             &info);
    TRY(take_work(ctx, wanted, n, &args));
    return gbl_task(ctx, "geqrf", geqrf_task, &args, sizeof args);
}

/* ---- gebrd ---- */

/* A BLAS that loads past the ends of complex operands (cpu_blas.h) is given a copy with so many
 * bytes behind it. OpenBLAS 0.3.21 does so where gebd2 applies reflectors from the right. Its
 * loads are of 64 bytes. */
#define BYTES_BEHIND 256

typedef struct gebrd_args {
    geqrf_args common;
    void *copy; /* NULL: A itself serves */
} gebrd_args;

/* Columns from one matrix to another, m by n. */
static void copy_columns(const gbl_product_args *call, const void *from, int64_t ld_from, void *to,
                         int64_t ld_to)
{
    const size_t bytes = (size_t)call->m * gbl_dtype_bytes(call->dtype);
    for (int64_t j = 0; j < call->n; j++)
        memcpy(gbl_element(call->dtype, to, ld_to, 0, j),
               gbl_element(call->dtype, from, ld_from, 0, j), bytes);
}

static gable_status gebrd_task(gbl_queue *queue, void *stream, const void *given,
                               gbl_message *message)
{
    static const gbl_task_function own[4] = {gbl_cpu_sgebrd_plain, gbl_cpu_dgebrd_plain,
                                             gbl_cpu_cgebrd_plain, gbl_cpu_zgebrd_plain};
    const gebrd_args *args = given;
    gbl_product_args call = args->common.call;
    void *const A = args->copy != NULL ? args->copy : call.A;
    const int m = (int)call.m, n = (int)call.n, lda = args->copy != NULL ? m : (int)call.lda;
    int info = 0;
    call.B = args->common.work;
    if (!GBL_LAPACK_FITS("gebrd", call.dtype, m, n, lda))
        return own[call.dtype](queue, stream, &call, message);
    if (args->copy != NULL)
        copy_columns(&call, call.A, call.lda, A, lda);
    gbl_cpu_lapack_get()->gebrd[call.dtype](&m, &n, A, &lda, call.d, call.e, call.tau, call.taup,
                                            args->common.work, &args->common.lwork, &info);
    if (args->copy != NULL)
        copy_columns(&call, A, lda, call.A, call.lda);
    return GABLE_OK;
}

gable_status gbl_installed_gebrd(gable_context *ctx, const gbl_product_call *call)
{
    gebrd_args args = {.common = {.call = *call, .lwork = -1}};
    const int m = (int)call->m, n = (int)call->n, lda = (int)call->lda;
    double wanted[2] = {0, 0};
    int info = 0;
    gbl_cpu_lapack_get()->gebrd[call->dtype](&m, &n, call->A, &lda, call->d, call->e, call->tau,
                                             call->taup, wanted, &args.common.lwork, &info);
    TRY(take_work(ctx, wanted, m > n ? m : n, &args.common));
    if (!gbl_cpu_blas_trusted(call->dtype))
        TRY(gbl_arena_take(ctx->arena, ctx->device,
                           (size_t)(call->m * call->n) * gbl_dtype_bytes(call->dtype) +
                               BYTES_BEHIND,
                           &args.copy, &ctx->message));
    return gbl_task(ctx, "gebrd", gebrd_task, &args, sizeof args);
}
