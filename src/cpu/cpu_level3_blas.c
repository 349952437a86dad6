/* cpu_level3_blas.c: the matrix-matrix routines through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Libraries differ in what alpha = 0 and beta = 0 do to a NaN, and in whether they read the imaginary parts of a
 * Hermitian diagonal. So they are not given these: C is scaled first, and the parts are cleared. trmm of some libraries
 * multiplies zeros beyond the triangle with elements of B: where B is not finite, the twin with OpenMP serves. It
 * also does inside a caller's OpenMP region, where it is serial.
 */
#include "cpu/cpu_product.h"

/* A scalar as BLAS takes it: complex ones by address. */
#if COMPLEX
#define PASSED(number) (&(number))
#else
#define PASSED(number) (number)
#endif

typedef GBL_CPU_TASK((*task_function));

/* What is left to the library. */
typedef struct blas_call {
    const gbl_cpu_blas *blas;
    T alpha, beta;
    bool done; /* nothing */
} blas_call;

/* CBLAS wants no conjugated transpose of a real matrix. */
static int trans_of(gable_trans trans)
{
    return !COMPLEX && trans == GABLE_CONJ_TRANS ? GABLE_TRANS : (int)trans;
}

/* C := beta C with a product whose alpha is 0, which reads neither A nor B. */
static gable_status scale(task_function omp, const gbl_product_args *call, gbl_message *message)
{
    gbl_product_args scaled = *call;
    scaled.alpha = (gbl_scalar){.re = 0};
    return omp(NULL, NULL, &scaled, message);
}

static gable_status begin(task_function omp, const gbl_product_args *call, blas_call *p,
                          gbl_message *message)
{
    p->blas = gbl_cpu_blas_get();
    p->done = true;
    if (p->blas == NULL)
        return no_blas(message);
    if (omp_in_parallel() || call->m <= 0 || call->n <= 0 || call->k <= 0)
        return omp(NULL, NULL, call, message);
    p->alpha = factor_of_call(&call->alpha, call->real_alpha);
    p->beta = factor_of_call(&call->beta, call->real_beta);
    p->done = is_zero(p->alpha);
    if (is_zero(p->alpha) || is_zero(p->beta)) {
        TRY(scale(omp, call, message));
        p->beta = number(1);
    }
    return GABLE_OK;
}

/* gbl_cpu_sgemm_blas gbl_cpu_dgemm_blas gbl_cpu_cgemm_blas gbl_cpu_zgemm_blas */
GBL_CPU_TASK(PRIVATE(gemm_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args sized = gbl_product_sized(args), *call = &sized;
    blas_call p;
    TRY(begin(PRIVATE(gemm_omp), call, &p, message));
    if (!p.done)
        p.blas->BLAS(gemm)(GBL_CPU_BLAS_COLUMNS, trans_of(call->trans), trans_of(call->trans_b),
                           (int)call->m, (int)call->n, (int)call->k, PASSED(p.alpha), call->A,
                           (int)call->lda, call->B, (int)call->ldb, PASSED(p.beta), call->C,
                           (int)call->ldc);
    return GABLE_OK;
}

#if COMPLEX
static void clear_diagonal(const gbl_product_args *call)
{
    for (int64_t j = 0; j < call->n; j++)
        ((T *)call->C)[j + j * call->ldc].im = 0;
}
#endif

/* gbl_cpu_ssyrk_blas gbl_cpu_dsyrk_blas gbl_cpu_csyrk_blas gbl_cpu_zsyrk_blas (conj: herk) */
GBL_CPU_TASK(PRIVATE(syrk_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    const int n = (int)call->n, k = (int)call->k;
    blas_call p;
    TRY(begin(PRIVATE(syrk_omp), call, &p, message));
    if (p.done)
        return GABLE_OK;
#if COMPLEX
    if (call->conj) {
        clear_diagonal(call);
        p.blas->BLAS(herk)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans_of(call->trans), n, k,
                           p.alpha.re, call->A, (int)call->lda, p.beta.re, call->C, (int)call->ldc);
        return GABLE_OK;
    }
#endif
    p.blas->BLAS(syrk)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans_of(call->trans), n, k,
                       PASSED(p.alpha), call->A, (int)call->lda, PASSED(p.beta), call->C,
                       (int)call->ldc);
    return GABLE_OK;
}

