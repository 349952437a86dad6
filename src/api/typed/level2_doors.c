/* level2_doors.c: the typed doors of the matrix-vector routines.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level2/level2.h"

/* gable_sgemv gable_dgemv gable_cgemv gable_zgemv: y := alpha op(A) x + beta y */
gable_status FN(gemv)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, T alpha,
                      const T *A, int64_t lda, const T *x, int64_t incx, T beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        CALL(.trans = trans, .m = m, .n = n, .alpha = VALUE(alpha), .beta = VALUE(beta), .A = IN(A),
             .lda = lda, .x = IN(x), .incx = incx, .y = y, .incy = incy);
    return gbl_gemv(ctx, NAME(FN(gemv)), &call);
}

/* gable_sgemv_dev gable_dgemv_dev gable_cgemv_dev gable_zgemv_dev: alpha and beta on the device */
gable_status FN(gemv_dev)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n,
                          const T *alpha, const T *A, int64_t lda, const T *x, int64_t incx,
                          const T *beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        CALL(.trans = trans, .m = m, .n = n, .alpha = AT(alpha), .beta = AT(beta), .A = IN(A),
             .lda = lda, .x = IN(x), .incx = incx, .y = y, .incy = incy);
    return gbl_gemv(ctx, NAME(FN(gemv_dev)), &call);
}
