/* gemm_doors.c: the typed doors of products of two matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level3/level3.h"

static gable_status product(gable_context *ctx, const char *name, gable_trans transa,
                            gable_trans transb, int64_t m, int64_t n, int64_t k, gbl_scalar alpha,
                            const T *A, int64_t lda, const T *B, int64_t ldb, gbl_scalar beta, T *C,
                            int64_t ldc)
{
    const gbl_product_call call =
        CALL(.trans = transa, .trans_b = transb, .m = m, .n = n, .k = k, .alpha = alpha, .A = IN(A),
             .lda = lda, .B = IN(B), .ldb = ldb, .beta = beta, .C = C, .ldc = ldc);
    return gbl_gemm(ctx, name, &call);
}

/* gable_sgemm gable_dgemm gable_cgemm gable_zgemm: C := alpha op(A) op(B) + beta C */
gable_status FN(gemm)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                      int64_t n, int64_t k, T alpha, const T *A, int64_t lda, const T *B,
                      int64_t ldb, T beta, T *C, int64_t ldc)
{
    return product(ctx, NAME(FN(gemm)), transa, transb, m, n, k, VALUE(alpha), A, lda, B, ldb,
                   VALUE(beta), C, ldc);
}

/* gable_sgemm_dev gable_dgemm_dev gable_cgemm_dev gable_zgemm_dev: alpha and beta on the device */
gable_status FN(gemm_dev)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                          int64_t n, int64_t k, const T *alpha, const T *A, int64_t lda, const T *B,
                          int64_t ldb, const T *beta, T *C, int64_t ldc)
{
    return product(ctx, NAME(FN(gemm_dev)), transa, transb, m, n, k, AT(alpha), A, lda, B, ldb,
                   AT(beta), C, ldc);
}
