/* singular_doors.c: the typed doors of singular values: of bidiagonal matrices and of all others.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

#if !COMPLEX
/* gable_sbdsdc gable_dbdsdc: B = U S V^T, bidiagonal */
gable_status FN(bdsdc)(gable_context *ctx, gable_uplo uplo, gable_job compq, int64_t n, R *d, R *e,
                       R *U, int64_t ldu, R *Vt, int64_t ldvt, int64_t *info)
{
    const gbl_product_call call = CALL(.uplo = uplo, .job = compq, .m = n, .n = n, .d = d, .e = e,
                                       .B = U, .ldb = ldu, .C = Vt, .ldc = ldvt, .info = info);
    return gbl_bdsdc(ctx, NAME(FN(bdsdc)), &call);
}
#endif

/* gable_sgesdd gable_dgesdd gable_cgesdd gable_zgesdd: A = U S V^H */
gable_status FN(gesdd)(gable_context *ctx, gable_job jobz, int64_t m, int64_t n, T *A, int64_t lda,
                       R *s, T *U, int64_t ldu, T *Vt, int64_t ldvt, int64_t *info)
{
    const gbl_product_call call = CALL(.job = jobz, .m = m, .n = n, .A = A, .lda = lda, .d = s,
                                       .B = U, .ldb = ldu, .C = Vt, .ldc = ldvt, .info = info);
    return gbl_gesdd(ctx, NAME(FN(gesdd)), &call);
}

/* gable_sgesvd gable_dgesvd gable_cgesvd gable_zgesvd: A = U S V^H */
gable_status FN(gesvd)(gable_context *ctx, gable_job jobu, gable_job jobvt, int64_t m, int64_t n,
                       T *A, int64_t lda, R *s, T *U, int64_t ldu, T *Vt, int64_t ldvt,
                       int64_t *info)
{
    const gbl_product_call call =
        CALL(.job = jobu, .job_b = jobvt, .m = m, .n = n, .A = A, .lda = lda, .d = s, .B = U,
             .ldb = ldu, .C = Vt, .ldc = ldvt, .info = info);
    return gbl_gesvd(ctx, NAME(FN(gesvd)), &call);
}
