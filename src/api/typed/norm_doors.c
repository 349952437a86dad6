/* norm_doors.c: the typed doors of norms of matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

/* gable_slange gable_dlange gable_clange gable_zlange: a norm of A */
gable_status FN(lange)(gable_context *ctx, gable_norm norm, int64_t m, int64_t n, const T *A,
                       int64_t lda, R *result)
{
    const gbl_product_call call =
        CALL(.norm = norm, .m = m, .n = n, .A = IN(A), .lda = lda, .C = result);
    return gbl_lange(ctx, NAME(FN(lange)), &call);
}

/* gable_slansy gable_dlansy gable_clansy gable_zlansy: a norm of A, which is symmetric */
gable_status FN(lansy)(gable_context *ctx, gable_norm norm, gable_uplo uplo, int64_t n, const T *A,
                       int64_t lda, R *result)
{
    const gbl_product_call call =
        CALL(.norm = norm, .uplo = uplo, .m = n, .n = n, .A = IN(A), .lda = lda, .C = result);
    return gbl_lansy(ctx, NAME(FN(lansy)), &call);
}

#if COMPLEX
/* gable_clanhe gable_zlanhe: a norm of A, which is Hermitian */
gable_status FN(lanhe)(gable_context *ctx, gable_norm norm, gable_uplo uplo, int64_t n, const T *A,
                       int64_t lda, R *result)
{
    const gbl_product_call call = CALL(.norm = norm, .uplo = uplo, .conj = true, .m = n, .n = n,
                                       .A = IN(A), .lda = lda, .C = result);
    return gbl_lansy(ctx, NAME(FN(lanhe)), &call);
}
#endif

/* gable_slantr gable_dlantr gable_clantr gable_zlantr: a norm of A, which is triangular */
gable_status FN(lantr)(gable_context *ctx, gable_norm norm, gable_uplo uplo, gable_diag diag,
                       int64_t m, int64_t n, const T *A, int64_t lda, R *result)
{
    const gbl_product_call call = CALL(.norm = norm, .uplo = uplo, .diag = diag, .m = m, .n = n,
                                       .A = IN(A), .lda = lda, .C = result);
    return gbl_lantr(ctx, NAME(FN(lantr)), &call);
}
