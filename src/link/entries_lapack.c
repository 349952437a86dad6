/* entries_lapack.c: routines of LAPACK by their Fortran names.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision and spelling, as entries_level3.c, whose head tells of lengths and
 * tail calls. What LAPACK would not accept goes to the next function, which reports it to the
 * program's xerbla: wrong letters, sizes and leading dimensions, work arrays that are too short. So
 * does lwork = -1, which asks for their length.
 */
#include "link/link_work.h"

/* ---- LU ---- */

/* sgetrf_ dgetrf_ cgetrf_ zgetrf_ */
EXPORTED void ENTRY(getrf)(const void *m, const void *n, T *A, const void *lda, void *ipiv,
                           void *info);
void ENTRY(getrf)(const void *m, const void *n, T *A, const void *lda, void *ipiv, void *info)
{
    static gbl_link_slot slot = SLOT(getrf);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(m) == 0 || SIZE(n) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), gbl_link_shorter(SIZE(m), SIZE(n)))) {
        const gbl_link_call call =
            CALL(getrf, FORTRAN, .m = SIZE(m), .n = SIZE(n), .C = A, .ldc = SIZE(lda), .ipiv = ipiv,
                 .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(getrf)(m, n, A, lda, ipiv, info);
    gbl_link_passed(&slot, &mark);
}

/* sgetrs_ dgetrs_ cgetrs_ zgetrs_ */
EXPORTED void ENTRY(getrs)(const char *trans, const void *n, const void *nrhs, const T *A,
                           const void *lda, const void *ipiv, T *B, const void *ldb, void *info,
                           size_t length_t);
void ENTRY(getrs)(const char *trans, const void *n, const void *nrhs, const T *A, const void *lda,
                  const void *ipiv, T *B, const void *ldb, void *info, size_t length_t)
{
    static gbl_link_slot slot = SLOT(getrs);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(n) == 0 || SIZE(nrhs) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(nrhs))) {
        const gbl_link_call call =
            CALL(getrs, FORTRAN, .trans = gbl_link_trans(trans), .m = SIZE(n), .n = SIZE(n),
                 .k = SIZE(nrhs), .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb),
                 .ipiv = (void *)(uintptr_t)ipiv, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(getrs)(trans, n, nrhs, A, lda, ipiv, B, ldb, info, length_t);
    gbl_link_passed(&slot, &mark);
}

/* sgesv_ dgesv_ cgesv_ zgesv_ */
EXPORTED void ENTRY(gesv)(const void *n, const void *nrhs, T *A, const void *lda, void *ipiv, T *B,
                          const void *ldb, void *info);
void ENTRY(gesv)(const void *n, const void *nrhs, T *A, const void *lda, void *ipiv, T *B,
                 const void *ldb, void *info)
{
    static gbl_link_slot slot = SLOT(gesv);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(n) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), gbl_link_terms(SIZE(n), SIZE(nrhs)))) {
        const gbl_link_call call = CALL(gesv, FORTRAN, .m = SIZE(n), .n = SIZE(n), .k = SIZE(nrhs),
                                        .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb),
                                        .ipiv = ipiv, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(gesv)(n, nrhs, A, lda, ipiv, B, ldb, info);
    gbl_link_passed(&slot, &mark);
}

/* sgetri_ dgetri_ cgetri_ zgetri_. The length of work that is best is the next library's to say. */
EXPORTED void ENTRY(getri)(const void *n, T *A, const void *lda, const void *ipiv, T *work,
                           const void *lwork, void *info);
void ENTRY(getri)(const void *n, T *A, const void *lda, const void *ipiv, T *work,
                  const void *lwork, void *info)
{
    static gbl_link_slot slot = SLOT(getri);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says_work(bound, work, lwork, SIZE(n), SIZE(n) == 0, info))
        return;
    if (SIZE(lwork) >= SIZE(n) && gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(n))) {
        const gbl_link_call call =
            CALL(getri, FORTRAN, .m = SIZE(n), .n = SIZE(n), .C = A, .ldc = SIZE(lda),
                 .ipiv = (void *)(uintptr_t)ipiv, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(getri)(n, A, lda, ipiv, work, &gbl_link_query, info);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(getri)(n, A, lda, ipiv, work, lwork, info);
    gbl_link_passed(&slot, &mark);
}

/* ---- Cholesky ---- */

/* spotrf_ dpotrf_ cpotrf_ zpotrf_ */
EXPORTED void ENTRY(potrf)(const char *uplo, const void *n, T *A, const void *lda, void *info,
                           size_t length_u);
void ENTRY(potrf)(const char *uplo, const void *n, T *A, const void *lda, void *info,
                  size_t length_u)
{
    static gbl_link_slot slot = SLOT(potrf);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(n) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(n))) {
        const gbl_link_call call =
            CALL(potrf, FORTRAN, .uplo = gbl_link_uplo(uplo), .m = SIZE(n), .n = SIZE(n), .C = A,
                 .ldc = SIZE(lda), .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(potrf)(uplo, n, A, lda, info, length_u);
    gbl_link_passed(&slot, &mark);
}

/* spotrs_ dpotrs_ cpotrs_ zpotrs_ */
EXPORTED void ENTRY(potrs)(const char *uplo, const void *n, const void *nrhs, const T *A,
                           const void *lda, T *B, const void *ldb, void *info, size_t length_u);
void ENTRY(potrs)(const char *uplo, const void *n, const void *nrhs, const T *A, const void *lda,
                  T *B, const void *ldb, void *info, size_t length_u)
{
    static gbl_link_slot slot = SLOT(potrs);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(n) == 0 || SIZE(nrhs) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(nrhs))) {
        const gbl_link_call call =
            CALL(potrs, FORTRAN, .uplo = gbl_link_uplo(uplo), .m = SIZE(n), .n = SIZE(n),
                 .k = SIZE(nrhs), .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb), .info = info,
                 .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(potrs)(uplo, n, nrhs, A, lda, B, ldb, info, length_u);
    gbl_link_passed(&slot, &mark);
}

