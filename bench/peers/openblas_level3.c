/* openblas_level3.c: OpenBLAS's routines on two or three matrices as tasks of the benchmark.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes were found to fit. Numbers of gable_trans, gable_uplo, gable_diag and gable_side are
 * CBLAS's. OpenBLAS has nothing for many matrices: each thread takes some of them, one call per
 * matrix, as a program would.
 */
#include <string.h>
#include "device/product_args.h"
#include "peers/openblas_level3.h"

enum { COLUMN_MAJOR = GBL_CPU_BLAS_COLUMNS };

/* A call with its integers as CBLAS takes them. */
typedef struct sized {
    const gbl_product_args *args;
    int trans, trans_b, uplo, diag, side, m, n, k, lda, ldb, ldc;
    openblas_scalar alpha, beta;
    const void *A, *B;
    void *C; /* of trmm and trsm B */
} sized;

static sized sized_of(const gbl_product_args *a)
{
    return (sized){.args = a,
                   .trans = (int)a->trans,
                   .trans_b = (int)a->trans_b,
                   .uplo = (int)a->uplo,
                   .diag = (int)a->diag,
                   .side = (int)a->side,
                   .m = (int)a->m,
                   .n = (int)a->n,
                   .k = (int)a->k,
                   .lda = (int)a->lda,
                   .ldb = (int)a->ldb,
                   .ldc = (int)a->ldc,
                   .alpha = openblas_typed(a->dtype, a->alpha),
                   .beta = openblas_typed(a->dtype, a->beta),
                   .A = a->A,
                   .B = a->B,
                   .C = a->C != NULL ? a->C : a->B};
}

static void call_gemm(const sized *c)
{
    const bool wide = c->args->dtype == GBL_Z;
    if (c->args->dtype == GBL_S)
        openblas.sgemm(COLUMN_MAJOR, c->trans, c->trans_b, c->m, c->n, c->k, c->alpha.single[0],
                       c->A, c->lda, c->B, c->ldb, c->beta.single[0], c->C, c->ldc);
    else if (c->args->dtype == GBL_D)
        openblas.dgemm(COLUMN_MAJOR, c->trans, c->trans_b, c->m, c->n, c->k, c->alpha.wide[0], c->A,
                       c->lda, c->B, c->ldb, c->beta.wide[0], c->C, c->ldc);
    else
        (wide ? openblas.zgemm : openblas.cgemm)(COLUMN_MAJOR, c->trans, c->trans_b, c->m, c->n,
                                                 c->k, &c->alpha, c->A, c->lda, c->B, c->ldb,
                                                 &c->beta, c->C, c->ldc);
}

static void call_syrk(const sized *c)
{
    const gbl_dtype dtype = c->args->dtype;
    const bool wide = gbl_dtype_real_bytes(dtype) == 8;
    if (gbl_dtype_complex(dtype) && !c->args->conj)
        (wide ? openblas.zsyrk : openblas.csyrk)(COLUMN_MAJOR, c->uplo, c->trans, c->n, c->k,
                                                 &c->alpha, c->A, c->lda, &c->beta, c->C, c->ldc);
    else if (wide)
        (dtype == GBL_D ? openblas.dsyrk : openblas.zherk)(COLUMN_MAJOR, c->uplo, c->trans, c->n,
                                                           c->k, c->alpha.wide[0], c->A, c->lda,
                                                           c->beta.wide[0], c->C, c->ldc);
    else
        (dtype == GBL_S ? openblas.ssyrk : openblas.cherk)(COLUMN_MAJOR, c->uplo, c->trans, c->n,
                                                           c->k, c->alpha.single[0], c->A, c->lda,
                                                           c->beta.single[0], c->C, c->ldc);
}

static void call_syr2k(const sized *c)
{
    const bool wide = c->args->dtype == GBL_Z;
    if (c->args->dtype == GBL_S)
        openblas.ssyr2k(COLUMN_MAJOR, c->uplo, c->trans, c->n, c->k, c->alpha.single[0], c->A,
                        c->lda, c->B, c->ldb, c->beta.single[0], c->C, c->ldc);
    else if (c->args->dtype == GBL_D)
        openblas.dsyr2k(COLUMN_MAJOR, c->uplo, c->trans, c->n, c->k, c->alpha.wide[0], c->A, c->lda,
                        c->B, c->ldb, c->beta.wide[0], c->C, c->ldc);
    else if (!c->args->conj)
        (wide ? openblas.zsyr2k : openblas.csyr2k)(COLUMN_MAJOR, c->uplo, c->trans, c->n, c->k,
                                                   &c->alpha, c->A, c->lda, c->B, c->ldb, &c->beta,
                                                   c->C, c->ldc);
    else if (wide)
        openblas.zher2k(COLUMN_MAJOR, c->uplo, c->trans, c->n, c->k, &c->alpha, c->A, c->lda, c->B,
                        c->ldb, c->beta.wide[0], c->C, c->ldc);
    else
        openblas.cher2k(COLUMN_MAJOR, c->uplo, c->trans, c->n, c->k, &c->alpha, c->A, c->lda, c->B,
                        c->ldb, c->beta.single[0], c->C, c->ldc);
}

