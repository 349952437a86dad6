/* entries_qr.c: QR, LQ and least squares by LAPACK's Fortran names.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision and spelling, as entries_lapack.c, whose head holds here, too. The
 * length of work that is best is the next library's to say: it is asked when a call is done.
 */
#include "device/unitary_names.h"
#include "link/link_work.h"

/* sgeqrf_ dgeqrf_ cgeqrf_ zgeqrf_ */
EXPORTED void ENTRY(geqrf)(const void *m, const void *n, T *A, const void *lda, T *tau, T *work,
                           const void *lwork, void *info);
void ENTRY(geqrf)(const void *m, const void *n, T *A, const void *lda, T *tau, T *work,
                  const void *lwork, void *info)
{
    static gbl_link_slot slot = SLOT(geqrf);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone &&
        gbl_link_says_work(bound, work, lwork, SIZE(n), SIZE(m) == 0 || SIZE(n) == 0, info))
        return;
    if (SIZE(lwork) >= SIZE(n) &&
        gbl_link_large(&slot, bound, SIZE(m), SIZE(n), gbl_link_shorter(SIZE(m), SIZE(n)))) {
        const gbl_link_call call =
            CALL(geqrf, FORTRAN, .m = SIZE(m), .n = SIZE(n), .C = A, .ldc = SIZE(lda), .tau = tau,
                 .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(geqrf)(m, n, A, lda, tau, work, &gbl_link_query, info);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(geqrf)(m, n, A, lda, tau, work, lwork, info);
    gbl_link_passed(&slot, &mark);
}

/* sorgqr_ dorgqr_ cungqr_ zungqr_ */
EXPORTED void ENTRY(ORGQR)(const void *m, const void *n, const void *k, T *A, const void *lda,
                           const T *tau, T *work, const void *lwork, void *info);
void ENTRY(ORGQR)(const void *m, const void *n, const void *k, T *A, const void *lda, const T *tau,
                  T *work, const void *lwork, void *info)
{
    static gbl_link_slot slot = SLOT(ORGQR);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says_work(bound, work, lwork, SIZE(n), SIZE(n) == 0, info))
        return;
    if (SIZE(lwork) >= SIZE(n) && gbl_link_large(&slot, bound, SIZE(m), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(ORGQR, FORTRAN, .m = SIZE(m), .n = SIZE(n), .k = SIZE(k), .C = A, .ldc = SIZE(lda),
                 .tau = (void *)(uintptr_t)tau, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(ORGQR)(m, n, k, A, lda, tau, work, &gbl_link_query, info);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(ORGQR)(m, n, k, A, lda, tau, work, lwork, info);
    gbl_link_passed(&slot, &mark);
}

/* sormqr_ dormqr_ cunmqr_ zunmqr_ */
EXPORTED void ENTRY(ORMQR)(const char *side, const char *trans, const void *m, const void *n,
                           const void *k, const T *A, const void *lda, const T *tau, T *C,
                           const void *ldc, T *work, const void *lwork, void *info, size_t length_s,
                           size_t length_t);
void ENTRY(ORMQR)(const char *side, const char *trans, const void *m, const void *n, const void *k,
                  const T *A, const void *lda, const T *tau, T *C, const void *ldc, T *work,
                  const void *lwork, void *info, size_t length_s, size_t length_t)
{
    static gbl_link_slot slot = SLOT(ORMQR);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says_work(bound, work, lwork,
                                           gbl_link_side(side) == GABLE_LEFT ? SIZE(n) : SIZE(m),
                                           SIZE(m) == 0 || SIZE(n) == 0 || SIZE(k) == 0, info))
        return;
    if (SIZE(lwork) >= (gbl_link_side(side) == GABLE_LEFT ? SIZE(n) : SIZE(m)) &&
        gbl_link_large(&slot, bound, SIZE(m), SIZE(n), SIZE(k))) {
        const gbl_link_call call = CALL(
            ORMQR, FORTRAN, .side = gbl_link_side(side), .trans = gbl_link_trans(trans),
            .m = SIZE(m), .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .C = C,
            .ldc = SIZE(ldc), .tau = (void *)(uintptr_t)tau, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(ORMQR)
            (side, trans, m, n, k, A, lda, tau, C, ldc, work, &gbl_link_query, info, length_s,
             length_t);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(ORMQR)(side, trans, m, n, k, A, lda, tau, C, ldc, work, lwork, info, length_s, length_t);
    gbl_link_passed(&slot, &mark);
}

/* sgelqf_ dgelqf_ cgelqf_ zgelqf_ */
EXPORTED void ENTRY(gelqf)(const void *m, const void *n, T *A, const void *lda, T *tau, T *work,
                           const void *lwork, void *info);
void ENTRY(gelqf)(const void *m, const void *n, T *A, const void *lda, T *tau, T *work,
                  const void *lwork, void *info)
{
    static gbl_link_slot slot = SLOT(gelqf);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone &&
        gbl_link_says_work(bound, work, lwork, SIZE(m), SIZE(m) == 0 || SIZE(n) == 0, info))
        return;
    if (SIZE(lwork) >= SIZE(m) &&
        gbl_link_large(&slot, bound, SIZE(m), SIZE(n), gbl_link_shorter(SIZE(m), SIZE(n)))) {
        const gbl_link_call call =
            CALL(gelqf, FORTRAN, .m = SIZE(m), .n = SIZE(n), .C = A, .ldc = SIZE(lda), .tau = tau,
                 .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(gelqf)(m, n, A, lda, tau, work, &gbl_link_query, info);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(gelqf)(m, n, A, lda, tau, work, lwork, info);
    gbl_link_passed(&slot, &mark);
}

/* sorglq_ dorglq_ cunglq_ zunglq_ */
EXPORTED void ENTRY(ORGLQ)(const void *m, const void *n, const void *k, T *A, const void *lda,
                           const T *tau, T *work, const void *lwork, void *info);
void ENTRY(ORGLQ)(const void *m, const void *n, const void *k, T *A, const void *lda, const T *tau,
                  T *work, const void *lwork, void *info)
{
    static gbl_link_slot slot = SLOT(ORGLQ);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says_work(bound, work, lwork, SIZE(m), SIZE(m) == 0, info))
        return;
    if (SIZE(lwork) >= SIZE(m) && gbl_link_large(&slot, bound, SIZE(m), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(ORGLQ, FORTRAN, .m = SIZE(m), .n = SIZE(n), .k = SIZE(k), .C = A, .ldc = SIZE(lda),
                 .tau = (void *)(uintptr_t)tau, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(ORGLQ)(m, n, k, A, lda, tau, work, &gbl_link_query, info);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(ORGLQ)(m, n, k, A, lda, tau, work, lwork, info);
    gbl_link_passed(&slot, &mark);
}

/* sormlq_ dormlq_ cunmlq_ zunmlq_ */
EXPORTED void ENTRY(ORMLQ)(const char *side, const char *trans, const void *m, const void *n,
                           const void *k, const T *A, const void *lda, const T *tau, T *C,
                           const void *ldc, T *work, const void *lwork, void *info, size_t length_s,
                           size_t length_t);
void ENTRY(ORMLQ)(const char *side, const char *trans, const void *m, const void *n, const void *k,
                  const T *A, const void *lda, const T *tau, T *C, const void *ldc, T *work,
                  const void *lwork, void *info, size_t length_s, size_t length_t)
{
    static gbl_link_slot slot = SLOT(ORMLQ);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && gbl_link_says_work(bound, work, lwork,
                                           gbl_link_side(side) == GABLE_LEFT ? SIZE(n) : SIZE(m),
                                           SIZE(m) == 0 || SIZE(n) == 0 || SIZE(k) == 0, info))
        return;
    if (SIZE(lwork) >= (gbl_link_side(side) == GABLE_LEFT ? SIZE(n) : SIZE(m)) &&
        gbl_link_large(&slot, bound, SIZE(m), SIZE(n), SIZE(k))) {
        const gbl_link_call call = CALL(
            ORMLQ, FORTRAN, .side = gbl_link_side(side), .trans = gbl_link_trans(trans),
            .m = SIZE(m), .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .C = C,
            .ldc = SIZE(ldc), .tau = (void *)(uintptr_t)tau, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(ORMLQ)
            (side, trans, m, n, k, A, lda, tau, C, ldc, work, &gbl_link_query, info, length_s,
             length_t);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(ORMLQ)(side, trans, m, n, k, A, lda, tau, C, ldc, work, lwork, info, length_s, length_t);
    gbl_link_passed(&slot, &mark);
}

/* What gels asks of work. */
static int64_t least_work(int64_t m, int64_t n, int64_t nrhs)
{
    const int64_t fewer = gbl_link_shorter(m, n);
    return fewer + gbl_link_longer(fewer, nrhs);
}

/* The solution where A has no elements: zeros. */
static void clear(int64_t rows, int64_t columns, T *B, int64_t ldb)
{
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            B[i + j * ldb] = (T){0};
}

/* sgels_ dgels_ cgels_ zgels_ */
EXPORTED void ENTRY(gels)(const char *trans, const void *m, const void *n, const void *nrhs, T *A,
                          const void *lda, T *B, const void *ldb, T *work, const void *lwork,
                          void *info, size_t length_t);
void ENTRY(gels)(const char *trans, const void *m, const void *n, const void *nrhs, T *A,
                 const void *lda, T *B, const void *ldb, T *work, const void *lwork, void *info,
                 size_t length_t)
{
    static gbl_link_slot slot = SLOT(gels);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    const bool empty = SIZE(m) == 0 || SIZE(n) == 0;
    if (bound->alone && empty && SIZE(lwork) != gbl_link_query)
        clear(gbl_link_longer(SIZE(m), SIZE(n)), SIZE(nrhs), B, SIZE(ldb));
    if (bound->alone &&
        gbl_link_says_work(bound, work, lwork, least_work(SIZE(m), SIZE(n), SIZE(nrhs)),
                           empty || SIZE(nrhs) == 0, info))
        return;
    if (SIZE(lwork) >= least_work(SIZE(m), SIZE(n), SIZE(nrhs)) &&
        gbl_link_large(&slot, bound, SIZE(m), SIZE(n),
                       gbl_link_terms(gbl_link_shorter(SIZE(m), SIZE(n)), SIZE(nrhs)))) {
        const gbl_link_call call =
            CALL(gels, FORTRAN, .trans = gbl_link_trans(trans), .m = SIZE(m), .n = SIZE(n),
                 .k = SIZE(nrhs), .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb), .info = info,
                 .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(gels)(trans, m, n, nrhs, A, lda, B, ldb, work, &gbl_link_query, info, length_t);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(gels)(trans, m, n, nrhs, A, lda, B, ldb, work, lwork, info, length_t);
    gbl_link_passed(&slot, &mark);
}
