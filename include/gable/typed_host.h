/* typed_host.h: level 3 of BLAS on operands in host memory: declared and documented once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of typed.h, which includes it with its macros set. gable_host_dgemm has the arguments of
 * gable_dgemm and does the same. What differs:
 *
 * - Each operand may be in host or in device memory, by itself. The device is asked whether it can
 *   address a pointer. On cpu all memory is host memory.
 * - The call returns when the result is there. It cannot be part of a recording.
 * - Parts of the operands travel while others are computed. What does not fit into the device's
 *   memory, or into $GABLE_HOST_MEMORY ("2G", "512M"), is computed in tiles.
 * - Where the context was opened without the name of a device, small products run on cpu, and so do
 *   calls that the device fails. $GABLE_HOST says otherwise: "auto", or "device" for never.
 * - On failure outputs are untouched. A device that fails when a part of the result is in the
 *   caller's memory already leaves the rest to the cpu, whatever $GABLE_HOST says, and the call
 *   succeeds. Outputs in device memory are as after a failure of gable_dgemm.
 * - Only what the routine names is written: not the rows between m and the leading dimension, of
 *   symmetric results one triangle. With beta = 0 outputs are not read.
 */

/* gable_host_sgemm gable_host_dgemm gable_host_cgemm gable_host_zgemm: C := alpha op(A) op(B) +
 * beta C */
GABLE_API gable_status GABLE_FN_HOST(gemm)(gable_context *ctx, gable_trans transa,
                                           gable_trans transb, int64_t m, int64_t n, int64_t k,
                                           GABLE_T alpha, const GABLE_T *A, int64_t lda,
                                           const GABLE_T *B, int64_t ldb, GABLE_T beta, GABLE_T *C,
                                           int64_t ldc);
/* gable_host_sgemmt gable_host_dgemmt gable_host_cgemmt gable_host_zgemmt: one triangle of that */
GABLE_API gable_status GABLE_FN_HOST(gemmt)(gable_context *ctx, gable_uplo uplo, gable_trans transa,
                                            gable_trans transb, int64_t n, int64_t k, GABLE_T alpha,
                                            const GABLE_T *A, int64_t lda, const GABLE_T *B,
                                            int64_t ldb, GABLE_T beta, GABLE_T *C, int64_t ldc);
/* gable_host_ssyrk gable_host_dsyrk gable_host_csyrk gable_host_zsyrk: C := alpha A A^T + beta C or
 * alpha A^T A + beta C */
GABLE_API gable_status GABLE_FN_HOST(syrk)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                           int64_t n, int64_t k, GABLE_T alpha, const GABLE_T *A,
                                           int64_t lda, GABLE_T beta, GABLE_T *C, int64_t ldc);
/* gable_host_ssyr2k gable_host_dsyr2k gable_host_csyr2k gable_host_zsyr2k: C := alpha A B^T + alpha
 * B A^T + beta C, or with A^T B and B^T A */
GABLE_API gable_status GABLE_FN_HOST(syr2k)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                            int64_t n, int64_t k, GABLE_T alpha, const GABLE_T *A,
                                            int64_t lda, const GABLE_T *B, int64_t ldb,
                                            GABLE_T beta, GABLE_T *C, int64_t ldc);
/* gable_host_ssymm gable_host_dsymm gable_host_csymm gable_host_zsymm: C := alpha A B + beta C or
 * alpha B A + beta C, A symmetric */
GABLE_API gable_status GABLE_FN_HOST(symm)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                           int64_t m, int64_t n, GABLE_T alpha, const GABLE_T *A,
                                           int64_t lda, const GABLE_T *B, int64_t ldb, GABLE_T beta,
                                           GABLE_T *C, int64_t ldc);
/* gable_host_strmm gable_host_dtrmm gable_host_ctrmm gable_host_ztrmm: B := alpha op(A) B or alpha
 * B op(A), A triangular */
GABLE_API gable_status GABLE_FN_HOST(trmm)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                           gable_trans trans, gable_diag diag, int64_t m, int64_t n,
                                           GABLE_T alpha, const GABLE_T *A, int64_t lda, GABLE_T *B,
                                           int64_t ldb);
/* gable_host_strsm gable_host_dtrsm gable_host_ctrsm gable_host_ztrsm: B := alpha op(A)^-1 B or
 * alpha B op(A)^-1, A triangular */
GABLE_API gable_status GABLE_FN_HOST(trsm)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                           gable_trans trans, gable_diag diag, int64_t m, int64_t n,
                                           GABLE_T alpha, const GABLE_T *A, int64_t lda, GABLE_T *B,
                                           int64_t ldb);
#if GABLE_COMPLEX
/* gable_host_cherk gable_host_zherk: C := alpha A A^H + beta C or alpha A^H A + beta C */
GABLE_API gable_status GABLE_FN_HOST(herk)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                           int64_t n, int64_t k, GABLE_R alpha, const GABLE_T *A,
                                           int64_t lda, GABLE_R beta, GABLE_T *C, int64_t ldc);
/* gable_host_cher2k gable_host_zher2k: C := alpha A B^H + conj(alpha) B A^H + beta C, or with A^H B
 * and B^H A */
GABLE_API gable_status GABLE_FN_HOST(her2k)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                            int64_t n, int64_t k, GABLE_T alpha, const GABLE_T *A,
                                            int64_t lda, const GABLE_T *B, int64_t ldb,
                                            GABLE_R beta, GABLE_T *C, int64_t ldc);
/* gable_host_chemm gable_host_zhemm: as symm, A Hermitian */
GABLE_API gable_status GABLE_FN_HOST(hemm)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                           int64_t m, int64_t n, GABLE_T alpha, const GABLE_T *A,
                                           int64_t lda, const GABLE_T *B, int64_t ldb, GABLE_T beta,
                                           GABLE_T *C, int64_t ldc);
#endif
