/* cholesky_doors.c: the typed doors of the Cholesky factorization.
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
