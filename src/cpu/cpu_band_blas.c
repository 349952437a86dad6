/* cpu_band_blas.c: products and solves with band and packed matrices through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Libraries differ in what alpha = 0 and beta = 0 do to a NaN, so products are not given these: y
 * is scaled first. There are no complex symmetric routines in BLAS, only Hermitian ones: sbmv_blas
 * and spmv_blas of c and z are to be had for these alone. Threads of OpenBLAS 0.3.21 copy strided
 * vectors of these matrices with threads again, and can wait for each other for ever: here such
 * vectors are copied before the library sees them. Inside a caller's OpenMP region the twin with
 * OpenMP serves, which is serial there.
 */
#include <stdlib.h>
#include "cpu/cpu_vector.h"

/* A scalar as BLAS takes it: complex ones by address. Hermitian routines stand beside the real
 * ones. */
#if COMPLEX
#define PASSED(number) (&(number))
#define BLAS_SBMV      BLAS(hbmv)
#define BLAS_SPMV      BLAS(hpmv)
#else
#define PASSED(number) (number)
#define BLAS_SBMV      BLAS(sbmv)
#define BLAS_SPMV      BLAS(spmv)
#endif

typedef GBL_CPU_TASK((*task_function));

/* What is left to the library of y := alpha A x + beta y. */
typedef struct product {
    const gbl_cpu_blas *blas;
    T alpha, beta;
    bool done; /* nothing */
} product;

/* y := beta y with a product whose alpha is 0, which reads neither A nor x. */
static gable_status scale(task_function omp, const gbl_matrix_args *call, gbl_message *message)
{
    gbl_matrix_args scaled = *call;
    scaled.alpha = (gbl_scalar){.re = 0};
    return omp(NULL, NULL, &scaled, message);
}

static gable_status begin(task_function omp, const gbl_matrix_args *call, product *p,
                          gbl_message *message)
{
    const gbl_scalar one = {.re = 1};
    p->blas = gbl_cpu_blas_get();
    p->done = true;
    if (p->blas == NULL)
        return no_blas(message);
    if (omp_in_parallel() || call->m <= 0 || call->n <= 0)
        return omp(NULL, NULL, call, message);
    p->alpha = read_scalar(&call->alpha);
    p->beta = read_scalar(&call->beta);
    p->done = is_zero(p->alpha);
    if (is_zero(p->alpha) || is_zero(p->beta)) {
        TRY(scale(omp, call, message));
        p->beta = read_scalar(&one);
    }
    return GABLE_OK;
}

/* CBLAS wants no conjugated transpose of a real matrix. */
static int trans_of(const gbl_matrix_args *call)
{
    return !COMPLEX && call->trans == GABLE_CONJ_TRANS ? GABLE_TRANS : (int)call->trans;
}

/* ---- Strides ---- */

#define ROOM 512 /* elements on the stack */

static void take(int64_t n, const T *x, int64_t inc, T *to)
{
    x -= low_end(n, inc);
    for (int64_t i = 0; i < n; i++)
        to[i] = x[i * inc];
}

static void give(int64_t n, const T *from, T *x, int64_t inc)
{
    x -= low_end(n, inc);
    for (int64_t i = 0; i < n; i++)
        x[i * inc] = from[i];
}

static bool is_strided(const gbl_matrix_args *call)
{
    return call->incx != 1 || (call->y != NULL && call->incy != 1);
}

/* A task with contiguous copies of x, of so many elements, and of y, which is changed; without y, x
 * is. */
static gable_status run_copied(task_function task, const gbl_matrix_args *call, int64_t x_count,
                               int64_t y_count, gbl_message *message)
{
    T room[ROOM], *copies = room;
    const size_t bytes = (size_t)(x_count + y_count) * sizeof(T);
    if (x_count + y_count > ROOM)
        copies = malloc(bytes);
    if (copies == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for vectors of %zu bytes",
                        bytes);
    gbl_matrix_args unit = *call;
    unit.x = copies;
    unit.y = call->y != NULL ? copies + x_count : NULL;
    unit.incx = unit.incy = 1;
    take(x_count, call->x, call->incx, unit.x);
    if (call->y != NULL)
        take(y_count, call->y, call->incy, unit.y);
    const gable_status status = task(NULL, NULL, &unit, message);
    if (call->y != NULL)
        give(y_count, unit.y, call->y, call->incy);
    else
        give(x_count, unit.x, call->x, call->incx);
    if (copies != room)
        free(copies);
    return status;
}

