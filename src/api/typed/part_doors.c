/* part_doors.c: the typed doors of copies, fills and multiples of a matrix or one of its triangles.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

/* gable_slacpy gable_dlacpy gable_clacpy gable_zlacpy: B := A */
gable_status FN(lacpy)(gable_context *ctx, gable_uplo uplo, int64_t m, int64_t n, const T *A,
                       int64_t lda, T *B, int64_t ldb)
{
    const gbl_product_call call = {
        .dtype = DTYPE, .uplo = uplo, .m = m, .n = n, .A = IN(A), .lda = lda, .B = B, .ldb = ldb};
    return gbl_lacpy(ctx, NAME(FN(lacpy)), &call);
}

static gable_status set_part(gable_context *ctx, const char *name, gable_uplo uplo, int64_t m,
                             int64_t n, gbl_scalar alpha, gbl_scalar beta, T *A, int64_t lda)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = uplo,
                                   .m = m,
                                   .n = n,
                                   .alpha = alpha,
                                   .beta = beta,
                                   .A = A,
                                   .lda = lda};
    return gbl_laset(ctx, name, &call);
}

/* gable_slaset gable_dlaset gable_claset gable_zlaset: A := beta on the diagonal, alpha
 * elsewhere */
gable_status FN(laset)(gable_context *ctx, gable_uplo uplo, int64_t m, int64_t n, T alpha, T beta,
                       T *A, int64_t lda)
{
    return set_part(ctx, NAME(FN(laset)), uplo, m, n, VALUE(alpha), VALUE(beta), A, lda);
}

/* gable_slaset_dev gable_dlaset_dev gable_claset_dev gable_zlaset_dev: alpha and beta on the
 * device */
gable_status FN(laset_dev)(gable_context *ctx, gable_uplo uplo, int64_t m, int64_t n,
                           const T *alpha, const T *beta, T *A, int64_t lda)
{
    return set_part(ctx, NAME(FN(laset_dev)), uplo, m, n, AT(alpha), AT(beta), A, lda);
}

static gable_status scale_part(gable_context *ctx, const char *name, gable_uplo uplo,
                               gbl_scalar cfrom, gbl_scalar cto, int64_t m, int64_t n, T *A,
                               int64_t lda)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = uplo,
                                   .real_alpha = COMPLEX,
                                   .real_beta = COMPLEX,
                                   .m = m,
                                   .n = n,
                                   .alpha = cfrom,
                                   .beta = cto,
                                   .A = A,
                                   .lda = lda};
    return gbl_lascl(ctx, name, &call);
}

/* gable_slascl gable_dlascl gable_clascl gable_zlascl: A := (cto / cfrom) A */
gable_status FN(lascl)(gable_context *ctx, gable_uplo uplo, R cfrom, R cto, int64_t m, int64_t n,
                       T *A, int64_t lda)
{
    return scale_part(ctx, NAME(FN(lascl)), uplo, REAL_VALUE(cfrom), REAL_VALUE(cto), m, n, A, lda);
}

/* gable_slascl_dev gable_dlascl_dev gable_clascl_dev gable_zlascl_dev: cfrom and cto on the
 * device */
gable_status FN(lascl_dev)(gable_context *ctx, gable_uplo uplo, const R *cfrom, const R *cto,
                           int64_t m, int64_t n, T *A, int64_t lda)
{
    return scale_part(ctx, NAME(FN(lascl_dev)), uplo, AT(cfrom), AT(cto), m, n, A, lda);
}
