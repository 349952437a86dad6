/* host_lapack_doors.c: the typed doors of LAPACK's routines on arrays in host memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "host/host_lapack.h"
#include "lapack/lapack.h"

/* gable_host_spotrf gable_host_dpotrf gable_host_cpotrf gable_host_zpotrf: A = L L^H or U^H U */
gable_status FN_HOST(potrf)(gable_context *ctx, gable_uplo uplo, int64_t n, T *A, int64_t lda,
                            int64_t *info)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .info = info);
    return gbl_host_lapack(ctx, NAME(FN_HOST(potrf)), &gbl_potrf_op, &call);
}

/* gable_host_spotrs gable_host_dpotrs gable_host_cpotrs gable_host_zpotrs: A X = B with the factor
 * of A */
gable_status FN_HOST(potrs)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t nrhs,
                            const T *A, int64_t lda, T *B, int64_t ldb)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .m = n, .n = nrhs, .A = IN(A), .lda = lda, .B = B, .ldb = ldb);
    return gbl_host_lapack(ctx, NAME(FN_HOST(potrs)), &gbl_potrs_op, &call);
}

/* gable_host_sposv gable_host_dposv gable_host_cposv gable_host_zposv: factors A and solves
 * A X = B */
gable_status FN_HOST(posv)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t nrhs, T *A,
                           int64_t lda, T *B, int64_t ldb, int64_t *info)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .m = n, .n = nrhs, .A = A, .lda = lda, .B = B, .ldb = ldb, .info = info);
    return gbl_host_lapack(ctx, NAME(FN_HOST(posv)), &gbl_posv_op, &call);
}

/* gable_host_spotri gable_host_dpotri gable_host_cpotri gable_host_zpotri: A^-1 in place of the
 * factor of A */
gable_status FN_HOST(potri)(gable_context *ctx, gable_uplo uplo, int64_t n, T *A, int64_t lda,
                            int64_t *info)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .info = info);
    return gbl_host_lapack(ctx, NAME(FN_HOST(potri)), &gbl_potri_op, &call);
}

/* gable_host_strtrs gable_host_dtrtrs gable_host_ctrtrs gable_host_ztrtrs: op(A) X = B, A
 * triangular */
gable_status FN_HOST(trtrs)(gable_context *ctx, gable_uplo uplo, gable_trans trans, gable_diag diag,
                            int64_t n, int64_t nrhs, const T *A, int64_t lda, T *B, int64_t ldb,
                            int64_t *info)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .trans = trans, .diag = diag, .m = n, .n = nrhs, .A = IN(A), .lda = lda,
             .B = B, .ldb = ldb, .info = info);
    return gbl_host_lapack(ctx, NAME(FN_HOST(trtrs)), &gbl_trtrs_op, &call);
}

/* gable_host_strtri gable_host_dtrtri gable_host_ctrtri gable_host_ztrtri: A := A^-1, A
 * triangular */
gable_status FN_HOST(trtri)(gable_context *ctx, gable_uplo uplo, gable_diag diag, int64_t n, T *A,
                            int64_t lda, int64_t *info)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .diag = diag, .m = n, .n = n, .A = A, .lda = lda, .info = info);
    return gbl_host_lapack(ctx, NAME(FN_HOST(trtri)), &gbl_trtri_op, &call);
}

/* gable_host_sgetrf gable_host_dgetrf gable_host_cgetrf gable_host_zgetrf: A = P L U */
gable_status FN_HOST(getrf)(gable_context *ctx, int64_t m, int64_t n, T *A, int64_t lda,
                            int64_t *ipiv, int64_t *info)
{
    const gbl_product_call call =
        CALL(.m = m, .n = n, .A = A, .lda = lda, .ipiv = ipiv, .info = info);
    return gbl_host_lapack(ctx, NAME(FN_HOST(getrf)), &gbl_getrf_op, &call);
}

/* gable_host_sgetrs gable_host_dgetrs gable_host_cgetrs gable_host_zgetrs: op(A) X = B with the
 * factors of A */
gable_status FN_HOST(getrs)(gable_context *ctx, gable_trans trans, int64_t n, int64_t nrhs,
                            const T *A, int64_t lda, const int64_t *ipiv, T *B, int64_t ldb)
{
    const gbl_product_call call = CALL(.trans = trans, .m = n, .n = nrhs, .A = IN(A), .lda = lda,
                                       .ipiv = IN(ipiv), .B = B, .ldb = ldb);
    return gbl_host_lapack(ctx, NAME(FN_HOST(getrs)), &gbl_getrs_op, &call);
}

/* gable_host_sgesv gable_host_dgesv gable_host_cgesv gable_host_zgesv: A X = B */
gable_status FN_HOST(gesv)(gable_context *ctx, int64_t n, int64_t nrhs, T *A, int64_t lda,
                           int64_t *ipiv, T *B, int64_t ldb, int64_t *info)
{
    const gbl_product_call call =
        CALL(.m = n, .n = nrhs, .A = A, .lda = lda, .ipiv = ipiv, .B = B, .ldb = ldb, .info = info);
    return gbl_host_lapack(ctx, NAME(FN_HOST(gesv)), &gbl_gesv_op, &call);
}

/* gable_host_sgetri gable_host_dgetri gable_host_cgetri gable_host_zgetri: A := A^-1 from the
 * factors of A */
gable_status FN_HOST(getri)(gable_context *ctx, int64_t n, T *A, int64_t lda, const int64_t *ipiv,
                            int64_t *info)
{
    const gbl_product_call call =
        CALL(.m = n, .n = n, .A = A, .lda = lda, .ipiv = IN(ipiv), .info = info);
    return gbl_host_lapack(ctx, NAME(FN_HOST(getri)), &gbl_getri_op, &call);
}
