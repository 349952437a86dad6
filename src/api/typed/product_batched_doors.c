/* product_batched_doors.c: the typed doors of products and triangular solves of many matrices at
 * once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level3/level3.h"

/* gable_sgemm_batched gable_dgemm_batched gable_cgemm_batched gable_zgemm_batched */
gable_status FN(gemm_batched)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                              int64_t n, int64_t k, T alpha, const T *const *A, int64_t lda,
                              const T *const *B, int64_t ldb, T beta, T *const *C, int64_t ldc,
                              int64_t batch)
{
    const gbl_product_call call =
        CALL(.trans = transa, .trans_b = transb, .m = m, .n = n, .k = k, .alpha = VALUE(alpha),
             .A = IN(A), .lda = lda, .B = IN(B), .ldb = ldb, .beta = VALUE(beta), .C = IN(C),
             .ldc = ldc, .batch = batch, .pointers = true);
    return gbl_gemm_batched(ctx, NAME(FN(gemm_batched)), &call);
}

/* gable_sgemm_batched_dev gable_dgemm_batched_dev gable_cgemm_batched_dev
 * gable_zgemm_batched_dev */
gable_status FN(gemm_batched_dev)(gable_context *ctx, gable_trans transa, gable_trans transb,
                                  int64_t m, int64_t n, int64_t k, const T *alpha,
                                  const T *const *A, int64_t lda, const T *const *B, int64_t ldb,
                                  const T *beta, T *const *C, int64_t ldc, int64_t batch)
{
    const gbl_product_call call =
        CALL(.trans = transa, .trans_b = transb, .m = m, .n = n, .k = k, .alpha = AT(alpha),
             .A = IN(A), .lda = lda, .B = IN(B), .ldb = ldb, .beta = AT(beta), .C = IN(C),
             .ldc = ldc, .batch = batch, .pointers = true);
    return gbl_gemm_batched(ctx, NAME(FN(gemm_batched_dev)), &call);
}

/* gable_sgemm_strided gable_dgemm_strided gable_cgemm_strided gable_zgemm_strided */
gable_status FN(gemm_strided)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                              int64_t n, int64_t k, T alpha, const T *A, int64_t lda,
                              int64_t stride_a, const T *B, int64_t ldb, int64_t stride_b, T beta,
                              T *C, int64_t ldc, int64_t stride_c, int64_t batch)
{
    const gbl_product_call call =
        CALL(.trans = transa, .trans_b = transb, .m = m, .n = n, .k = k, .alpha = VALUE(alpha),
             .A = IN(A), .lda = lda, .stride_a = stride_a, .B = IN(B), .ldb = ldb,
             .stride_b = stride_b, .beta = VALUE(beta), .C = C, .ldc = ldc, .stride_c = stride_c,
             .batch = batch);
    return gbl_gemm_batched(ctx, NAME(FN(gemm_strided)), &call);
}

/* gable_sgemm_strided_dev gable_dgemm_strided_dev gable_cgemm_strided_dev
 * gable_zgemm_strided_dev */
gable_status FN(gemm_strided_dev)(gable_context *ctx, gable_trans transa, gable_trans transb,
                                  int64_t m, int64_t n, int64_t k, const T *alpha, const T *A,
                                  int64_t lda, int64_t stride_a, const T *B, int64_t ldb,
                                  int64_t stride_b, const T *beta, T *C, int64_t ldc,
                                  int64_t stride_c, int64_t batch)
{
    const gbl_product_call call =
        CALL(.trans = transa, .trans_b = transb, .m = m, .n = n, .k = k, .alpha = AT(alpha),
             .A = IN(A), .lda = lda, .stride_a = stride_a, .B = IN(B), .ldb = ldb,
             .stride_b = stride_b, .beta = AT(beta), .C = C, .ldc = ldc, .stride_c = stride_c,
             .batch = batch);
    return gbl_gemm_batched(ctx, NAME(FN(gemm_strided_dev)), &call);
}

/* gable_strsm_batched gable_dtrsm_batched gable_ctrsm_batched gable_ztrsm_batched */
gable_status FN(trsm_batched)(gable_context *ctx, gable_side side, gable_uplo uplo,
                              gable_trans trans, gable_diag diag, int64_t m, int64_t n, T alpha,
                              const T *const *A, int64_t lda, T *const *B, int64_t ldb,
                              int64_t batch)
{
    const gbl_product_call call =
        CALL(.side = side, .uplo = uplo, .trans = trans, .diag = diag, .m = m, .n = n,
             .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .B = IN(B), .ldb = ldb, .batch = batch,
             .pointers = true);
    return gbl_trsm_batched(ctx, NAME(FN(trsm_batched)), &call);
}

/* gable_strsm_batched_dev gable_dtrsm_batched_dev gable_ctrsm_batched_dev
 * gable_ztrsm_batched_dev */
gable_status FN(trsm_batched_dev)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                  gable_trans trans, gable_diag diag, int64_t m, int64_t n,
                                  const T *alpha, const T *const *A, int64_t lda, T *const *B,
                                  int64_t ldb, int64_t batch)
{
    const gbl_product_call call = CALL(.side = side, .uplo = uplo, .trans = trans, .diag = diag,
                                       .m = m, .n = n, .alpha = AT(alpha), .A = IN(A), .lda = lda,
                                       .B = IN(B), .ldb = ldb, .batch = batch, .pointers = true);
    return gbl_trsm_batched(ctx, NAME(FN(trsm_batched_dev)), &call);
}

/* gable_strsm_strided gable_dtrsm_strided gable_ctrsm_strided gable_ztrsm_strided */
gable_status FN(trsm_strided)(gable_context *ctx, gable_side side, gable_uplo uplo,
                              gable_trans trans, gable_diag diag, int64_t m, int64_t n, T alpha,
                              const T *A, int64_t lda, int64_t stride_a, T *B, int64_t ldb,
                              int64_t stride_b, int64_t batch)
{
    const gbl_product_call call =
        CALL(.side = side, .uplo = uplo, .trans = trans, .diag = diag, .m = m, .n = n,
             .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .stride_a = stride_a, .B = B,
             .ldb = ldb, .stride_b = stride_b, .batch = batch);
    return gbl_trsm_batched(ctx, NAME(FN(trsm_strided)), &call);
}

/* gable_strsm_strided_dev gable_dtrsm_strided_dev gable_ctrsm_strided_dev
 * gable_ztrsm_strided_dev */
gable_status FN(trsm_strided_dev)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                  gable_trans trans, gable_diag diag, int64_t m, int64_t n,
                                  const T *alpha, const T *A, int64_t lda, int64_t stride_a, T *B,
                                  int64_t ldb, int64_t stride_b, int64_t batch)
{
    const gbl_product_call call =
        CALL(.side = side, .uplo = uplo, .trans = trans, .diag = diag, .m = m, .n = n,
             .alpha = AT(alpha), .A = IN(A), .lda = lda, .stride_a = stride_a, .B = B, .ldb = ldb,
             .stride_b = stride_b, .batch = batch);
    return gbl_trsm_batched(ctx, NAME(FN(trsm_strided_dev)), &call);
}
