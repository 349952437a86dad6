/* triangle_inverse_doors.c: the typed doors of LAPACK's routines on triangles.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

/* gable_strtrs gable_dtrtrs gable_ctrtrs gable_ztrtrs: solves op(A) X = B, A triangular */
gable_status FN(trtrs)(gable_context *ctx, gable_uplo uplo, gable_trans trans, gable_diag diag,
                       int64_t n, int64_t nrhs, const T *A, int64_t lda, T *B, int64_t ldb,
                       int64_t *info)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = uplo,
                                   .trans = trans,
                                   .diag = diag,
                                   .m = n,
                                   .n = nrhs,
                                   .A = IN(A),
                                   .lda = lda,
                                   .B = B,
                                   .ldb = ldb,
                                   .info = info};
    return gbl_trtrs(ctx, NAME(FN(trtrs)), &call);
}

/* gable_strtri gable_dtrtri gable_ctrtri gable_ztrtri: A := A^-1, A triangular */
gable_status FN(trtri)(gable_context *ctx, gable_uplo uplo, gable_diag diag, int64_t n, T *A,
                       int64_t lda, int64_t *info)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = uplo,
                                   .diag = diag,
                                   .m = n,
                                   .n = n,
                                   .A = A,
                                   .lda = lda,
                                   .info = info};
    return gbl_trtri(ctx, NAME(FN(trtri)), &call);
}

/* gable_slauum gable_dlauum gable_clauum gable_zlauum: L^H L or U U^H in place of the factor */
gable_status FN(lauum)(gable_context *ctx, gable_uplo uplo, int64_t n, T *A, int64_t lda)
{
    const gbl_product_call call = {
        .dtype = DTYPE, .uplo = uplo, .m = n, .n = n, .A = A, .lda = lda};
    return gbl_lauum(ctx, NAME(FN(lauum)), &call);
}
