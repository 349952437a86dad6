/* typed_sparse.h: sparse matrices, the routines that know a precision: declared and documented
 * once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of typed.h, which includes it with its macros set.
 */

/* gable_sparse_scsr gable_sparse_dcsr gable_sparse_ccsr gable_sparse_zcsr: a matrix from compressed
 * rows: the entries of row i are start[i] to start[i + 1] - 1, with their columns and values. start
 * has rows + 1 elements; start and column are int32_t or int64_t as index_bits says. The arrays are
 * on the host or the device, all alike, and are copied. Columns of a row need not be sorted; they
 * are in the matrix. An index out of range, a start that falls, and, without GABLE_SPARSE_SUM, a
 * place that comes twice are argument errors that name the entry. */
GABLE_API gable_status GABLE_FN_SPARSE(csr)(gable_context *ctx, int64_t rows, int64_t columns,
                                            int64_t entries, int index_bits, const void *start,
                                            const void *column, const GABLE_T *values,
                                            unsigned flags, gable_sparse **A);

/* gable_sparse_scoo gable_sparse_dcoo gable_sparse_ccoo gable_sparse_zcoo: a matrix from its
 * entries in any order. Otherwise as csr; the result is in compressed rows. */
GABLE_API gable_status GABLE_FN_SPARSE(coo)(gable_context *ctx, int64_t rows, int64_t columns,
                                            int64_t entries, int index_bits, const void *row,
                                            const void *column, const GABLE_T *values,
                                            unsigned flags, gable_sparse **A);

/* gable_sparse_sget gable_sparse_dget gable_sparse_cget gable_sparse_zget: the entries of A as
 * compressed rows on the host, columns of a row sorted, counted from 0: start has rows + 1
 * elements, column and values as many as A has entries. Each may be NULL. */
GABLE_API gable_status GABLE_FN_SPARSE(get)(gable_context *ctx, gable_sparse *A, int64_t *start,
                                            int64_t *column, GABLE_T *values);

/* gable_sparse_sset_values gable_sparse_dset_values gable_sparse_cset_values
 * gable_sparse_zset_values: other values for the entries that A has, in the order of get; on the
 * host or the device, copied. With GABLE_SPARSE_IN_PLACE they may be A's own array, changed by
 * the caller. A is in compressed rows, else GABLE_NOT_SUPPORTED; copies in other formats stay as
 * they were. What was made of the old values is made again: the transpose and, at their next
 * solve, what solvers of A keep. Waits. Nothing else uses A meanwhile. */
GABLE_API gable_status GABLE_FN_SPARSE(set_values)(gable_context *ctx, gable_sparse *A,
                                                   const GABLE_T *values);

/* gable_sparse_smv gable_sparse_dmv gable_sparse_cmv gable_sparse_zmv: y := alpha op(A) x + beta y.
 * With beta = 0 y is not read; with alpha = 0 A and x are not. For GABLE_TRANS and GABLE_CONJ_TRANS
 * the transpose of A is made once and kept. x and y do not overlap. */
GABLE_API gable_status GABLE_FN_SPARSE(mv)(gable_context *ctx, gable_trans trans, GABLE_T alpha,
                                           gable_sparse *A, const GABLE_T *x, GABLE_T beta,
                                           GABLE_T *y);
/* gable_sparse_smv_dev gable_sparse_dmv_dev gable_sparse_cmv_dev gable_sparse_zmv_dev: alpha and
 * beta on the device */
GABLE_API gable_status GABLE_FN_SPARSE(mv_dev)(gable_context *ctx, gable_trans trans,
                                               const GABLE_T *alpha, gable_sparse *A,
                                               const GABLE_T *x, const GABLE_T *beta, GABLE_T *y);

/* gable_sparse_smm gable_sparse_dmm gable_sparse_cmm gable_sparse_zmm: Y := alpha op(A) X + beta Y,
 * X and Y column-major with k columns. Otherwise as mv. */
GABLE_API gable_status GABLE_FN_SPARSE(mm)(gable_context *ctx, gable_trans trans, int64_t k,
                                           GABLE_T alpha, gable_sparse *A, const GABLE_T *X,
                                           int64_t ldx, GABLE_T beta, GABLE_T *Y, int64_t ldy);
/* gable_sparse_smm_dev gable_sparse_dmm_dev gable_sparse_cmm_dev gable_sparse_zmm_dev: alpha and
 * beta on the device */
GABLE_API gable_status GABLE_FN_SPARSE(mm_dev)(gable_context *ctx, gable_trans trans, int64_t k,
                                               const GABLE_T *alpha, gable_sparse *A,
                                               const GABLE_T *X, int64_t ldx, const GABLE_T *beta,
                                               GABLE_T *Y, int64_t ldy);
