/* openblas_level2.c: OpenBLAS's matrix routines as tasks of the benchmark.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Strides are 1, sizes were found to fit. Numbers of gable_trans, gable_uplo and gable_diag are CBLAS's.
 * OpenBLAS's own omatcopy stands beside transpose; complex symmetric routines it has not under cblas_ names.
 */
#include <stdio.h>
#include <string.h>
#include "device/dynlib.h"
#include "device/matrix_args.h"
#include "peers/openblas_level2.h"

enum { COLUMN_MAJOR = 102 };

/* Scalars by value in s and d, by address in c and z; her's are real. */
static struct {
    void (*sgemv)(int order, int trans, int m, int n, float alpha, const void *A, int lda,
                  const void *x, int incx, float beta, void *y, int incy);
    void (*dgemv)(int order, int trans, int m, int n, double alpha, const void *A, int lda,
                  const void *x, int incx, double beta, void *y, int incy);
    void (*gemv[2])(int order, int trans, int m, int n, const void *alpha, const void *A, int lda,
                    const void *x, int incx, const void *beta, void *y, int incy);
    void (*ssymv)(int order, int uplo, int n, float alpha, const void *A, int lda, const void *x,
                  int incx, float beta, void *y, int incy);
    void (*dsymv)(int order, int uplo, int n, double alpha, const void *A, int lda, const void *x,
                  int incx, double beta, void *y, int incy);
    void (*hemv[2])(int order, int uplo, int n, const void *alpha, const void *A, int lda,
                    const void *x, int incx, const void *beta, void *y, int incy);
    void (*sger)(int order, int m, int n, float alpha, const void *x, int incx, const void *y,
                 int incy, void *A, int lda);
    void (*dger)(int order, int m, int n, double alpha, const void *x, int incx, const void *y,
                 int incy, void *A, int lda);
    void (*geru[2])(int order, int m, int n, const void *alpha, const void *x, int incx,
                    const void *y, int incy, void *A, int lda);
    void (*gerc[2])(int order, int m, int n, const void *alpha, const void *x, int incx,
                    const void *y, int incy, void *A, int lda);
    void (*single_syr[2])(int order, int uplo, int n, float alpha, const void *x, int incx, void *A,
                          int lda); /* ssyr, cher */
    void (*double_syr[2])(int order, int uplo, int n, double alpha, const void *x, int incx,
                          void *A, int lda); /* dsyr, zher */
    void (*ssyr2)(int order, int uplo, int n, float alpha, const void *x, int incx, const void *y,
                  int incy, void *A, int lda);
    void (*dsyr2)(int order, int uplo, int n, double alpha, const void *x, int incx, const void *y,
                  int incy, void *A, int lda);
    void (*her2[2])(int order, int uplo, int n, const void *alpha, const void *x, int incx,
                    const void *y, int incy, void *A, int lda);
    void (*trmv[4])(int order, int uplo, int trans, int diag, int n, const void *A, int lda,
                    void *x, int incx);
    void (*trsv[4])(int order, int uplo, int trans, int diag, int n, const void *A, int lda,
                    void *x, int incx);
    void (*somatcopy)(int order, int trans, int m, int n, float alpha, const void *A, int lda,
                      void *B, int ldb);
    void (*domatcopy)(int order, int trans, int m, int n, double alpha, const void *A, int lda,
                      void *B, int ldb);
    void (*omatcopy[2])(int order, int trans, int m, int n, const void *alpha, const void *A,
                        int lda, void *B, int ldb);
} blas;

