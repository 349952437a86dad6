/* openblas_level2.c: OpenBLAS's matrix routines as tasks of the benchmark.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Strides are 1, sizes were found to fit. Numbers of gable_trans, gable_uplo and gable_diag are
 * CBLAS's. OpenBLAS's own omatcopy stands beside transpose; complex symmetric routines it has not
 * under cblas_ names.
 */
#include <string.h>
#include "device/dynlib.h"
#include "device/matrix_args.h"
#include "peers/openblas_level2.h"

enum { COLUMN_MAJOR = GBL_CPU_BLAS_COLUMNS };

/* What no other BLAS has. */
static struct {
    void (*somatcopy)(int order, int trans, int m, int n, float alpha, const void *A, int lda,
                      void *B, int ldb);
    void (*domatcopy)(int order, int trans, int m, int n, double alpha, const void *A, int lda,
                      void *B, int ldb);
    void (*omatcopy[2])(int order, int trans, int m, int n, const void *alpha, const void *A,
                        int lda, void *B, int ldb);
} more;

void openblas_load_level2(void *library)
{
    const gbl_symbol symbols[] = {
        {.name = "cblas_somatcopy", .slot = &more.somatcopy, .optional = true},
        {.name = "cblas_domatcopy", .slot = &more.domatcopy, .optional = true},
        {.name = "cblas_comatcopy", .slot = &more.omatcopy[0], .optional = true},
        {.name = "cblas_zomatcopy", .slot = &more.omatcopy[1], .optional = true},
    };
    gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}

#define TASK(name)                                                                                 \
    static gable_status name(gbl_queue *queue, void *stream, const void *given,                    \
                             gbl_message *message)
#define START()                                                                                    \
    const gbl_matrix_args *a = given;                                                              \
    const openblas_scalar alpha = openblas_typed(a->dtype, a->alpha),                              \
                          beta = openblas_typed(a->dtype, a->beta);                                \
    const int m = (int)a->m, n = (int)a->n, lda = (int)a->lda;                                     \
    const bool wide = a->dtype == GBL_Z;                                                           \
    (void)queue, (void)stream, (void)message, (void)m, (void)n, (void)lda, (void)wide;             \
    (void)alpha, (void)beta

TASK(task_gemv)
{
    START();
    const int trans = (int)a->trans;
    if (a->dtype == GBL_S)
        openblas.sgemv(COLUMN_MAJOR, trans, m, n, alpha.single[0], a->A, lda, a->x, 1,
                       beta.single[0], a->y, 1);
    else if (a->dtype == GBL_D)
        openblas.dgemv(COLUMN_MAJOR, trans, m, n, alpha.wide[0], a->A, lda, a->x, 1, beta.wide[0],
                       a->y, 1);
    else
        (wide ? openblas.zgemv : openblas.cgemv)(COLUMN_MAJOR, trans, m, n, &alpha, a->A, lda, a->x,
                                                 1, &beta, a->y, 1);
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
        openblas.ssymv(COLUMN_MAJOR, uplo, n, alpha.single[0], a->A, lda, a->x, 1, beta.single[0],
                       a->y, 1);
    else if (a->dtype == GBL_D)
        openblas.dsymv(COLUMN_MAJOR, uplo, n, alpha.wide[0], a->A, lda, a->x, 1, beta.wide[0], a->y,
                       1);
    else
        (wide ? openblas.zhemv : openblas.chemv)(COLUMN_MAJOR, uplo, n, &alpha, a->A, lda, a->x, 1,
                                                 &beta, a->y, 1);
    return GABLE_OK;
}

TASK(task_ger)
{
    START();
    if (a->dtype == GBL_S)
        openblas.sger(COLUMN_MAJOR, m, n, alpha.single[0], a->x, 1, a->y, 1, a->A, lda);
    else if (a->dtype == GBL_D)
        openblas.dger(COLUMN_MAJOR, m, n, alpha.wide[0], a->x, 1, a->y, 1, a->A, lda);
    else
        (a->conj ? (wide ? openblas.zgerc : openblas.cgerc)
                 : (wide ? openblas.zgeru : openblas.cgeru))(COLUMN_MAJOR, m, n, &alpha, a->x, 1,
                                                             a->y, 1, a->A, lda);
    return GABLE_OK;
}

TASK(task_syr)
{
    START();
    const int uplo = (int)a->uplo;
    if (a->dtype == GBL_S)
        openblas.ssyr(COLUMN_MAJOR, uplo, n, alpha.single[0], a->x, 1, a->A, lda);
    else if (a->dtype == GBL_D)
        openblas.dsyr(COLUMN_MAJOR, uplo, n, alpha.wide[0], a->x, 1, a->A, lda);
    else if (a->dtype == GBL_C)
        openblas.cher(COLUMN_MAJOR, uplo, n, alpha.single[0], a->x, 1, a->A, lda);
    else
        openblas.zher(COLUMN_MAJOR, uplo, n, alpha.wide[0], a->x, 1, a->A, lda);
    return GABLE_OK;
}

