/* batched_doors.c: the typed doors of many products at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions. Members are those of gbl_matrix_args; `pointers` says
 * that A, x and y are arrays of addresses.
 */
#include "api/typed/door.h"
#include "blas/level2/level2.h"

static gable_status batched(gable_context *ctx, const char *name, gable_trans trans, int64_t m,
                            int64_t n, gbl_scalar alpha, const T *const *A, int64_t lda,
                            const T *const *x, int64_t incx, gbl_scalar beta, T *const *y,
                            int64_t incy, int64_t batch)
{
    const gbl_matrix_call call =
        CALL(.trans = trans, .m = m, .n = n, .alpha = alpha, .beta = beta, .A = IN(A), .lda = lda,
             .x = IN(x), .incx = incx, .y = IN(y), .incy = incy, .batch = batch, .pointers = true);
    return gbl_gemv_batched(ctx, name, &call);
}

/* gable_sgemv_batched gable_dgemv_batched gable_cgemv_batched gable_zgemv_batched */
gable_status FN(gemv_batched)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, T alpha,
                              const T *const *A, int64_t lda, const T *const *x, int64_t incx,
                              T beta, T *const *y, int64_t incy, int64_t batch)
{
    return batched(ctx, NAME(FN(gemv_batched)), trans, m, n, VALUE(alpha), A, lda, x, incx,
                   VALUE(beta), y, incy, batch);
}

/* gable_sgemv_batched_dev gable_dgemv_batched_dev gable_cgemv_batched_dev
 * gable_zgemv_batched_dev */
gable_status FN(gemv_batched_dev)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n,
                                  const T *alpha, const T *const *A, int64_t lda, const T *const *x,
                                  int64_t incx, const T *beta, T *const *y, int64_t incy,
                                  int64_t batch)
{
    return batched(ctx, NAME(FN(gemv_batched_dev)), trans, m, n, AT(alpha), A, lda, x, incx,
                   AT(beta), y, incy, batch);
}

/* gable_sgemv_strided gable_dgemv_strided gable_cgemv_strided gable_zgemv_strided */
gable_status FN(gemv_strided)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, T alpha,
                              const T *A, int64_t lda, int64_t stride_a, const T *x, int64_t incx,
                              int64_t stride_x, T beta, T *y, int64_t incy, int64_t stride_y,
                              int64_t batch)
{
    const gbl_matrix_call call =
        CALL(.trans = trans, .m = m, .n = n, .alpha = VALUE(alpha), .beta = VALUE(beta), .A = IN(A),
             .lda = lda, .x = IN(x), .incx = incx, .y = y, .incy = incy, .batch = batch,
             .stride_a = stride_a, .stride_x = stride_x, .stride_y = stride_y);
    return gbl_gemv_batched(ctx, NAME(FN(gemv_strided)), &call);
}

/* gable_sgemv_strided_dev gable_dgemv_strided_dev gable_cgemv_strided_dev
 * gable_zgemv_strided_dev */
gable_status FN(gemv_strided_dev)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n,
                                  const T *alpha, const T *A, int64_t lda, int64_t stride_a,
                                  const T *x, int64_t incx, int64_t stride_x, const T *beta, T *y,
                                  int64_t incy, int64_t stride_y, int64_t batch)
{
    const gbl_matrix_call call =
        CALL(.trans = trans, .m = m, .n = n, .alpha = AT(alpha), .beta = AT(beta), .A = IN(A),
             .lda = lda, .x = IN(x), .incx = incx, .y = y, .incy = incy, .batch = batch,
             .stride_a = stride_a, .stride_x = stride_x, .stride_y = stride_y);
    return gbl_gemv_batched(ctx, NAME(FN(gemv_strided_dev)), &call);
}
