/* update_doors.c: the typed doors of the rank-1 and rank-2 updates.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level2/level2.h"

static gable_status update_matrix(gable_context *ctx, const char *name, bool conj, int64_t m,
                                  int64_t n, gbl_scalar alpha, const T *x, int64_t incx, const T *y,
                                  int64_t incy, T *A, int64_t lda)
{
    const gbl_matrix_call call =
        CALL(.conj = conj, .m = m, .n = n, .alpha = alpha, .A = A, .lda = lda, .x = IN(x),
             .incx = incx, .y = IN(y), .incy = incy);
    return gbl_ger(ctx, name, &call);
}

static gable_status update_one(gable_context *ctx, const char *name, bool hermitian,
                               gable_uplo uplo, int64_t n, gbl_scalar alpha, const T *x,
                               int64_t incx, T *A, int64_t lda)
{
    const gbl_matrix_call call =
        CALL(.uplo = uplo, .conj = hermitian, .real_scalars = hermitian, .m = n, .n = n,
             .alpha = alpha, .A = A, .lda = lda, .x = IN(x), .incx = incx);
    return gbl_syr(ctx, name, &call);
}

static gable_status update_two(gable_context *ctx, const char *name, bool hermitian,
                               gable_uplo uplo, int64_t n, gbl_scalar alpha, const T *x,
                               int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    const gbl_matrix_call call =
        CALL(.uplo = uplo, .conj = hermitian, .m = n, .n = n, .alpha = alpha, .A = A, .lda = lda,
             .x = IN(x), .incx = incx, .y = IN(y), .incy = incy);
    return gbl_syr2(ctx, name, &call);
}

#if COMPLEX
/* gable_cgeru gable_zgeru: A := A + alpha x y^T */
gable_status FN(geru)(gable_context *ctx, int64_t m, int64_t n, T alpha, const T *x, int64_t incx,
                      const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_matrix(ctx, NAME(FN(geru)), false, m, n, VALUE(alpha), x, incx, y, incy, A, lda);
}

/* gable_cgeru_dev gable_zgeru_dev: alpha on the device */
gable_status FN(geru_dev)(gable_context *ctx, int64_t m, int64_t n, const T *alpha, const T *x,
                          int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_matrix(ctx, NAME(FN(geru_dev)), false, m, n, AT(alpha), x, incx, y, incy, A, lda);
}

/* gable_cgerc gable_zgerc: A := A + alpha x y^H */
gable_status FN(gerc)(gable_context *ctx, int64_t m, int64_t n, T alpha, const T *x, int64_t incx,
                      const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_matrix(ctx, NAME(FN(gerc)), true, m, n, VALUE(alpha), x, incx, y, incy, A, lda);
}

/* gable_cgerc_dev gable_zgerc_dev: alpha on the device */
gable_status FN(gerc_dev)(gable_context *ctx, int64_t m, int64_t n, const T *alpha, const T *x,
                          int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_matrix(ctx, NAME(FN(gerc_dev)), true, m, n, AT(alpha), x, incx, y, incy, A, lda);
}

/* gable_cher gable_zher: A := A + alpha x x^H in one triangle */
gable_status FN(her)(gable_context *ctx, gable_uplo uplo, int64_t n, R alpha, const T *x,
                     int64_t incx, T *A, int64_t lda)
{
    return update_one(ctx, NAME(FN(her)), true, uplo, n, REAL_VALUE(alpha), x, incx, A, lda);
}

/* gable_cher_dev gable_zher_dev: alpha on the device */
gable_status FN(her_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const R *alpha, const T *x,
                         int64_t incx, T *A, int64_t lda)
{
    return update_one(ctx, NAME(FN(her_dev)), true, uplo, n, AT(alpha), x, incx, A, lda);
}

/* gable_cher2 gable_zher2: A := A + alpha x y^H + conj(alpha) y x^H in one triangle */
gable_status FN(her2)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *x,
                      int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_two(ctx, NAME(FN(her2)), true, uplo, n, VALUE(alpha), x, incx, y, incy, A, lda);
}

/* gable_cher2_dev gable_zher2_dev: alpha on the device */
gable_status FN(her2_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha,
                          const T *x, int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_two(ctx, NAME(FN(her2_dev)), true, uplo, n, AT(alpha), x, incx, y, incy, A, lda);
}

#else
/* gable_sger gable_dger: A := A + alpha x y^T */
gable_status FN(ger)(gable_context *ctx, int64_t m, int64_t n, T alpha, const T *x, int64_t incx,
                     const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_matrix(ctx, NAME(FN(ger)), false, m, n, VALUE(alpha), x, incx, y, incy, A, lda);
}

/* gable_sger_dev gable_dger_dev: alpha on the device */
gable_status FN(ger_dev)(gable_context *ctx, int64_t m, int64_t n, const T *alpha, const T *x,
                         int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_matrix(ctx, NAME(FN(ger_dev)), false, m, n, AT(alpha), x, incx, y, incy, A, lda);
}

#endif

/* gable_ssyr gable_dsyr gable_csyr gable_zsyr: A := A + alpha x x^T in one triangle */
gable_status FN(syr)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *x,
                     int64_t incx, T *A, int64_t lda)
{
    return update_one(ctx, NAME(FN(syr)), false, uplo, n, VALUE(alpha), x, incx, A, lda);
}

/* gable_ssyr_dev gable_dsyr_dev gable_csyr_dev gable_zsyr_dev: alpha on the device */
gable_status FN(syr_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha, const T *x,
                         int64_t incx, T *A, int64_t lda)
{
    return update_one(ctx, NAME(FN(syr_dev)), false, uplo, n, AT(alpha), x, incx, A, lda);
}

/* gable_ssyr2 gable_dsyr2 gable_csyr2 gable_zsyr2: A := A + alpha x y^T + alpha y x^T in one
 * triangle */
gable_status FN(syr2)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *x,
                      int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_two(ctx, NAME(FN(syr2)), false, uplo, n, VALUE(alpha), x, incx, y, incy, A, lda);
}

/* gable_ssyr2_dev gable_dsyr2_dev gable_csyr2_dev gable_zsyr2_dev: alpha on the device */
gable_status FN(syr2_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha,
                          const T *x, int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    return update_two(ctx, NAME(FN(syr2_dev)), false, uplo, n, AT(alpha), x, incx, y, incy, A, lda);
}