/* gbl_cpu_sgbmv_blas gbl_cpu_dgbmv_blas gbl_cpu_cgbmv_blas gbl_cpu_zgbmv_blas */
GBL_CPU_TASK(PRIVATE(gbmv_blas))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const bool turned = call->trans != GABLE_NO_TRANS;
    if (call->m > 0 && call->n > 0 && is_strided(call))
        return run_copied(PRIVATE(gbmv_blas), call, turned ? call->m : call->n,
                          turned ? call->n : call->m, message);
    product p;
    TRY(begin(PRIVATE(gbmv_omp), call, &p, message));
    if (!p.done)
        p.blas->BLAS(gbmv)(GBL_CPU_BLAS_COLUMNS, trans_of(call), (int)call->m, (int)call->n,
                           (int)call->kl, (int)call->ku, PASSED(p.alpha), call->A, (int)call->lda,
                           call->x, (int)call->incx, PASSED(p.beta), call->y, (int)call->incy);
    return GABLE_OK;
}

/* gbl_cpu_ssbmv_blas gbl_cpu_dsbmv_blas gbl_cpu_csbmv_blas gbl_cpu_zsbmv_blas (complex: hbmv) */
GBL_CPU_TASK(PRIVATE(sbmv_blas))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    if (call->m > 0 && call->n > 0 && is_strided(call))
        return run_copied(PRIVATE(sbmv_blas), call, call->n, call->n, message);
    product p;
    TRY(begin(PRIVATE(sbmv_omp), call, &p, message));
    if (!p.done)
        p.blas->BLAS_SBMV(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, (int)call->n, (int)call->ku,
                          PASSED(p.alpha), call->A, (int)call->lda, call->x, (int)call->incx,
                          PASSED(p.beta), call->y, (int)call->incy);
    return GABLE_OK;
}

/* gbl_cpu_sspmv_blas gbl_cpu_dspmv_blas gbl_cpu_cspmv_blas gbl_cpu_zspmv_blas (complex: hpmv) */
GBL_CPU_TASK(PRIVATE(spmv_blas))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    if (call->m > 0 && call->n > 0 && is_strided(call))
        return run_copied(PRIVATE(spmv_blas), call, call->n, call->n, message);
    product p;
    TRY(begin(PRIVATE(spmv_omp), call, &p, message));
    if (!p.done)
        p.blas->BLAS_SPMV(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, (int)call->n, PASSED(p.alpha),
                          call->A, call->x, (int)call->incx, PASSED(p.beta), call->y,
                          (int)call->incy);
    return GABLE_OK;
}

/* gbl_cpu_stbmv_blas gbl_cpu_dtbmv_blas gbl_cpu_ctbmv_blas gbl_cpu_ztbmv_blas */
GBL_CPU_TASK(PRIVATE(tbmv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(tbmv_omp)(queue, stream, args, message);
    if (call->n > 0 && is_strided(call))
        return run_copied(PRIVATE(tbmv_blas), call, call->n, 0, message);
    blas->BLAS(tbmv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans_of(call), (int)call->diag,
                     (int)call->n, (int)call->ku, call->A, (int)call->lda, call->x,
                     (int)call->incx);
    return GABLE_OK;
}

/* gbl_cpu_stbsv_blas gbl_cpu_dtbsv_blas gbl_cpu_ctbsv_blas gbl_cpu_ztbsv_blas */
GBL_CPU_TASK(PRIVATE(tbsv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(tbsv_omp)(queue, stream, args, message);
    if (call->n > 0 && is_strided(call))
        return run_copied(PRIVATE(tbsv_blas), call, call->n, 0, message);
    blas->BLAS(tbsv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans_of(call), (int)call->diag,
                     (int)call->n, (int)call->ku, call->A, (int)call->lda, call->x,
                     (int)call->incx);
    return GABLE_OK;
}

/* gbl_cpu_stpmv_blas gbl_cpu_dtpmv_blas gbl_cpu_ctpmv_blas gbl_cpu_ztpmv_blas */
GBL_CPU_TASK(PRIVATE(tpmv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(tpmv_omp)(queue, stream, args, message);
    if (call->n > 0 && is_strided(call))
        return run_copied(PRIVATE(tpmv_blas), call, call->n, 0, message);
    blas->BLAS(tpmv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans_of(call), (int)call->diag,
                     (int)call->n, call->A, call->x, (int)call->incx);
    return GABLE_OK;
}

/* gbl_cpu_stpsv_blas gbl_cpu_dtpsv_blas gbl_cpu_ctpsv_blas gbl_cpu_ztpsv_blas */
GBL_CPU_TASK(PRIVATE(tpsv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(tpsv_omp)(queue, stream, args, message);
    if (call->n > 0 && is_strided(call))
        return run_copied(PRIVATE(tpsv_blas), call, call->n, 0, message);
    blas->BLAS(tpsv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans_of(call), (int)call->diag,
                     (int)call->n, call->A, call->x, (int)call->incx);
    return GABLE_OK;
}