TASK(task_syr2)
{
    START();
    const int uplo = (int)a->uplo;
    if (a->dtype == GBL_S)
        openblas.ssyr2(COLUMN_MAJOR, uplo, n, alpha.single[0], a->x, 1, a->y, 1, a->A, lda);
    else if (a->dtype == GBL_D)
        openblas.dsyr2(COLUMN_MAJOR, uplo, n, alpha.wide[0], a->x, 1, a->y, 1, a->A, lda);
    else
        (wide ? openblas.zher2 : openblas.cher2)(COLUMN_MAJOR, uplo, n, &alpha, a->x, 1, a->y, 1,
                                                 a->A, lda);
    return GABLE_OK;
}

TASK(task_trmv)
{
    START();
    gbl_blas_trv *const trmv[] = {openblas.strmv, openblas.dtrmv, openblas.ctrmv, openblas.ztrmv};
    trmv[a->dtype](COLUMN_MAJOR, (int)a->uplo, (int)a->trans, (int)a->diag, n, a->A, lda, a->x, 1);
    return GABLE_OK;
}

TASK(task_trsv)
{
    START();
    gbl_blas_trv *const trsv[] = {openblas.strsv, openblas.dtrsv, openblas.ctrsv, openblas.ztrsv};
    trsv[a->dtype](COLUMN_MAJOR, (int)a->uplo, (int)a->trans, (int)a->diag, n, a->A, lda, a->x, 1);
    return GABLE_OK;
}

TASK(task_gbmv)
{
    START();
    const int trans = (int)a->trans, kl = (int)a->kl, ku = (int)a->ku;
    if (a->dtype == GBL_S)
        openblas.sgbmv(COLUMN_MAJOR, trans, m, n, kl, ku, alpha.single[0], a->A, lda, a->x, 1,
                       beta.single[0], a->y, 1);
    else if (a->dtype == GBL_D)
        openblas.dgbmv(COLUMN_MAJOR, trans, m, n, kl, ku, alpha.wide[0], a->A, lda, a->x, 1,
                       beta.wide[0], a->y, 1);
    else
        (wide ? openblas.zgbmv : openblas.cgbmv)(COLUMN_MAJOR, trans, m, n, kl, ku, &alpha, a->A,
                                                 lda, a->x, 1, &beta, a->y, 1);
    return GABLE_OK;
}

TASK(task_sbmv)
{
    START();
    const int uplo = (int)a->uplo, k = (int)a->ku;
    if (a->dtype == GBL_S)
        openblas.ssbmv(COLUMN_MAJOR, uplo, n, k, alpha.single[0], a->A, lda, a->x, 1,
                       beta.single[0], a->y, 1);
    else if (a->dtype == GBL_D)
        openblas.dsbmv(COLUMN_MAJOR, uplo, n, k, alpha.wide[0], a->A, lda, a->x, 1, beta.wide[0],
                       a->y, 1);
    else
        (wide ? openblas.zhbmv : openblas.chbmv)(COLUMN_MAJOR, uplo, n, k, &alpha, a->A, lda, a->x,
                                                 1, &beta, a->y, 1);
    return GABLE_OK;
}

TASK(task_spmv)
{
    START();
    const int uplo = (int)a->uplo;
    if (a->dtype == GBL_S)
        openblas.sspmv(COLUMN_MAJOR, uplo, n, alpha.single[0], a->A, a->x, 1, beta.single[0], a->y,
                       1);
    else if (a->dtype == GBL_D)
        openblas.dspmv(COLUMN_MAJOR, uplo, n, alpha.wide[0], a->A, a->x, 1, beta.wide[0], a->y, 1);
    else
        (wide ? openblas.zhpmv : openblas.chpmv)(COLUMN_MAJOR, uplo, n, &alpha, a->A, a->x, 1,
                                                 &beta, a->y, 1);
    return GABLE_OK;
}

TASK(task_tbmv)
{
    START();
    gbl_blas_tbv *const tbmv[] = {openblas.stbmv, openblas.dtbmv, openblas.ctbmv, openblas.ztbmv};
    tbmv[a->dtype](COLUMN_MAJOR, (int)a->uplo, (int)a->trans, (int)a->diag, n, (int)a->ku, a->A,
                   lda, a->x, 1);
    return GABLE_OK;
}

TASK(task_tbsv)
{
    START();
    gbl_blas_tbv *const tbsv[] = {openblas.stbsv, openblas.dtbsv, openblas.ctbsv, openblas.ztbsv};
    tbsv[a->dtype](COLUMN_MAJOR, (int)a->uplo, (int)a->trans, (int)a->diag, n, (int)a->ku, a->A,
                   lda, a->x, 1);
    return GABLE_OK;
}

