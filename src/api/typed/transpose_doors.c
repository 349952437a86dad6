/* transpose_doors.c: the typed doors of transposition and of sums of matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level2/level2.h"

/* gable_stranspose gable_dtranspose gable_ctranspose gable_ztranspose: B := op(A) */
gable_status FN(transpose)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, const T *A,
                           int64_t lda, T *B, int64_t ldb)
{
    const gbl_matrix_call call =
        CALL(.trans = trans, .m = m, .n = n, .A = IN(A), .lda = lda, .C = B, .ldc = ldb);
    return gbl_transpose(ctx, NAME(FN(transpose)), &call);
}

/* gable_sgeam gable_dgeam gable_cgeam gable_zgeam: C := alpha op(A) + beta op(B) */
gable_status FN(geam)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                      int64_t n, T alpha, const T *A, int64_t lda, T beta, const T *B, int64_t ldb,
                      T *C, int64_t ldc)
{
    const gbl_matrix_call call = CALL(.trans = transa, .trans_b = transb, .m = m, .n = n,
                                      .alpha = VALUE(alpha), .beta = VALUE(beta), .A = IN(A),
                                      .lda = lda, .B = IN(B), .ldb = ldb, .C = C, .ldc = ldc);
    return gbl_geam(ctx, NAME(FN(geam)), &call);
}

/* gable_sgeam_dev gable_dgeam_dev gable_cgeam_dev gable_zgeam_dev: alpha and beta on the device */
gable_status FN(geam_dev)(gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m,
                          int64_t n, const T *alpha, const T *A, int64_t lda, const T *beta,
                          const T *B, int64_t ldb, T *C, int64_t ldc)
{
    const gbl_matrix_call call =
        CALL(.trans = transa, .trans_b = transb, .m = m, .n = n, .alpha = AT(alpha),
             .beta = AT(beta), .A = IN(A), .lda = lda, .B = IN(B), .ldb = ldb, .C = C, .ldc = ldc);
    return gbl_geam(ctx, NAME(FN(geam_dev)), &call);
}