const char *openblas_load_level2(void *library)
{
    const gbl_symbol symbols[] = {
        {"cblas_sgemv", &blas.sgemv, false},
        {"cblas_dgemv", &blas.dgemv, false},
        {"cblas_cgemv", &blas.gemv[0], false},
        {"cblas_zgemv", &blas.gemv[1], false},
        {"cblas_ssymv", &blas.ssymv, false},
        {"cblas_dsymv", &blas.dsymv, false},
        {"cblas_chemv", &blas.hemv[0], false},
        {"cblas_zhemv", &blas.hemv[1], false},
        {"cblas_sger", &blas.sger, false},
        {"cblas_dger", &blas.dger, false},
        {"cblas_cgeru", &blas.geru[0], false},
        {"cblas_zgeru", &blas.geru[1], false},
        {"cblas_cgerc", &blas.gerc[0], false},
        {"cblas_zgerc", &blas.gerc[1], false},
        {"cblas_ssyr", &blas.single_syr[0], false},
        {"cblas_cher", &blas.single_syr[1], false},
        {"cblas_dsyr", &blas.double_syr[0], false},
        {"cblas_zher", &blas.double_syr[1], false},
        {"cblas_ssyr2", &blas.ssyr2, false},
        {"cblas_dsyr2", &blas.dsyr2, false},
        {"cblas_cher2", &blas.her2[0], false},
        {"cblas_zher2", &blas.her2[1], false},
        {"cblas_strmv", &blas.trmv[0], false},
        {"cblas_dtrmv", &blas.trmv[1], false},
        {"cblas_ctrmv", &blas.trmv[2], false},
        {"cblas_ztrmv", &blas.trmv[3], false},
        {"cblas_strsv", &blas.trsv[0], false},
        {"cblas_dtrsv", &blas.trsv[1], false},
        {"cblas_ctrsv", &blas.trsv[2], false},
        {"cblas_ztrsv", &blas.trsv[3], false},
        {"cblas_somatcopy", &blas.somatcopy, true},
        {"cblas_domatcopy", &blas.domatcopy, true},
        {"cblas_comatcopy", &blas.omatcopy[0], true},
        {"cblas_zomatcopy", &blas.omatcopy[1], true},
    };
    return gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}

/* A complex scalar in the type of the matrix. */
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

#define TASK(name)                                                                                 \
    static gable_status name(gbl_queue *queue, void *stream, const void *given,                    \
                             gbl_message *message)
#define START()                                                                                    \
    const gbl_matrix_args *a = given;                                                              \
    const scalar alpha = typed(a->dtype, a->alpha), beta = typed(a->dtype, a->beta);               \
    const int m = (int)a->m, n = (int)a->n, lda = (int)a->lda, part = a->dtype - GBL_C;            \
    (void)queue, (void)stream, (void)message, (void)m, (void)n, (void)lda, (void)part;             \
    (void)alpha, (void)beta

TASK(task_gemv)
{
    START();
    const int trans = (int)a->trans;
    if (a->dtype == GBL_S)
        blas.sgemv(COLUMN_MAJOR, trans, m, n, alpha.single[0], a->A, lda, a->x, 1, beta.single[0],
                   a->y, 1);
    else if (a->dtype == GBL_D)
        blas.dgemv(COLUMN_MAJOR, trans, m, n, alpha.wide[0], a->A, lda, a->x, 1, beta.wide[0], a->y,
                   1);
    else
        blas.gemv[part](COLUMN_MAJOR, trans, m, n, &alpha, a->A, lda, a->x, 1, &beta, a->y, 1);
    return GABLE_OK;
}

/* One product after the other. */
TASK(task_gemv_batched)
{
    const gbl_matrix_args *all = given;
    const int64_t elem = (int64_t)gbl_dtype_bytes(all->dtype);
    gbl_matrix_args one = *all;
    for (int64_t b = 0; b < all->batch; b++) {
        one.A = all->pointers ? ((void **)all->A)[b] : (char *)all->A + b * all->stride_a * elem;
        one.x = all->pointers ? ((void **)all->x)[b] : (char *)all->x + b * all->stride_x * elem;
        one.y = all->pointers ? ((void **)all->y)[b] : (char *)all->y + b * all->stride_y * elem;
        TRY(task_gemv(queue, stream, &one, message));
    }
    return GABLE_OK;
}

TASK(task_symv)
{
    START();
    const int uplo = (int)a->uplo;
    if (a->dtype == GBL_S)
        blas.ssymv(COLUMN_MAJOR, uplo, n, alpha.single[0], a->A, lda, a->x, 1, beta.single[0], a->y,
                   1);
    else if (a->dtype == GBL_D)
        blas.dsymv(COLUMN_MAJOR, uplo, n, alpha.wide[0], a->A, lda, a->x, 1, beta.wide[0], a->y, 1);
    else
        blas.hemv[part](COLUMN_MAJOR, uplo, n, &alpha, a->A, lda, a->x, 1, &beta, a->y, 1);
    return GABLE_OK;
}

