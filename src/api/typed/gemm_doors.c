/* gemm_doors.c: the typed doors of products of two matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level3.h"

/* gable_sgemm gable_dgemm gable_cgemm gable_zgemm: C := alpha op(A) op(B) + beta C */
gable_status FN(gemm)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                      int64_t n, int64_t k, T alpha, const T *A, int64_t lda, const T *B,
                      int64_t ldb, T beta, T *C, int64_t ldc)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .trans = transa,
                                   .trans_b = transb,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .alpha = VALUE(alpha),
                                   .A = IN(A),
                                   .lda = lda,
                                   .B = IN(B),
                                   .ldb = ldb,
                                   .beta = VALUE(beta),
                                   .C = C,
                                   .ldc = ldc};
    return gbl_gemm(ctx, NAME(FN(gemm)), &call);
}

/* gable_sgemm_dev gable_dgemm_dev gable_cgemm_dev gable_zgemm_dev: alpha and beta on the device */
gable_status FN(gemm_dev)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                          int64_t n, int64_t k, const T *alpha, const T *A, int64_t lda, const T *B,
                          int64_t ldb, const T *beta, T *C, int64_t ldc)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .trans = transa,
                                   .trans_b = transb,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .alpha = AT(alpha),
                                   .A = IN(A),
                                   .lda = lda,
                                   .B = IN(B),
                                   .ldb = ldb,
                                   .beta = AT(beta),
                                   .C = C,
                                   .ldc = ldc};
    return gbl_gemm(ctx, NAME(FN(gemm_dev)), &call);
}
