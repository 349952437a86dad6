/* typed_level3.h: products of matrices of which one has a structure, and triangular solves:
 * declared and documented once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of typed.h, which includes it with its macros set. What is common to all routines stands
 * there. An operand that a factor of 0 leaves unread may hold anything; its size is checked all the
 * same. In twins that end in _dev a factor is looked at when the call runs: operands that it leaves
 * unused may be read, but never count.
 */

/* ---- One triangle of a product ---- */

/* gable_sgemmt gable_dgemmt gable_cgemmt gable_zgemmt: the triangle of C := alpha op(A) op(B) +
 * beta C that uplo names, C n by n, op(A) n by k, op(B) k by n. The other triangle is neither read
 * nor written. Otherwise as gemm. */
GABLE_API gable_status GABLE_FN(gemmt)(gable_context *ctx, gable_uplo uplo, gable_trans transa,
                                       gable_trans transb, int64_t n, int64_t k, GABLE_T alpha,
                                       const GABLE_T *A, int64_t lda, const GABLE_T *B, int64_t ldb,
                                       GABLE_T beta, GABLE_T *C, int64_t ldc);
/* gable_sgemmt_dev gable_dgemmt_dev gable_cgemmt_dev gable_zgemmt_dev: alpha and beta on the
 * device */
GABLE_API gable_status GABLE_FN(gemmt_dev)(gable_context *ctx, gable_uplo uplo, gable_trans transa,
                                           gable_trans transb, int64_t n, int64_t k,
                                           const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                           const GABLE_T *B, int64_t ldb, const GABLE_T *beta,
                                           GABLE_T *C, int64_t ldc);

/* gable_ssyrk gable_dsyrk gable_csyrk gable_zsyrk: C := alpha A A^T + beta C, A n by k, where trans
 * is GABLE_NO_TRANS; C := alpha A^T A + beta C, A k by n, where it is GABLE_TRANS. C is n by n and
 * symmetric, also in c and z: only the triangle that uplo names is read and written.
 * GABLE_CONJ_TRANS means GABLE_TRANS in s and d and is an argument error in c and z. With alpha = 0
 * or k = 0 A is not read; with beta = 0 C is not. C must not overlap A. */
GABLE_API gable_status GABLE_FN(syrk)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                      int64_t n, int64_t k, GABLE_T alpha, const GABLE_T *A,
                                      int64_t lda, GABLE_T beta, GABLE_T *C, int64_t ldc);
/* gable_ssyrk_dev gable_dsyrk_dev gable_csyrk_dev gable_zsyrk_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(syrk_dev)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                          int64_t n, int64_t k, const GABLE_T *alpha,
                                          const GABLE_T *A, int64_t lda, const GABLE_T *beta,
                                          GABLE_T *C, int64_t ldc);

/* gable_ssyr2k gable_dsyr2k gable_csyr2k gable_zsyr2k: C := alpha A B^T + alpha B A^T + beta C, A
 * and B n by k, where trans is GABLE_NO_TRANS; C := alpha A^T B + alpha B^T A + beta C, A and B k
 * by n, where it is GABLE_TRANS. Otherwise as syrk. */
GABLE_API gable_status GABLE_FN(syr2k)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                       int64_t n, int64_t k, GABLE_T alpha, const GABLE_T *A,
                                       int64_t lda, const GABLE_T *B, int64_t ldb, GABLE_T beta,
                                       GABLE_T *C, int64_t ldc);
/* gable_ssyr2k_dev gable_dsyr2k_dev gable_csyr2k_dev gable_zsyr2k_dev: alpha and beta on the
 * device */
GABLE_API gable_status GABLE_FN(syr2k_dev)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                           int64_t n, int64_t k, const GABLE_T *alpha,
                                           const GABLE_T *A, int64_t lda, const GABLE_T *B,
                                           int64_t ldb, const GABLE_T *beta, GABLE_T *C,
                                           int64_t ldc);
#if GABLE_COMPLEX
/* gable_cherk gable_zherk: C := alpha A A^H + beta C, A n by k, where trans is GABLE_NO_TRANS; C :=
 * alpha A^H A + beta C, A k by n, where it is GABLE_CONJ_TRANS; GABLE_TRANS is an argument error.
 * alpha and beta are real. C is Hermitian: imaginary parts of its diagonal are not read and become
 * 0; with beta = 1, and alpha = 0 or k = 0, nothing changes. Otherwise as syrk. */
GABLE_API gable_status GABLE_FN(herk)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                      int64_t n, int64_t k, GABLE_R alpha, const GABLE_T *A,
                                      int64_t lda, GABLE_R beta, GABLE_T *C, int64_t ldc);
/* gable_cherk_dev gable_zherk_dev: alpha and beta on the device; there imaginary parts of the
 * diagonal always become 0. */
GABLE_API gable_status GABLE_FN(herk_dev)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                          int64_t n, int64_t k, const GABLE_R *alpha,
                                          const GABLE_T *A, int64_t lda, const GABLE_R *beta,
                                          GABLE_T *C, int64_t ldc);