static void call_symm(const sized *c)
{
    const bool wide = c->args->dtype == GBL_Z;
    if (c->args->dtype == GBL_S)
        openblas.ssymm(COLUMN_MAJOR, c->side, c->uplo, c->m, c->n, c->alpha.single[0], c->A, c->lda,
                       c->B, c->ldb, c->beta.single[0], c->C, c->ldc);
    else if (c->args->dtype == GBL_D)
        openblas.dsymm(COLUMN_MAJOR, c->side, c->uplo, c->m, c->n, c->alpha.wide[0], c->A, c->lda,
                       c->B, c->ldb, c->beta.wide[0], c->C, c->ldc);
    else
        (c->args->conj ? (wide ? openblas.zhemm : openblas.chemm)
                       : (wide ? openblas.zsymm : openblas.csymm))(
            COLUMN_MAJOR, c->side, c->uplo, c->m, c->n, &c->alpha, c->A, c->lda, c->B, c->ldb,
            &c->beta, c->C, c->ldc);
}

/* trmm and trsm, by the functions of the four precisions. */
static void call_triangle(const sized *c, gbl_blas_strm *s, gbl_blas_dtrm *d,
                          gbl_blas_ztrm *const z[2])
{
    if (c->args->dtype == GBL_S)
        s(COLUMN_MAJOR, c->side, c->uplo, c->trans, c->diag, c->m, c->n, c->alpha.single[0], c->A,
          c->lda, c->C, c->ldb);
    else if (c->args->dtype == GBL_D)
        d(COLUMN_MAJOR, c->side, c->uplo, c->trans, c->diag, c->m, c->n, c->alpha.wide[0], c->A,
          c->lda, c->C, c->ldb);
    else
        z[c->args->dtype - GBL_C](COLUMN_MAJOR, c->side, c->uplo, c->trans, c->diag, c->m, c->n,
                                  &c->alpha, c->A, c->lda, c->C, c->ldb);
}

static void call_trmm(const sized *c)
{
    gbl_blas_ztrm *const complex[] = {openblas.ctrmm, openblas.ztrmm};
    call_triangle(c, openblas.strmm, openblas.dtrmm, complex);
}

static void call_trsm(const sized *c)
{
    gbl_blas_ztrm *const complex[] = {openblas.ctrsm, openblas.ztrsm};
    call_triangle(c, openblas.strsm, openblas.dtrsm, complex);
}

/* Member b of many, or the only one. */
static sized member_of(const sized *all, int64_t b)
{
    const gbl_product_args *a = all->args;
    const int64_t elem = (int64_t)gbl_dtype_bytes(a->dtype);
    sized one = *all;
    if (a->pointers) {
        one.A = ((void **)a->A)[b];
        one.B = ((void **)a->B)[b];
        one.C = ((void **)all->C)[b];
    } else {
        one.A = (const char *)a->A + b * a->stride_a * elem;
        one.B = (const char *)a->B + b * a->stride_b * elem;
        one.C = (char *)all->C + b * (a->C != NULL ? a->stride_c : a->stride_b) * elem;
    }
    return one;
}

static gable_status run_many(const gbl_product_args *args, void (*call)(const sized *c))
{
    const sized all = sized_of(args);
#pragma omp parallel for
    for (int64_t b = 0; b < args->batch; b++) {
        const sized one = member_of(&all, b);
        call(&one);
    }
    return GABLE_OK;
}

#define TASK(stem)                                                                                 \
    static gable_status task_##stem(gbl_queue *queue, void *stream, const void *given,             \
                                    gbl_message *message)                                          \
    {                                                                                              \
        const sized c = sized_of(given);                                                           \
        (void)queue, (void)stream, (void)message;                                                  \
        call_##stem(&c);                                                                           \
        return GABLE_OK;                                                                           \
    }
#define TASK_OF_MANY(stem)                                                                         \
    static gable_status task_##stem##_batched(gbl_queue *queue, void *stream, const void *given,   \
                                              gbl_message *message)                                \
    {                                                                                              \
        (void)queue, (void)stream, (void)message;                                                  \
        return run_many(given, call_##stem);                                                       \
    }
TASK(gemm)
TASK(syrk)
TASK(syr2k)
TASK(symm)
TASK(trmm)
TASK(trsm)
TASK_OF_MANY(gemm)
TASK_OF_MANY(trsm)

gbl_task_function openblas_level3_task(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {
        {.stem = "gemm", .task = task_gemm},
        {.stem = "syrk", .task = task_syrk},
        {.stem = "syr2k", .task = task_syr2k},
        {.stem = "symm", .task = task_symm},
        {.stem = "trmm", .task = task_trmm},
        {.stem = "trsm", .task = task_trsm},
        {.stem = "gemm_batched", .task = task_gemm_batched},
        {.stem = "trsm_batched", .task = task_trsm_batched},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}
