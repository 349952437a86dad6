/* cpu_symmetric_product.c: products with a symmetric or Hermitian result (syrk, syr2k) or factor
 * (symm) on the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_product.h"

/* The transpose, or conjugate transpose, of a factor. */
static factor_view turned(factor_view f, bool conj)
{
    f.transposed = !f.transposed;
    f.conj = COMPLEX && f.conj != conj;
    return f;
}

/* One triangle of C := alpha op(A) op(B)' + beta C, B beside A. */
static product_job triangle_job(const gbl_product_args *call, const void *A, int64_t lda,
                                const void *B, int64_t ldb)
{
    return (product_job){.a = view_of(A, lda, call->trans),
                         .b = turned(view_of(B, ldb, call->trans), call->conj),
                         .m = call->n,
                         .n = call->n,
                         .k = call->k,
                         .C = call->C,
                         .ldc = call->ldc,
                         .alpha = factor_of_call(&call->alpha, call->real_alpha),
                         .beta = factor_of_call(&call->beta, call->real_beta),
                         .triangle_c = call->uplo == GABLE_UPPER ? GBL_UPPER_ONLY : GBL_LOWER_ONLY,
                         .real_diagonal = COMPLEX && call->conj};
}

/* gbl_cpu_ssyrk_omp gbl_cpu_dsyrk_omp gbl_cpu_csyrk_omp gbl_cpu_zsyrk_omp (conj: herk) */
GBL_CPU_TASK(PRIVATE(syrk_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    const product_job job = triangle_job(call, call->A, call->lda, call->A, call->lda);
    return PRIVATE(product)(&job, message);
}

/* gbl_cpu_ssyr2k_omp gbl_cpu_dsyr2k_omp gbl_cpu_csyr2k_omp gbl_cpu_zsyr2k_omp (conj: her2k) */
GBL_CPU_TASK(PRIVATE(syr2k_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    const product_job one = triangle_job(call, call->A, call->lda, call->B, call->ldb);
    product_job two = triangle_job(call, call->B, call->ldb, call->A, call->lda);
    two.alpha = call->conj ? conjugate(one.alpha) : one.alpha;
    two.beta = number(1);
    TRY(PRIVATE(product)(&one, message));
    return PRIVATE(product)(&two, message);
}

/* gbl_cpu_ssymm_omp gbl_cpu_dsymm_omp gbl_cpu_csymm_omp gbl_cpu_zsymm_omp (conj: hemm) */
GBL_CPU_TASK(PRIVATE(symm_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    const bool left = call->side == GABLE_LEFT;
    const factor_view A = {.at = call->A,
                           .ld = call->lda,
                           .conj = COMPLEX && call->conj,
                           .symmetric = true,
                           .upper = call->uplo == GABLE_UPPER},
                      B = view_of(call->B, call->ldb, GABLE_NO_TRANS);
    const product_job job = {.a = left ? A : B,
                             .b = left ? B : A,
                             .m = call->m,
                             .n = call->n,
                             .k = left ? call->m : call->n,
                             .C = call->C,
                             .ldc = call->ldc,
                             .alpha = read_scalar(&call->alpha),
                             .beta = read_scalar(&call->beta)};
    return PRIVATE(product)(&job, message);
}