/* gbl_cpu_ssyr2k_blas gbl_cpu_dsyr2k_blas gbl_cpu_csyr2k_blas gbl_cpu_zsyr2k_blas (conj: her2k) */
GBL_CPU_TASK(PRIVATE(syr2k_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    const int n = (int)call->n, k = (int)call->k;
    blas_call p;
    TRY(begin(PRIVATE(syr2k_omp), call, &p, message));
    if (p.done)
        return GABLE_OK;
#if COMPLEX
    if (call->conj) {
        clear_diagonal(call);
        p.blas->BLAS(her2k)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans_of(call->trans), n, k,
                            PASSED(p.alpha), call->A, (int)call->lda, call->B, (int)call->ldb,
                            p.beta.re, call->C, (int)call->ldc);
        return GABLE_OK;
    }
#endif
    p.blas->BLAS(syr2k)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans_of(call->trans), n, k,
                        PASSED(p.alpha), call->A, (int)call->lda, call->B, (int)call->ldb,
                        PASSED(p.beta), call->C, (int)call->ldc);
    return GABLE_OK;
}

/* gbl_cpu_ssymm_blas gbl_cpu_dsymm_blas gbl_cpu_csymm_blas gbl_cpu_zsymm_blas (conj: hemm) */
GBL_CPU_TASK(PRIVATE(symm_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    gbl_product_args counted = *call; /* symm has no k of its own */
    blas_call p;
    counted.k = 1;
    TRY(begin(PRIVATE(symm_omp), &counted, &p, message));
    if (p.done)
        return GABLE_OK;
#if COMPLEX
    gbl_blas_zsyr2k *const function = call->conj ? p.blas->BLAS(hemm) : p.blas->BLAS(symm);
    function(GBL_CPU_BLAS_COLUMNS, (int)call->side, (int)call->uplo, (int)call->m, (int)call->n,
             &p.alpha, call->A, (int)call->lda, call->B, (int)call->ldb, &p.beta, call->C,
             (int)call->ldc);
#else
    p.blas->BLAS(symm)(GBL_CPU_BLAS_COLUMNS, (int)call->side, (int)call->uplo, (int)call->m,
                       (int)call->n, p.alpha, call->A, (int)call->lda, call->B, (int)call->ldb,
                       p.beta, call->C, (int)call->ldc);
#endif
    return GABLE_OK;
}

/* ---- triangles ---- */

/* Whether a sum of zero times every number is 0: then each of them is finite. */
static bool is_finite(const gbl_product_args *call)
{
    for (int64_t j = 0; j < call->n; j++) {
        const R *b = (const R *)((const T *)call->B + j * call->ldb);
        R sum[LANES] = {0};
        int64_t i = 0;
        for (; i + LANES <= call->m * REALS; i += LANES)
            for (int l = 0; l < LANES; l++)
                sum[l] += 0 * b[i + l];
        for (; i < call->m * REALS; i++)
            sum[0] += 0 * b[i];
        for (int l = 0; l < LANES; l++)
            if (sum[l] != 0)
                return false;
    }
    return true;
}

static gable_status begin_triangle(task_function omp, const gbl_product_args *call, blas_call *p,
                                   gbl_message *message)
{
    p->blas = gbl_cpu_blas_get();
    p->done = true;
    if (p->blas == NULL)
        return no_blas(message);
    p->alpha = read_scalar(&call->alpha);
    if (omp_in_parallel() || call->m <= 0 || call->n <= 0 || is_zero(p->alpha) || !is_finite(call))
        return omp(NULL, NULL, call, message);
    p->done = false;
    return GABLE_OK;
}

/* gbl_cpu_strmm_blas gbl_cpu_dtrmm_blas gbl_cpu_ctrmm_blas gbl_cpu_ztrmm_blas */
GBL_CPU_TASK(PRIVATE(trmm_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    blas_call p;
    TRY(begin_triangle(PRIVATE(trmm_omp), call, &p, message));
    if (!p.done)
        p.blas->BLAS(trmm)(GBL_CPU_BLAS_COLUMNS, (int)call->side, (int)call->uplo,
                           trans_of(call->trans), (int)call->diag, (int)call->m, (int)call->n,
                           PASSED(p.alpha), call->A, (int)call->lda, call->B, (int)call->ldb);
    return GABLE_OK;
}

/* gbl_cpu_strsm_blas gbl_cpu_dtrsm_blas gbl_cpu_ctrsm_blas gbl_cpu_ztrsm_blas */
GBL_CPU_TASK(PRIVATE(trsm_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    blas_call p;
    TRY(begin_triangle(PRIVATE(trsm_omp), call, &p, message));
    if (!p.done)
        p.blas->BLAS(trsm)(GBL_CPU_BLAS_COLUMNS, (int)call->side, (int)call->uplo,
                           trans_of(call->trans), (int)call->diag, (int)call->m, (int)call->n,
                           PASSED(p.alpha), call->A, (int)call->lda, call->B, (int)call->ldb);
    return GABLE_OK;
}