/* gable_cher2k gable_zher2k: C := alpha A B^H + conj(alpha) B A^H + beta C, A and B n by k, where
 * trans is GABLE_NO_TRANS; C := alpha A^H B + conj(alpha) B^H A + beta C, A and B k by n, where it
 * is GABLE_CONJ_TRANS. beta is real. Otherwise as herk. */
GABLE_API gable_status GABLE_FN(her2k)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                       int64_t n, int64_t k, GABLE_T alpha, const GABLE_T *A,
                                       int64_t lda, const GABLE_T *B, int64_t ldb, GABLE_R beta,
                                       GABLE_T *C, int64_t ldc);
/* gable_cher2k_dev gable_zher2k_dev: alpha and beta on the device, as herk_dev */
GABLE_API gable_status GABLE_FN(her2k_dev)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                           int64_t n, int64_t k, const GABLE_T *alpha,
                                           const GABLE_T *A, int64_t lda, const GABLE_T *B,
                                           int64_t ldb, const GABLE_R *beta, GABLE_T *C,
                                           int64_t ldc);
#endif

/* ---- Symmetric, Hermitian and triangular matrices on one side of another ---- */

/* gable_ssymm gable_dsymm gable_csymm gable_zsymm: C := alpha A B + beta C, A m by m, where side is
 * GABLE_LEFT; C := alpha B A + beta C, A n by n, where it is GABLE_RIGHT. B and C are m by n. A is
 * symmetric, also in c and z: only the triangle that uplo names is used. With alpha = 0 A and B are
 * not read; with beta = 0 C is not. C must not overlap A or B. */
GABLE_API gable_status GABLE_FN(symm)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                      int64_t m, int64_t n, GABLE_T alpha, const GABLE_T *A,
                                      int64_t lda, const GABLE_T *B, int64_t ldb, GABLE_T beta,
                                      GABLE_T *C, int64_t ldc);
/* gable_ssymm_dev gable_dsymm_dev gable_csymm_dev gable_zsymm_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(symm_dev)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                          int64_t m, int64_t n, const GABLE_T *alpha,
                                          const GABLE_T *A, int64_t lda, const GABLE_T *B,
                                          int64_t ldb, const GABLE_T *beta, GABLE_T *C,
                                          int64_t ldc);
#if GABLE_COMPLEX
/* gable_chemm gable_zhemm: the same where A is Hermitian. Imaginary parts of its diagonal are not
 * used. */
GABLE_API gable_status GABLE_FN(hemm)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                      int64_t m, int64_t n, GABLE_T alpha, const GABLE_T *A,
                                      int64_t lda, const GABLE_T *B, int64_t ldb, GABLE_T beta,
                                      GABLE_T *C, int64_t ldc);
/* gable_chemm_dev gable_zhemm_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(hemm_dev)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                          int64_t m, int64_t n, const GABLE_T *alpha,
                                          const GABLE_T *A, int64_t lda, const GABLE_T *B,
                                          int64_t ldb, const GABLE_T *beta, GABLE_T *C,
                                          int64_t ldc);
#endif

/* gable_strmm gable_dtrmm gable_ctrmm gable_ztrmm: B := alpha op(A) B, A m by m, where side is
 * GABLE_LEFT; B := alpha B op(A), A n by n, where it is GABLE_RIGHT. B is m by n. A is triangular:
 * uplo says which triangle is read, the other never is; with GABLE_UNIT its diagonal is taken as
 * ones and not read. With alpha = 0 A is not read, and B becomes 0 whatever it was. B must not
 * overlap A. */
GABLE_API gable_status GABLE_FN(trmm)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                      gable_trans trans, gable_diag diag, int64_t m, int64_t n,
                                      GABLE_T alpha, const GABLE_T *A, int64_t lda, GABLE_T *B,
                                      int64_t ldb);
/* gable_strmm_dev gable_dtrmm_dev gable_ctrmm_dev gable_ztrmm_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(trmm_dev)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                          gable_trans trans, gable_diag diag, int64_t m, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                          GABLE_T *B, int64_t ldb);

/* gable_strsm gable_dtrsm gable_ctrsm gable_ztrsm: B := alpha op(A)^-1 B, A m by m, where side is
 * GABLE_LEFT; B := alpha B op(A)^-1, A n by n, where it is GABLE_RIGHT. By substitution: as in BLAS
 * there is no test for singular matrices, and a zero on the diagonal gives Inf or NaN. Otherwise as
 * trmm. */
GABLE_API gable_status GABLE_FN(trsm)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                      gable_trans trans, gable_diag diag, int64_t m, int64_t n,
                                      GABLE_T alpha, const GABLE_T *A, int64_t lda, GABLE_T *B,
                                      int64_t ldb);
/* gable_strsm_dev gable_dtrsm_dev gable_ctrsm_dev gable_ztrsm_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(trsm_dev)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                          gable_trans trans, gable_diag diag, int64_t m, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                          GABLE_T *B, int64_t ldb);
