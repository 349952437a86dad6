/* qr_names.c: Gable's QR and LQ routines and gels under LAPACK's Fortran names, in 32-bit integers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision. Work arrays are not used: asked for their length (lwork = -1) a
 * routine gives the least that LAPACK accepts.
 */
#include "typed_names.h"

#if COMPLEX
#define ORMQR unmqr
#define ORGQR ungqr
#define ORMLQ unmlq
#define ORGLQ unglq
#else
#define ORMQR ormqr
#define ORGQR orgqr
#define ORMLQ ormlq
#define ORGLQ orglq
#endif

typedef gable_status factor_function(gable_context *ctx, int64_t m, int64_t n, T *A, int64_t lda,
                                     T *tau);

/* geqrf and gelqf. */
static void factor(factor_function *function, const char *name, int64_t m, int64_t n, T *A, int lda,
                   T *tau, T *work, int lwork, int64_t least, int *info)
{
    *info = m < 0 ? -1 : n < 0 ? -2 : lda < names_ld(m) ? -4 : 0;
    if (*info == 0 && lwork != -1 && lwork < names_ld(least))
        *info = -7;
    if (*info != 0 || answered(work, names_ld(least), lwork))
        return;
    names_count(name);
    T *const copy = MATRIX_IN(A, m, n, lda), *const factors = TAU_IN(tau, lesser(m, n));
    names_check(function(names_context(), m, n, copy, names_ld(m), factors), name);
    MATRIX_OUT(copy, A, m, n, lda);
    TAU_OUT(factors, tau, lesser(m, n));
}

/* sgeqrf_ dgeqrf_ cgeqrf_ zgeqrf_ */
NAMED(geqrf, const int *m, const int *n, T *A, const int *lda, T *tau, T *work, const int *lwork,
      int *info)
{
    factor(FN(geqrf), NAME(FN(geqrf)), *m, *n, A, *lda, tau, work, *lwork, *n, info);
}

/* sgelqf_ dgelqf_ cgelqf_ zgelqf_ */
NAMED(gelqf, const int *m, const int *n, T *A, const int *lda, T *tau, T *work, const int *lwork,
      int *info)
{
    factor(FN(gelqf), NAME(FN(gelqf)), *m, *n, A, *lda, tau, work, *lwork, *m, info);
}

typedef gable_status form_function(gable_context *ctx, int64_t m, int64_t n, int64_t k, T *A,
                                   int64_t lda, const T *tau);

/* orgqr and orglq: the shorter side is n, or m where the reflectors are rows. */
static void form(form_function *function, const char *name, bool rows, int64_t m, int64_t n,
                 int64_t k, T *A, int lda, T *tau, T *work, int lwork, int *info)
{
    const int64_t longer = rows ? n : m, shorter = rows ? m : n;
    *info = m < 0                                      ? -1
            : n < 0 || shorter > longer                ? -2
            : k < 0 || k > shorter                     ? -3
            : lda < names_ld(m)                        ? -5
            : lwork != -1 && lwork < names_ld(shorter) ? -8
                                                       : 0;
    if (*info != 0 || answered(work, names_ld(shorter), lwork))
        return;
    names_count(name);
    T *const copy = MATRIX_IN(A, m, n, lda), *const factors = TAU_IN(tau, k);
    names_check(function(names_context(), m, n, k, copy, names_ld(m), factors), name);
    MATRIX_OUT(copy, A, m, n, lda);
    TAU_OUT(factors, tau, k);
}

/* sorgqr_ dorgqr_ cungqr_ zungqr_ */
void FORTRAN_OF(ORGQR)(const int *m, const int *n, const int *k, T *A, const int *lda, T *tau,
                       T *work, const int *lwork, int *info);
void FORTRAN_OF(ORGQR)(const int *m, const int *n, const int *k, T *A, const int *lda, T *tau,
                       T *work, const int *lwork, int *info)
{
    form(FN_OF(ORGQR), NAME(FN_OF(ORGQR)), false, *m, *n, *k, A, *lda, tau, work, *lwork, info);
}

/* sorglq_ dorglq_ cunglq_ zunglq_ */
void FORTRAN_OF(ORGLQ)(const int *m, const int *n, const int *k, T *A, const int *lda, T *tau,
                       T *work, const int *lwork, int *info);
void FORTRAN_OF(ORGLQ)(const int *m, const int *n, const int *k, T *A, const int *lda, T *tau,
                       T *work, const int *lwork, int *info)
{
    form(FN_OF(ORGLQ), NAME(FN_OF(ORGLQ)), true, *m, *n, *k, A, *lda, tau, work, *lwork, info);
}

typedef gable_status apply_function(gable_context *ctx, gable_side side, gable_trans trans,
                                    int64_t m, int64_t n, int64_t k, const T *A, int64_t lda,
                                    const T *tau, T *C, int64_t ldc);

typedef struct application {
    const char *side, *trans;
    int64_t m, n, k;
    T *A;
    int lda;
    T *tau, *C;
    int ldc;
    T *work;
    int lwork;
} application;

