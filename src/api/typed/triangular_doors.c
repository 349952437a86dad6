/* triangular_doors.c: the doors of products with triangular matrices and of their solves.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level2/level2.h"

/* gable_strmv gable_dtrmv gable_ctrmv gable_ztrmv: x := op(A) x */
gable_status FN(trmv)(gable_context *ctx, gable_uplo uplo, gable_trans trans, gable_diag diag,
                      int64_t n, const T *A, int64_t lda, T *x, int64_t incx)
{
    const gbl_matrix_call call = CALL(.uplo = uplo, .trans = trans, .diag = diag, .m = n, .n = n,
                                      .A = IN(A), .lda = lda, .x = x, .incx = incx, .incy = 1);
    return gbl_trmv(ctx, NAME(FN(trmv)), &call);
}

/* gable_strsv gable_dtrsv gable_ctrsv gable_ztrsv: x := op(A)^-1 x */
gable_status FN(trsv)(gable_context *ctx, gable_uplo uplo, gable_trans trans, gable_diag diag,
                      int64_t n, const T *A, int64_t lda, T *x, int64_t incx)
{
    const gbl_matrix_call call = CALL(.uplo = uplo, .trans = trans, .diag = diag, .m = n, .n = n,
                                      .A = IN(A), .lda = lda, .x = x, .incx = incx, .incy = 1);
    return gbl_trsv(ctx, NAME(FN(trsv)), &call);
}