/* sposv_ dposv_ cposv_ zposv_ */
EXPORTED void ENTRY(posv)(const char *uplo, const void *n, const void *nrhs, T *A, const void *lda,
                          T *B, const void *ldb, void *info, size_t length_u);
void ENTRY(posv)(const char *uplo, const void *n, const void *nrhs, T *A, const void *lda, T *B,
                 const void *ldb, void *info, size_t length_u)
{
    static gbl_link_slot slot = SLOT(posv);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(n) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), gbl_link_terms(SIZE(n), SIZE(nrhs)))) {
        const gbl_link_call call = CALL(
            posv, FORTRAN, .uplo = gbl_link_uplo(uplo), .m = SIZE(n), .n = SIZE(n), .k = SIZE(nrhs),
            .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb), .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(posv)(uplo, n, nrhs, A, lda, B, ldb, info, length_u);
    gbl_link_passed(&slot, &mark);
}

/* spotri_ dpotri_ cpotri_ zpotri_ */
EXPORTED void ENTRY(potri)(const char *uplo, const void *n, T *A, const void *lda, void *info,
                           size_t length_u);
void ENTRY(potri)(const char *uplo, const void *n, T *A, const void *lda, void *info,
                  size_t length_u)
{
    static gbl_link_slot slot = SLOT(potri);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(n) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(n))) {
        const gbl_link_call call =
            CALL(potri, FORTRAN, .uplo = gbl_link_uplo(uplo), .m = SIZE(n), .n = SIZE(n), .C = A,
                 .ldc = SIZE(lda), .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(potri)(uplo, n, A, lda, info, length_u);
    gbl_link_passed(&slot, &mark);
}

/* ---- Triangles ---- */

/* strtrs_ dtrtrs_ ctrtrs_ ztrtrs_ */
EXPORTED void ENTRY(trtrs)(const char *uplo, const char *trans, const char *diag, const void *n,
                           const void *nrhs, const T *A, const void *lda, T *B, const void *ldb,
                           void *info, size_t length_u, size_t length_t, size_t length_d);
void ENTRY(trtrs)(const char *uplo, const char *trans, const char *diag, const void *n,
                  const void *nrhs, const T *A, const void *lda, T *B, const void *ldb, void *info,
                  size_t length_u, size_t length_t, size_t length_d)
{
    static gbl_link_slot slot = SLOT(trtrs);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(n) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(nrhs))) {
        const gbl_link_call call =
            CALL(trtrs, FORTRAN, .uplo = gbl_link_uplo(uplo), .trans = gbl_link_trans(trans),
                 .diag = gbl_link_diag(diag), .m = SIZE(n), .n = SIZE(n), .k = SIZE(nrhs), .A = A,
                 .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb), .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(trtrs)(uplo, trans, diag, n, nrhs, A, lda, B, ldb, info, length_u, length_t, length_d);
    gbl_link_passed(&slot, &mark);
}

/* strtri_ dtrtri_ ctrtri_ ztrtri_ */
EXPORTED void ENTRY(trtri)(const char *uplo, const char *diag, const void *n, T *A, const void *lda,
                           void *info, size_t length_u, size_t length_d);
void ENTRY(trtri)(const char *uplo, const char *diag, const void *n, T *A, const void *lda,
                  void *info, size_t length_u, size_t length_d)
{
    static gbl_link_slot slot = SLOT(trtri);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says(bound, SIZE(n) == 0, info))
        return;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(n))) {
        const gbl_link_call call = CALL(
            trtri, FORTRAN, .uplo = gbl_link_uplo(uplo), .diag = gbl_link_diag(diag), .m = SIZE(n),
            .n = SIZE(n), .C = A, .ldc = SIZE(lda), .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(trtri)(uplo, diag, n, A, lda, info, length_u, length_d);
    gbl_link_passed(&slot, &mark);
}
