/* host_doors.c: the typed doors of level 3 on operands in host memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "host/host_entry.h"

/* gable_host_sgemm gable_host_dgemm gable_host_cgemm gable_host_zgemm: C := alpha op(A) op(B) +
 * beta C */
gable_status FN_HOST(gemm)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                           int64_t n, int64_t k, T alpha, const T *A, int64_t lda, const T *B,
                           int64_t ldb, T beta, T *C, int64_t ldc)
{
    const gbl_product_call call = CALL(.trans = transa, .trans_b = transb, .m = m, .n = n, .k = k,
                                       .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .B = IN(B),
                                       .ldb = ldb, .beta = VALUE(beta), .C = C, .ldc = ldc);
    return gbl_host_run(ctx, NAME(FN_HOST(gemm)), GBL_HOST_GEMM, &call);
}

/* gable_host_sgemmt gable_host_dgemmt gable_host_cgemmt gable_host_zgemmt: one triangle of that */
gable_status FN_HOST(gemmt)(gable_context *ctx, gable_uplo uplo, gable_trans transa,
                            gable_trans transb, int64_t n, int64_t k, T alpha, const T *A,
                            int64_t lda, const T *B, int64_t ldb, T beta, T *C, int64_t ldc)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .trans = transa, .trans_b = transb, .m = n, .n = n, .k = k,
             .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .B = IN(B), .ldb = ldb,
             .beta = VALUE(beta), .C = C, .ldc = ldc);
    return gbl_host_run(ctx, NAME(FN_HOST(gemmt)), GBL_HOST_GEMMT, &call);
}

/* gable_host_ssyrk gable_host_dsyrk gable_host_csyrk gable_host_zsyrk: C := alpha A A^T + beta C or
 * alpha A^T A + beta C */
gable_status FN_HOST(syrk)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n,
                           int64_t k, T alpha, const T *A, int64_t lda, T beta, T *C, int64_t ldc)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .trans = trans, .m = n, .n = n, .k = k, .alpha = VALUE(alpha),
             .A = IN(A), .lda = lda, .beta = VALUE(beta), .C = C, .ldc = ldc);
    return gbl_host_run(ctx, NAME(FN_HOST(syrk)), GBL_HOST_SYRK, &call);
}

/* gable_host_ssyr2k gable_host_dsyr2k gable_host_csyr2k gable_host_zsyr2k: C := alpha A B^T + alpha
 * B A^T + beta C, or with A^T B and B^T A */
gable_status FN_HOST(syr2k)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n,
                            int64_t k, T alpha, const T *A, int64_t lda, const T *B, int64_t ldb,
                            T beta, T *C, int64_t ldc)
{
    const gbl_product_call call = CALL(.uplo = uplo, .trans = trans, .m = n, .n = n, .k = k,
                                       .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .B = IN(B),
                                       .ldb = ldb, .beta = VALUE(beta), .C = C, .ldc = ldc);
    return gbl_host_run(ctx, NAME(FN_HOST(syr2k)), GBL_HOST_SYR2K, &call);
}

/* gable_host_ssymm gable_host_dsymm gable_host_csymm gable_host_zsymm: C := alpha A B + beta C or
 * alpha B A + beta C, A symmetric */
gable_status FN_HOST(symm)(gable_context *ctx, gable_side side, gable_uplo uplo, int64_t m,
                           int64_t n, T alpha, const T *A, int64_t lda, const T *B, int64_t ldb,
                           T beta, T *C, int64_t ldc)
{
    const gbl_product_call call =
        CALL(.side = side, .uplo = uplo, .m = m, .n = n, .alpha = VALUE(alpha), .A = IN(A),
             .lda = lda, .B = IN(B), .ldb = ldb, .beta = VALUE(beta), .C = C, .ldc = ldc);
    return gbl_host_run(ctx, NAME(FN_HOST(symm)), GBL_HOST_SYMM, &call);
}

/* gable_host_strmm gable_host_dtrmm gable_host_ctrmm gable_host_ztrmm: B := alpha op(A) B or alpha
 * B op(A), A triangular */
gable_status FN_HOST(trmm)(gable_context *ctx, gable_side side, gable_uplo uplo, gable_trans trans,
                           gable_diag diag, int64_t m, int64_t n, T alpha, const T *A, int64_t lda,
                           T *B, int64_t ldb)
{
    const gbl_product_call call =
        CALL(.side = side, .uplo = uplo, .trans = trans, .diag = diag, .m = m, .n = n,
             .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .B = B, .ldb = ldb);
    return gbl_host_run(ctx, NAME(FN_HOST(trmm)), GBL_HOST_TRMM, &call);
}

/* gable_host_strsm gable_host_dtrsm gable_host_ctrsm gable_host_ztrsm: B := alpha op(A)^-1 B or
 * alpha B op(A)^-1, A triangular */
gable_status FN_HOST(trsm)(gable_context *ctx, gable_side side, gable_uplo uplo, gable_trans trans,
                           gable_diag diag, int64_t m, int64_t n, T alpha, const T *A, int64_t lda,
                           T *B, int64_t ldb)
{
    const gbl_product_call call =
        CALL(.side = side, .uplo = uplo, .trans = trans, .diag = diag, .m = m, .n = n,
             .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .B = B, .ldb = ldb);
    return gbl_host_run(ctx, NAME(FN_HOST(trsm)), GBL_HOST_TRSM, &call);
}

#if COMPLEX
/* gable_host_cherk gable_host_zherk: C := alpha A A^H + beta C or alpha A^H A + beta C */
gable_status FN_HOST(herk)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n,
                           int64_t k, R alpha, const T *A, int64_t lda, R beta, T *C, int64_t ldc)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .trans = trans, .conj = true, .real_alpha = true, .real_beta = true,
             .m = n, .n = n, .k = k, .alpha = REAL_VALUE(alpha), .A = IN(A), .lda = lda,
             .beta = REAL_VALUE(beta), .C = C, .ldc = ldc);
    return gbl_host_run(ctx, NAME(FN_HOST(herk)), GBL_HOST_SYRK, &call);
}

/* gable_host_cher2k gable_host_zher2k: C := alpha A B^H + conj(alpha) B A^H + beta C, or with A^H B
 * and B^H A */
gable_status FN_HOST(her2k)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n,
                            int64_t k, T alpha, const T *A, int64_t lda, const T *B, int64_t ldb,
                            R beta, T *C, int64_t ldc)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .trans = trans, .conj = true, .real_beta = true, .m = n, .n = n, .k = k,
             .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .B = IN(B), .ldb = ldb,
             .beta = REAL_VALUE(beta), .C = C, .ldc = ldc);
    return gbl_host_run(ctx, NAME(FN_HOST(her2k)), GBL_HOST_SYR2K, &call);
}

/* gable_host_chemm gable_host_zhemm: as symm, A Hermitian */
gable_status FN_HOST(hemm)(gable_context *ctx, gable_side side, gable_uplo uplo, int64_t m,
                           int64_t n, T alpha, const T *A, int64_t lda, const T *B, int64_t ldb,
                           T beta, T *C, int64_t ldc)
{
    const gbl_product_call call = CALL(.side = side, .uplo = uplo, .conj = true, .m = m, .n = n,
                                       .alpha = VALUE(alpha), .A = IN(A), .lda = lda, .B = IN(B),
                                       .ldb = ldb, .beta = VALUE(beta), .C = C, .ldc = ldc);
    return gbl_host_run(ctx, NAME(FN_HOST(hemm)), GBL_HOST_SYMM, &call);
}
#endif
