/* eigen_doors.c: the typed doors of eigenvalues of symmetric and Hermitian matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

#if COMPLEX
#define SYEVD FN(heevd)
#define SYGST FN(hegst)
#define SYGVD FN(hegvd)
#define SYEVX FN(heevx)
#else
#define SYEVD FN(syevd)
#define SYGST FN(sygst)
#define SYGVD FN(sygvd)
#define SYEVX FN(syevx)
#endif

#if !COMPLEX
/* gable_ssterf gable_dsterf: eigenvalues of a tridiagonal matrix */
gable_status FN(sterf)(gable_context *ctx, int64_t n, T *d, T *e, int64_t *info)
{
    const gbl_product_call call = CALL(.m = n, .n = n, .d = d, .e = e, .info = info);
    return gbl_sterf(ctx, NAME(FN(sterf)), &call);
}
#endif

/* gable_sstedc gable_dstedc gable_cstedc gable_zstedc: the same with vectors */
gable_status FN(stedc)(gable_context *ctx, gable_job compz, int64_t n, R *d, R *e, T *Z,
                       int64_t ldz, int64_t *info)
{
    const gbl_product_call call =
        CALL(.job = compz, .m = n, .n = n, .d = d, .e = e, .C = Z, .ldc = ldz, .info = info);
    return gbl_stedc(ctx, NAME(FN(stedc)), &call);
}

/* gable_ssyevd gable_dsyevd gable_cheevd gable_zheevd: all eigenvalues, and vectors */
gable_status SYEVD(gable_context *ctx, gable_job jobz, gable_uplo uplo, int64_t n, T *A,
                   int64_t lda, R *w, int64_t *info)
{
    const gbl_product_call call =
        CALL(.job = jobz, .uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .d = w, .info = info);
    return gbl_syevd(ctx, NAME(SYEVD), &call);
}

/* gable_ssygst gable_dsygst gable_chegst gable_zhegst: A x = w B x as a standard problem */
gable_status SYGST(gable_context *ctx, int64_t itype, gable_uplo uplo, int64_t n, T *A, int64_t lda,
                   const T *B, int64_t ldb)
{
    const gbl_product_call call =
        CALL(.k = itype, .uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .B = IN(B), .ldb = ldb);
    return gbl_sygst(ctx, NAME(SYGST), &call);
}

/* gable_ssygvd gable_dsygvd gable_chegvd gable_zhegvd: A x = w B x, A B x = w x, B A x = w x */
gable_status SYGVD(gable_context *ctx, int64_t itype, gable_job jobz, gable_uplo uplo, int64_t n,
                   T *A, int64_t lda, T *B, int64_t ldb, R *w, int64_t *info)
{
    const gbl_product_call call =
        CALL(.k = itype, .job = jobz, .uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .B = B,
             .ldb = ldb, .d = w, .info = info);
    return gbl_sygvd(ctx, NAME(SYGVD), &call);
}

/* gable_ssyevx gable_dsyevx gable_cheevx gable_zheevx: some eigenvalues, and vectors */
gable_status SYEVX(gable_context *ctx, gable_job jobz, gable_range range, gable_uplo uplo,
                   int64_t n, T *A, int64_t lda, R vl, R vu, int64_t il, int64_t iu, R abstol,
                   int64_t *m, R *w, T *Z, int64_t ldz, int64_t *ifail, int64_t *info)
{
    const gbl_product_call call = CALL(.job = jobz, .range = range, .uplo = uplo, .m = n, .n = n,
                                       .A = A, .lda = lda, .alpha = {.re = vl}, .beta = {.re = vu},
                                       .ilo = il, .ihi = iu, .abstol = {.re = abstol}, .found = m,
                                       .d = w, .C = Z, .ldc = ldz, .ipiv = ifail, .info = info);
    return gbl_syevx(ctx, NAME(SYEVX), &call);
}