/* ormqr and ormlq. */
static void apply(apply_function *function, const char *name, bool rows, const application *a,
                  int *info)
{
    const int side = names_side(a->side), trans = names_trans(a->trans);
    const int64_t order = side == GABLE_LEFT ? a->m : a->n,
                  other = side == GABLE_LEFT ? a->n : a->m, vector_rows = rows ? a->k : order,
                  vector_columns = rows ? order : a->k;
    *info = side == 0                                                           ? -1
            : trans == 0 || trans == (COMPLEX ? GABLE_TRANS : GABLE_CONJ_TRANS) ? -2
            : a->m < 0                                                          ? -3
            : a->n < 0                                                          ? -4
            : a->k < 0 || a->k > order                                          ? -5
            : a->lda < names_ld(vector_rows)                                    ? -7
            : a->ldc < names_ld(a->m)                                           ? -10
            : a->lwork != -1 && a->lwork < names_ld(other)                      ? -12
                                                                                : 0;
    if (*info != 0 || answered(a->work, names_ld(other), a->lwork))
        return;
    names_count(name);
    T *const vectors = MATRIX_IN(a->A, vector_rows, vector_columns, a->lda),
             *const factors = TAU_IN(a->tau, a->k),
             *const changed = MATRIX_IN(a->C, a->m, a->n, a->ldc);
    names_check(function(names_context(), (gable_side)side, (gable_trans)trans, a->m, a->n, a->k,
                         vectors, names_ld(vector_rows), factors, changed, names_ld(a->m)),
                name);
    MATRIX_OUT(vectors, a->A, vector_rows, vector_columns, a->lda);
    TAU_OUT(factors, a->tau, a->k);
    MATRIX_OUT(changed, a->C, a->m, a->n, a->ldc);
}

/* sormqr_ dormqr_ cunmqr_ zunmqr_ */
void FORTRAN_OF(ORMQR)(const char *side, const char *trans, const int *m, const int *n,
                       const int *k, T *A, const int *lda, T *tau, T *C, const int *ldc, T *work,
                       const int *lwork, int *info);
void FORTRAN_OF(ORMQR)(const char *side, const char *trans, const int *m, const int *n,
                       const int *k, T *A, const int *lda, T *tau, T *C, const int *ldc, T *work,
                       const int *lwork, int *info)
{
    const application a = {side, trans, *m, *n, *k, A, *lda, tau, C, *ldc, work, *lwork};
    apply(FN_OF(ORMQR), NAME(FN_OF(ORMQR)), false, &a, info);
}

/* sormlq_ dormlq_ cunmlq_ zunmlq_ */
void FORTRAN_OF(ORMLQ)(const char *side, const char *trans, const int *m, const int *n,
                       const int *k, T *A, const int *lda, T *tau, T *C, const int *ldc, T *work,
                       const int *lwork, int *info);
void FORTRAN_OF(ORMLQ)(const char *side, const char *trans, const int *m, const int *n,
                       const int *k, T *A, const int *lda, T *tau, T *C, const int *ldc, T *work,
                       const int *lwork, int *info)
{
    const application a = {side, trans, *m, *n, *k, A, *lda, tau, C, *ldc, work, *lwork};
    apply(FN_OF(ORMLQ), NAME(FN_OF(ORMLQ)), true, &a, info);
}

/* ---- Least squares ---- */

/* sgels_ dgels_ cgels_ zgels_. A matrix without full rank leaves B as it was. */
NAMED(gels, const char *trans, const int *m, const int *n, const int *nrhs, T *A, const int *lda,
      T *B, const int *ldb, T *work, const int *lwork, int *info)
{
    const int64_t fewer = lesser(*m, *n), longer = *m > *n ? *m : *n,
                  least = fewer + (fewer > *nrhs ? fewer : *nrhs);
    const int turned = names_trans(trans);
    int64_t outcome = 0;
    *info = turned == 0 || turned == (COMPLEX ? GABLE_TRANS : GABLE_CONJ_TRANS) ? -1
            : *m < 0                                                            ? -2
            : *n < 0                                                            ? -3
            : *nrhs < 0                                                         ? -4
            : *lda < names_ld(*m)                                               ? -6
            : *ldb < names_ld(longer)                                           ? -8
            : *lwork != -1 && *lwork < names_ld(least)                          ? -10
                                                                                : 0;
    if (*info != 0 || answered(work, names_ld(least), *lwork))
        return;
    T *const copy = MATRIX_IN(A, *m, *n, *lda), *const sides = MATRIX_IN(B, longer, *nrhs, *ldb);
    MAKE(gels, (gable_trans)turned, *m, *n, *nrhs, copy, names_ld(*m), sides, names_ld(longer),
         &outcome);
    MATRIX_OUT(copy, A, *m, *n, *lda);
    MATRIX_OUT(sides, outcome == 0 ? B : NULL, longer, *nrhs, *ldb);
    *info = (int)outcome;
}
