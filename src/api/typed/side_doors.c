/* side_doors.c: the typed doors of symmetric and triangular matrices on one side of another: symm,
 * hemm, trmm, trsm.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level3/level3.h"

static gable_status multiply(gable_context *ctx, const char *name, bool hermitian, gable_side side,
                             gable_uplo uplo, int64_t m, int64_t n, gbl_scalar alpha, const T *A,
                             int64_t lda, const T *B, int64_t ldb, gbl_scalar beta, T *C,
                             int64_t ldc)
{
    const gbl_product_call call =
        CALL(.side = side, .uplo = uplo, .conj = hermitian, .m = m, .n = n, .alpha = alpha,
             .A = IN(A), .lda = lda, .B = IN(B), .ldb = ldb, .beta = beta, .C = C, .ldc = ldc);
    return gbl_symm(ctx, name, &call);
}

static gbl_product_call triangular(gable_side side, gable_uplo uplo, gable_trans trans,
                                   gable_diag diag, int64_t m, int64_t n, gbl_scalar alpha,
                                   const T *A, int64_t lda, T *B, int64_t ldb)
{
    return (gbl_product_call)CALL(.side = side, .uplo = uplo, .trans = trans, .diag = diag, .m = m,
                                  .n = n, .alpha = alpha, .A = IN(A), .lda = lda, .B = B,
                                  .ldb = ldb);
}

/* gable_ssymm gable_dsymm gable_csymm gable_zsymm: C := alpha A B + beta C, A symmetric */
gable_status FN(symm)(gable_context *ctx, gable_side side, gable_uplo uplo, int64_t m, int64_t n,
                      T alpha, const T *A, int64_t lda, const T *B, int64_t ldb, T beta, T *C,
                      int64_t ldc)
{
    return multiply(ctx, NAME(FN(symm)), false, side, uplo, m, n, VALUE(alpha), A, lda, B, ldb,
                    VALUE(beta), C, ldc);
}

/* gable_ssymm_dev gable_dsymm_dev gable_csymm_dev gable_zsymm_dev: alpha and beta on the device */
gable_status FN(symm_dev)(gable_context *ctx, gable_side side, gable_uplo uplo, int64_t m,
                          int64_t n, const T *alpha, const T *A, int64_t lda, const T *B,
                          int64_t ldb, const T *beta, T *C, int64_t ldc)
{
    return multiply(ctx, NAME(FN(symm_dev)), false, side, uplo, m, n, AT(alpha), A, lda, B, ldb,
                    AT(beta), C, ldc);
}

#if COMPLEX
/* gable_chemm gable_zhemm: C := alpha A B + beta C, A Hermitian */
gable_status FN(hemm)(gable_context *ctx, gable_side side, gable_uplo uplo, int64_t m, int64_t n,
                      T alpha, const T *A, int64_t lda, const T *B, int64_t ldb, T beta, T *C,
                      int64_t ldc)
{
    return multiply(ctx, NAME(FN(hemm)), true, side, uplo, m, n, VALUE(alpha), A, lda, B, ldb,
                    VALUE(beta), C, ldc);
}

/* gable_chemm_dev gable_zhemm_dev: alpha and beta on the device */
gable_status FN(hemm_dev)(gable_context *ctx, gable_side side, gable_uplo uplo, int64_t m,
                          int64_t n, const T *alpha, const T *A, int64_t lda, const T *B,
                          int64_t ldb, const T *beta, T *C, int64_t ldc)
{
    return multiply(ctx, NAME(FN(hemm_dev)), true, side, uplo, m, n, AT(alpha), A, lda, B, ldb,
                    AT(beta), C, ldc);
}
#endif

/* gable_strmm gable_dtrmm gable_ctrmm gable_ztrmm: B := alpha op(A) B */
gable_status FN(trmm)(gable_context *ctx, gable_side side, gable_uplo uplo, gable_trans trans,
                      gable_diag diag, int64_t m, int64_t n, T alpha, const T *A, int64_t lda, T *B,
                      int64_t ldb)
{
    const gbl_product_call call =
        triangular(side, uplo, trans, diag, m, n, VALUE(alpha), A, lda, B, ldb);
    return gbl_trmm(ctx, NAME(FN(trmm)), &call);
}

/* gable_strmm_dev gable_dtrmm_dev gable_ctrmm_dev gable_ztrmm_dev: alpha on the device */
gable_status FN(trmm_dev)(gable_context *ctx, gable_side side, gable_uplo uplo, gable_trans trans,
                          gable_diag diag, int64_t m, int64_t n, const T *alpha, const T *A,
                          int64_t lda, T *B, int64_t ldb)
{
    const gbl_product_call call =
        triangular(side, uplo, trans, diag, m, n, AT(alpha), A, lda, B, ldb);
    return gbl_trmm(ctx, NAME(FN(trmm_dev)), &call);
}

/* gable_strsm gable_dtrsm gable_ctrsm gable_ztrsm: B := alpha op(A)^-1 B */
gable_status FN(trsm)(gable_context *ctx, gable_side side, gable_uplo uplo, gable_trans trans,
                      gable_diag diag, int64_t m, int64_t n, T alpha, const T *A, int64_t lda, T *B,
                      int64_t ldb)
{
    const gbl_product_call call =
        triangular(side, uplo, trans, diag, m, n, VALUE(alpha), A, lda, B, ldb);
    return gbl_trsm(ctx, NAME(FN(trsm)), &call);
}

/* gable_strsm_dev gable_dtrsm_dev gable_ctrsm_dev gable_ztrsm_dev: alpha on the device */
gable_status FN(trsm_dev)(gable_context *ctx, gable_side side, gable_uplo uplo, gable_trans trans,
                          gable_diag diag, int64_t m, int64_t n, const T *alpha, const T *A,
                          int64_t lda, T *B, int64_t ldb)
{
    const gbl_product_call call =
        triangular(side, uplo, trans, diag, m, n, AT(alpha), A, lda, B, ldb);
    return gbl_trsm(ctx, NAME(FN(trsm_dev)), &call);
}