TASK(task_tpmv)
{
    START();
    gbl_blas_tpv *const tpmv[] = {openblas.stpmv, openblas.dtpmv, openblas.ctpmv, openblas.ztpmv};
    tpmv[a->dtype](COLUMN_MAJOR, (int)a->uplo, (int)a->trans, (int)a->diag, n, a->A, a->x, 1);
    return GABLE_OK;
}

TASK(task_tpsv)
{
    START();
    gbl_blas_tpv *const tpsv[] = {openblas.stpsv, openblas.dtpsv, openblas.ctpsv, openblas.ztpsv};
    tpsv[a->dtype](COLUMN_MAJOR, (int)a->uplo, (int)a->trans, (int)a->diag, n, a->A, a->x, 1);
    return GABLE_OK;
}

TASK(task_spr)
{
    START();
    const int uplo = (int)a->uplo;
    if (a->dtype == GBL_S || a->dtype == GBL_C)
        (a->dtype == GBL_S ? openblas.sspr : openblas.chpr)(COLUMN_MAJOR, uplo, n, alpha.single[0],
                                                            a->x, 1, a->A);
    else
        (a->dtype == GBL_D ? openblas.dspr : openblas.zhpr)(COLUMN_MAJOR, uplo, n, alpha.wide[0],
                                                            a->x, 1, a->A);
    return GABLE_OK;
}

TASK(task_spr2)
{
    START();
    const int uplo = (int)a->uplo;
    if (a->dtype == GBL_S)
        openblas.sspr2(COLUMN_MAJOR, uplo, n, alpha.single[0], a->x, 1, a->y, 1, a->A);
    else if (a->dtype == GBL_D)
        openblas.dspr2(COLUMN_MAJOR, uplo, n, alpha.wide[0], a->x, 1, a->y, 1, a->A);
    else
        (wide ? openblas.zhpr2 : openblas.chpr2)(COLUMN_MAJOR, uplo, n, &alpha, a->x, 1, a->y, 1,
                                                 a->A);
    return GABLE_OK;
}

TASK(task_transpose)
{
    START();
    const int trans = (int)a->trans, ldc = (int)a->ldc;
    const gbl_scalar value = {.re = 1};
    const openblas_scalar one = openblas_typed(a->dtype, value);
    if (a->dtype == GBL_S)
        more.somatcopy(COLUMN_MAJOR, trans, m, n, 1, a->A, lda, a->C, ldc);
    else if (a->dtype == GBL_D)
        more.domatcopy(COLUMN_MAJOR, trans, m, n, 1, a->A, lda, a->C, ldc);
    else
        more.omatcopy[a->dtype - GBL_C](COLUMN_MAJOR, trans, m, n, &one, a->A, lda, a->C, ldc);
    return GABLE_OK;
}

gbl_task_function openblas_level2_task(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {
        {.stem = "gemv", .task = task_gemv}, {.stem = "gemv_batched", .task = task_gemv_batched},
        {.stem = "symv", .task = task_symv}, {.stem = "ger", .task = task_ger},
        {.stem = "syr", .task = task_syr},   {.stem = "syr2", .task = task_syr2},
        {.stem = "trmv", .task = task_trmv}, {.stem = "trsv", .task = task_trsv},
        {.stem = "gbmv", .task = task_gbmv}, {.stem = "sbmv", .task = task_sbmv},
        {.stem = "spmv", .task = task_spmv}, {.stem = "tbmv", .task = task_tbmv},
        {.stem = "tbsv", .task = task_tbsv}, {.stem = "tpmv", .task = task_tpmv},
        {.stem = "tpsv", .task = task_tpsv}, {.stem = "transpose", .task = task_transpose},
        {.stem = "spr", .task = task_spr},   {.stem = "spr2", .task = task_spr2},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}

/* Complex symmetric matrices it does not have; omatcopy an OpenBLAS may lack. */
bool openblas_has_level2(const bench_case *what)
{
    static const char *const symmetric[] = {"symv", "syr", "syr2", "sbmv", "spmv", "spr", "spr2"};
    if (what->op->formula == BENCH_TRANSPOSE) {
        const bool has[] = {more.somatcopy != NULL, more.domatcopy != NULL,
                            more.omatcopy[0] != NULL, more.omatcopy[1] != NULL};
        return has[what->dtype];
    }
    for (size_t i = 0; i < sizeof symmetric / sizeof symmetric[0]; i++)
        if (strcmp(what->op->op->stem, symmetric[i]) == 0)
            return what->op->conj || !gbl_dtype_complex(what->dtype);
    return true;
}
