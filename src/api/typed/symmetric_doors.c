/* symmetric_doors.c: the typed doors of products with symmetric and Hermitian matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level2/level2.h"

static gbl_matrix_call call_of(gable_uplo uplo, bool conj, int64_t n, gbl_scalar alpha, const T *A,
                               int64_t lda, const T *x, int64_t incx, gbl_scalar beta, T *y,
                               int64_t incy)
{
    return (gbl_matrix_call)CALL(.uplo = uplo, .conj = conj, .m = n, .n = n, .alpha = alpha,
                                 .beta = beta, .A = IN(A), .lda = lda, .x = IN(x), .incx = incx,
                                 .y = y, .incy = incy);
}

/* gable_ssymv gable_dsymv gable_csymv gable_zsymv: y := alpha A x + beta y, A symmetric */
gable_status FN(symv)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *A,
                      int64_t lda, const T *x, int64_t incx, T beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        call_of(uplo, false, n, VALUE(alpha), A, lda, x, incx, VALUE(beta), y, incy);
    return gbl_symv(ctx, NAME(FN(symv)), &call);
}

/* gable_ssymv_dev gable_dsymv_dev gable_csymv_dev gable_zsymv_dev: alpha and beta on the device */
gable_status FN(symv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha,
                          const T *A, int64_t lda, const T *x, int64_t incx, const T *beta, T *y,
                          int64_t incy)
{
    const gbl_matrix_call call =
        call_of(uplo, false, n, AT(alpha), A, lda, x, incx, AT(beta), y, incy);
    return gbl_symv(ctx, NAME(FN(symv_dev)), &call);
}

#if COMPLEX
/* gable_chemv gable_zhemv: y := alpha A x + beta y, A Hermitian */
gable_status FN(hemv)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *A,
                      int64_t lda, const T *x, int64_t incx, T beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        call_of(uplo, true, n, VALUE(alpha), A, lda, x, incx, VALUE(beta), y, incy);
    return gbl_symv(ctx, NAME(FN(hemv)), &call);
}

/* gable_chemv_dev gable_zhemv_dev: alpha and beta on the device */
gable_status FN(hemv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha,
                          const T *A, int64_t lda, const T *x, int64_t incx, const T *beta, T *y,
                          int64_t incy)
{
    const gbl_matrix_call call =
        call_of(uplo, true, n, AT(alpha), A, lda, x, incx, AT(beta), y, incy);
    return gbl_symv(ctx, NAME(FN(hemv_dev)), &call);
}
#endif
