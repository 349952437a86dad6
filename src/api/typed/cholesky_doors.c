/* cholesky_doors.c: the typed doors of the Cholesky factorization, of solves with it and of
 * inverses.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

/* gable_spotrf gable_dpotrf gable_cpotrf gable_zpotrf: A = L L^H or U^H U */
gable_status FN(potrf)(gable_context *ctx, gable_uplo uplo, int64_t n, T *A, int64_t lda,
                       int64_t *info)
{
    const gbl_product_call call = {
        .dtype = DTYPE, .uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .info = info};
    return gbl_potrf(ctx, NAME(FN(potrf)), &call);
}

/* gable_spotrs gable_dpotrs gable_cpotrs gable_zpotrs: solves A X = B with the factor of A */
gable_status FN(potrs)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t nrhs, const T *A,
                       int64_t lda, T *B, int64_t ldb)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = uplo,
                                   .m = n,
                                   .n = nrhs,
                                   .A = IN(A),
                                   .lda = lda,
                                   .B = B,
                                   .ldb = ldb};
    return gbl_potrs(ctx, NAME(FN(potrs)), &call);
}

/* gable_sposv gable_dposv gable_cposv gable_zposv: factors A and solves A X = B */
gable_status FN(posv)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t nrhs, T *A,
                      int64_t lda, T *B, int64_t ldb, int64_t *info)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = uplo,
                                   .m = n,
                                   .n = nrhs,
                                   .A = A,
                                   .lda = lda,
                                   .B = B,
                                   .ldb = ldb,
                                   .info = info};
    return gbl_posv(ctx, NAME(FN(posv)), &call);
}

/* gable_spotri gable_dpotri gable_cpotri gable_zpotri: A^-1 in place of the factor of A */
gable_status FN(potri)(gable_context *ctx, gable_uplo uplo, int64_t n, T *A, int64_t lda,
                       int64_t *info)
{
    const gbl_product_call call = {
        .dtype = DTYPE, .uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .info = info};
    return gbl_potri(ctx, NAME(FN(potri)), &call);
}
