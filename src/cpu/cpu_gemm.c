/* cpu_gemm.c: C := alpha op(A) op(B) + beta C on the cpu, of all of C or of a triangle, with
 * OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_product.h"

/* gbl_cpu_sgemm_omp gbl_cpu_dgemm_omp gbl_cpu_cgemm_omp gbl_cpu_zgemm_omp */
GBL_CPU_TASK(PRIVATE(gemm_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args sized = gbl_product_sized(args), *call = &sized;
    const product_job job = {.a = view_of(call->A, call->lda, call->trans),
                             .b = view_of(call->B, call->ldb, call->trans_b),
                             .m = call->m,
                             .n = call->n,
                             .k = call->k,
                             .C = call->C,
                             .ldc = call->ldc,
                             .alpha = read_scalar(&call->alpha),
                             .beta = read_scalar(&call->beta)};
    return PRIVATE(product)(&job, message);
}

/* gbl_cpu_sgemmt_omp gbl_cpu_dgemmt_omp gbl_cpu_cgemmt_omp gbl_cpu_zgemmt_omp */
GBL_CPU_TASK(PRIVATE(gemmt_omp))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    const product_job job = {.a = view_of(call->A, call->lda, call->trans),
                             .b = view_of(call->B, call->ldb, call->trans_b),
                             .m = call->n,
                             .n = call->n,
                             .k = call->k,
                             .C = call->C,
                             .ldc = call->ldc,
                             .alpha = read_scalar(&call->alpha),
                             .beta = read_scalar(&call->beta),
                             .triangle_c =
                                 call->uplo == GABLE_UPPER ? GBL_UPPER_ONLY : GBL_LOWER_ONLY};
    return PRIVATE(product)(&job, message);
}
