/* lu_doors.c: the typed doors of the LU factorization and of what is made of it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

/* gable_slaswp gable_dlaswp gable_claswp gable_zlaswp: exchanges rows as ipiv says */
gable_status FN(laswp)(gable_context *ctx, int64_t n, T *A, int64_t lda, int64_t k1, int64_t k2,
                       const int64_t *ipiv, int64_t incx)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .m = k2,
                                   .n = n,
                                   .k = k1,
                                   .lda = lda,
                                   .stride_b = incx,
                                   .A = A,
                                   .ipiv = IN(ipiv)};
    return gbl_laswp(ctx, NAME(FN(laswp)), &call);
}

/* gable_sgetrf gable_dgetrf gable_cgetrf gable_zgetrf: A = P L U */
gable_status FN(getrf)(gable_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, int64_t *ipiv,
                       int64_t *info)
{
    const gbl_product_call call = {
        .dtype = DTYPE, .m = m, .n = n, .A = A, .lda = lda, .ipiv = ipiv, .info = info};
    return gbl_getrf(ctx, NAME(FN(getrf)), &call);
}

/* gable_sgetrs gable_dgetrs gable_cgetrs gable_zgetrs: op(A) X = B with the factors of A */
gable_status FN(getrs)(gable_context *ctx, gable_trans trans, int64_t n, int64_t nrhs, const T *A,
                       int64_t lda, const int64_t *ipiv, T *B, int64_t ldb)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .trans = trans,
                                   .m = n,
                                   .n = nrhs,
                                   .A = IN(A),
                                   .lda = lda,
                                   .ipiv = IN(ipiv),
                                   .B = B,
                                   .ldb = ldb};
    return gbl_getrs(ctx, NAME(FN(getrs)), &call);
}

/* gable_sgesv gable_dgesv gable_cgesv gable_zgesv: A X = B */
gable_status FN(gesv)(gable_context *ctx, int64_t n, int64_t nrhs, T *A, int64_t lda, int64_t *ipiv,
                      T *B, int64_t ldb, int64_t *info)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .m = n,
                                   .n = nrhs,
                                   .A = A,
                                   .lda = lda,
                                   .ipiv = ipiv,
                                   .B = B,
                                   .ldb = ldb,
                                   .info = info};
    return gbl_gesv(ctx, NAME(FN(gesv)), &call);
}

/* gable_sgetri gable_dgetri gable_cgetri gable_zgetri: A := A^-1 from the factors of A */
gable_status FN(getri)(gable_context *ctx, int64_t n, T *A, int64_t lda, const int64_t *ipiv,
                       int64_t *info)
{
    const gbl_product_call call =
        CALL(.m = n, .n = n, .A = A, .lda = lda, .ipiv = IN(ipiv), .info = info);
    return gbl_getri(ctx, NAME(FN(getri)), &call);
}
