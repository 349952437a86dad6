/* host_driver_doors.c: the typed doors of eigenvalues and singular values of matrices in host
 * memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "device/hermitian_names.h"
#include "host/host_lapack.h"
#include "lapack/lapack.h"

/* The name of a routine whose stem is a macro. */
#define HOST(stem) FN_HOST(stem)

/* gable_host_ssyevd gable_host_dsyevd gable_host_cheevd gable_host_zheevd: all eigenvalues, and
 * vectors */
gable_status HOST(SYEVD)(gable_context *ctx, gable_job jobz, gable_uplo uplo, int64_t n, T *A,
                         int64_t lda, R *w, int64_t *info)
{
    const gbl_product_call call =
        CALL(.job = jobz, .uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .d = w, .info = info);
    return gbl_host_lapack(ctx, NAME(HOST(SYEVD)), &gbl_syevd_op, &call);
}

/* gable_host_ssygvd gable_host_dsygvd gable_host_chegvd gable_host_zhegvd: A x = w B x,
 * A B x = w x, B A x = w x */
gable_status HOST(SYGVD)(gable_context *ctx, int64_t itype, gable_job jobz, gable_uplo uplo,
                         int64_t n, T *A, int64_t lda, T *B, int64_t ldb, R *w, int64_t *info)
{
    const gbl_product_call call =
        CALL(.k = itype, .job = jobz, .uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .B = B,
             .ldb = ldb, .d = w, .info = info);
    return gbl_host_lapack(ctx, NAME(HOST(SYGVD)), &gbl_sygvd_op, &call);
}

/* gable_host_ssyevx gable_host_dsyevx gable_host_cheevx gable_host_zheevx: some eigenvalues, and
 * vectors */
gable_status HOST(SYEVX)(gable_context *ctx, gable_job jobz, gable_range range, gable_uplo uplo,
                         int64_t n, T *A, int64_t lda, R vl, R vu, int64_t il, int64_t iu, R abstol,
                         int64_t *m, R *w, T *Z, int64_t ldz, int64_t *ifail, int64_t *info)
{
    const gbl_product_call call = CALL(.job = jobz, .range = range, .uplo = uplo, .m = n, .n = n,
                                       .A = A, .lda = lda, .alpha = {.re = vl}, .beta = {.re = vu},
                                       .ilo = il, .ihi = iu, .abstol = {.re = abstol}, .found = m,
                                       .d = w, .C = Z, .ldc = ldz, .ipiv = ifail, .info = info);
    return gbl_host_lapack(ctx, NAME(HOST(SYEVX)), &gbl_syevx_op, &call);
}

/* gable_host_sgesdd gable_host_dgesdd gable_host_cgesdd gable_host_zgesdd: A = U S V^H */
gable_status HOST(gesdd)(gable_context *ctx, gable_job jobz, int64_t m, int64_t n, T *A,
                         int64_t lda, R *s, T *U, int64_t ldu, T *Vt, int64_t ldvt, int64_t *info)
{
    const gbl_product_call call = CALL(.job = jobz, .m = m, .n = n, .A = A, .lda = lda, .d = s,
                                       .B = U, .ldb = ldu, .C = Vt, .ldc = ldvt, .info = info);
    return gbl_host_lapack(ctx, NAME(HOST(gesdd)), &gbl_gesdd_op, &call);
}

/* gable_host_sgesvd gable_host_dgesvd gable_host_cgesvd gable_host_zgesvd: A = U S V^H */
gable_status HOST(gesvd)(gable_context *ctx, gable_job jobu, gable_job jobvt, int64_t m, int64_t n,
                         T *A, int64_t lda, R *s, T *U, int64_t ldu, T *Vt, int64_t ldvt,
                         int64_t *info)
{
    const gbl_product_call call =
        CALL(.job = jobu, .job_b = jobvt, .m = m, .n = n, .A = A, .lda = lda, .d = s, .B = U,
             .ldb = ldu, .C = Vt, .ldc = ldvt, .info = info);
    return gbl_host_lapack(ctx, NAME(HOST(gesvd)), &gbl_gesvd_op, &call);
}
