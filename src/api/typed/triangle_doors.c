/* triangle_doors.c: the typed doors of products of which one triangle is computed: gemmt, syrk,
 * syr2k and their Hermitian forms.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level3/level3.h"

static gable_status update_gemmt(gable_context *ctx, const char *name, gable_uplo uplo,
                                 gable_trans transa, gable_trans transb, int64_t n, int64_t k,
                                 gbl_scalar alpha, const T *A, int64_t lda, const T *B, int64_t ldb,
                                 gbl_scalar beta, T *C, int64_t ldc)
{
    const gbl_product_call call = CALL(.uplo = uplo, .trans = transa, .trans_b = transb, .m = n,
                                       .n = n, .k = k, .alpha = alpha, .A = IN(A), .lda = lda,
                                       .B = IN(B), .ldb = ldb, .beta = beta, .C = C, .ldc = ldc);
    return gbl_gemmt(ctx, name, &call);
}

static gable_status update_one(gable_context *ctx, const char *name, bool hermitian,
                               gable_uplo uplo, gable_trans trans, int64_t n, int64_t k,
                               gbl_scalar alpha, const T *A, int64_t lda, gbl_scalar beta, T *C,
                               int64_t ldc)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .trans = trans, .conj = hermitian, .real_alpha = hermitian,
             .real_beta = hermitian, .m = n, .n = n, .k = k, .alpha = alpha, .A = IN(A), .lda = lda,
             .beta = beta, .C = C, .ldc = ldc);
    return gbl_syrk(ctx, name, &call);
}

static gable_status update_two(gable_context *ctx, const char *name, bool hermitian,
                               gable_uplo uplo, gable_trans trans, int64_t n, int64_t k,
                               gbl_scalar alpha, const T *A, int64_t lda, const T *B, int64_t ldb,
                               gbl_scalar beta, T *C, int64_t ldc)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .trans = trans, .conj = hermitian, .real_beta = hermitian, .m = n,
             .n = n, .k = k, .alpha = alpha, .A = IN(A), .lda = lda, .B = IN(B), .ldb = ldb,
             .beta = beta, .C = C, .ldc = ldc);
    return gbl_syr2k(ctx, name, &call);
}

/* gable_sgemmt gable_dgemmt gable_cgemmt gable_zgemmt: C := alpha op(A) op(B) + beta C in one
 * triangle */
gable_status FN(gemmt)(gable_context *ctx, gable_uplo uplo, gable_trans transa, gable_trans transb,
                       int64_t n, int64_t k, T alpha, const T *A, int64_t lda, const T *B,
                       int64_t ldb, T beta, T *C, int64_t ldc)
{
    return update_gemmt(ctx, NAME(FN(gemmt)), uplo, transa, transb, n, k, VALUE(alpha), A, lda, B,
                        ldb, VALUE(beta), C, ldc);
}

/* gable_sgemmt_dev gable_dgemmt_dev gable_cgemmt_dev gable_zgemmt_dev: alpha and beta on the
 * device */
gable_status FN(gemmt_dev)(gable_context *ctx, gable_uplo uplo, gable_trans transa,
                           gable_trans transb, int64_t n, int64_t k, const T *alpha, const T *A,
                           int64_t lda, const T *B, int64_t ldb, const T *beta, T *C, int64_t ldc)
{
    return update_gemmt(ctx, NAME(FN(gemmt_dev)), uplo, transa, transb, n, k, AT(alpha), A, lda, B,
                        ldb, AT(beta), C, ldc);
}

/* gable_ssyrk gable_dsyrk gable_csyrk gable_zsyrk: C := alpha A A^T + beta C */
gable_status FN(syrk)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n, int64_t k,
                      T alpha, const T *A, int64_t lda, T beta, T *C, int64_t ldc)
{
    return update_one(ctx, NAME(FN(syrk)), false, uplo, trans, n, k, VALUE(alpha), A, lda,
                      VALUE(beta), C, ldc);
}

/* gable_ssyrk_dev gable_dsyrk_dev gable_csyrk_dev gable_zsyrk_dev: alpha and beta on the device */
gable_status FN(syrk_dev)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n,
                          int64_t k, const T *alpha, const T *A, int64_t lda, const T *beta, T *C,
                          int64_t ldc)
{
    return update_one(ctx, NAME(FN(syrk_dev)), false, uplo, trans, n, k, AT(alpha), A, lda,
                      AT(beta), C, ldc);
}

/* gable_ssyr2k gable_dsyr2k gable_csyr2k gable_zsyr2k: C := alpha A B^T + alpha B A^T + beta C */
gable_status FN(syr2k)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n, int64_t k,
                       T alpha, const T *A, int64_t lda, const T *B, int64_t ldb, T beta, T *C,
                       int64_t ldc)
{
    return update_two(ctx, NAME(FN(syr2k)), false, uplo, trans, n, k, VALUE(alpha), A, lda, B, ldb,
                      VALUE(beta), C, ldc);
}

/* gable_ssyr2k_dev gable_dsyr2k_dev gable_csyr2k_dev gable_zsyr2k_dev: alpha and beta on the
 * device */
gable_status FN(syr2k_dev)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n,
                           int64_t k, const T *alpha, const T *A, int64_t lda, const T *B,
                           int64_t ldb, const T *beta, T *C, int64_t ldc)
{
    return update_two(ctx, NAME(FN(syr2k_dev)), false, uplo, trans, n, k, AT(alpha), A, lda, B, ldb,
                      AT(beta), C, ldc);
}

#if COMPLEX
/* gable_cherk gable_zherk: C := alpha A A^H + beta C */
gable_status FN(herk)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n, int64_t k,
                      R alpha, const T *A, int64_t lda, R beta, T *C, int64_t ldc)
{
    return update_one(ctx, NAME(FN(herk)), true, uplo, trans, n, k, REAL_VALUE(alpha), A, lda,
                      REAL_VALUE(beta), C, ldc);
}

/* gable_cherk_dev gable_zherk_dev: alpha and beta on the device */
gable_status FN(herk_dev)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n,
                          int64_t k, const R *alpha, const T *A, int64_t lda, const R *beta, T *C,
                          int64_t ldc)
{
    return update_one(ctx, NAME(FN(herk_dev)), true, uplo, trans, n, k, AT(alpha), A, lda, AT(beta),
                      C, ldc);
}

/* gable_cher2k gable_zher2k: C := alpha A B^H + conj(alpha) B A^H + beta C */
gable_status FN(her2k)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n, int64_t k,
                       T alpha, const T *A, int64_t lda, const T *B, int64_t ldb, R beta, T *C,
                       int64_t ldc)
{
    return update_two(ctx, NAME(FN(her2k)), true, uplo, trans, n, k, VALUE(alpha), A, lda, B, ldb,
                      REAL_VALUE(beta), C, ldc);
}

/* gable_cher2k_dev gable_zher2k_dev: alpha and beta on the device */
gable_status FN(her2k_dev)(gable_context *ctx, gable_uplo uplo, gable_trans trans, int64_t n,
                           int64_t k, const T *alpha, const T *A, int64_t lda, const T *B,
                           int64_t ldb, const R *beta, T *C, int64_t ldc)
{
    return update_two(ctx, NAME(FN(her2k_dev)), true, uplo, trans, n, k, AT(alpha), A, lda, B, ldb,
                      AT(beta), C, ldc);
}
#endif