TASK(task_ger)
{
    START();
    if (a->dtype == GBL_S)
        blas.sger(COLUMN_MAJOR, m, n, alpha.single[0], a->x, 1, a->y, 1, a->A, lda);
    else if (a->dtype == GBL_D)
        blas.dger(COLUMN_MAJOR, m, n, alpha.wide[0], a->x, 1, a->y, 1, a->A, lda);
    else
        (a->conj ? blas.gerc : blas.geru)[part](COLUMN_MAJOR, m, n, &alpha, a->x, 1, a->y, 1, a->A,
                                                lda);
    return GABLE_OK;
}

TASK(task_syr)
{
    START();
    const int uplo = (int)a->uplo, is_complex = gbl_dtype_complex(a->dtype);
    if (gbl_dtype_real_bytes(a->dtype) == 4)
        blas.single_syr[is_complex](COLUMN_MAJOR, uplo, n, alpha.single[0], a->x, 1, a->A, lda);
    else
        blas.double_syr[is_complex](COLUMN_MAJOR, uplo, n, alpha.wide[0], a->x, 1, a->A, lda);
    return GABLE_OK;
}

TASK(task_syr2)
{
    START();
    const int uplo = (int)a->uplo;
    if (a->dtype == GBL_S)
        blas.ssyr2(COLUMN_MAJOR, uplo, n, alpha.single[0], a->x, 1, a->y, 1, a->A, lda);
    else if (a->dtype == GBL_D)
        blas.dsyr2(COLUMN_MAJOR, uplo, n, alpha.wide[0], a->x, 1, a->y, 1, a->A, lda);
    else
        blas.her2[part](COLUMN_MAJOR, uplo, n, &alpha, a->x, 1, a->y, 1, a->A, lda);
    return GABLE_OK;
}

TASK(task_trmv)
{
    START();
    blas.trmv[a->dtype](COLUMN_MAJOR, (int)a->uplo, (int)a->trans, (int)a->diag, n, a->A, lda, a->x,
                        1);
    return GABLE_OK;
}

TASK(task_trsv)
{
    START();
    blas.trsv[a->dtype](COLUMN_MAJOR, (int)a->uplo, (int)a->trans, (int)a->diag, n, a->A, lda, a->x,
                        1);
    return GABLE_OK;
}

TASK(task_transpose)
{
    START();
    const int trans = (int)a->trans, ldc = (int)a->ldc;
    const gbl_scalar value = {.re = 1};
    const scalar one = typed(a->dtype, value);
    if (a->dtype == GBL_S)
        blas.somatcopy(COLUMN_MAJOR, trans, m, n, 1, a->A, lda, a->C, ldc);
    else if (a->dtype == GBL_D)
        blas.domatcopy(COLUMN_MAJOR, trans, m, n, 1, a->A, lda, a->C, ldc);
    else
        blas.omatcopy[part](COLUMN_MAJOR, trans, m, n, &one, a->A, lda, a->C, ldc);
    return GABLE_OK;
}

gbl_task_function openblas_level2_task(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {{"gemv", task_gemv},
                 {"gemv_batched", task_gemv_batched},
                 {"symv", task_symv},
                 {"ger", task_ger},
                 {"syr", task_syr},
                 {"syr2", task_syr2},
                 {"trmv", task_trmv},
                 {"trsv", task_trsv},
                 {"transpose", task_transpose}};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}

/* Complex symmetric matrices it does not have; omatcopy an OpenBLAS may lack. */
bool openblas_has_level2(const bench_case *what)
{
    const bench_formula formula = what->op->formula;
    if (formula == BENCH_TRANSPOSE) {
        const bool has[] = {blas.somatcopy != NULL, blas.domatcopy != NULL,
                            blas.omatcopy[0] != NULL, blas.omatcopy[1] != NULL};
        return has[what->dtype];
    }
    const bool symmetric = formula == BENCH_SYMV || formula == BENCH_SYR || formula == BENCH_SYR2;
    return !symmetric || what->op->conj || !gbl_dtype_complex(what->dtype);
}
