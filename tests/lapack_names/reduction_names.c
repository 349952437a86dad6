/* reduction_names.c: Gable's reductions and their unitary matrices under LAPACK's Fortran names, in
 * 32-bit integers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision. Work arrays are not used: asked for their length (lwork = -1) a
 * routine gives the least that LAPACK accepts. A matrix is copied as a whole, and comes back as a
 * whole: what Gable must not write is compared by the tests of the routines, not here.
 */
#include "typed_names.h"

#if COMPLEX
#define SYTRD hetrd
#define ORGTR ungtr
#define ORMTR unmtr
#define ORGHR unghr
#define ORMHR unmhr
#define ORGBR ungbr
#define ORMBR unmbr
#else
#define SYTRD sytrd
#define ORGTR orgtr
#define ORMTR ormtr
#define ORGHR orghr
#define ORMHR ormhr
#define ORGBR orgbr
#define ORMBR ormbr
#endif

/* k real numbers, of which there is room for one at least. */
#define REAL_IN(x, k)        names_in(x, names_ld(k), 1, names_ld(k), sizeof(R))
#define REAL_OUT(copy, x, k) names_out(copy, x, names_ld(k), 1, names_ld(k), sizeof(R))

static bool bad_trans(int trans)
{
    return trans == 0 || trans == (COMPLEX ? GABLE_TRANS : GABLE_CONJ_TRANS);
}

static bool too_short(int lwork, int64_t least)
{
    return lwork != -1 && lwork < names_ld(least);
}

/* 1 <= ilo <= ihi <= n; of nothing 1 and 0. */
static bool bad_ilo(int64_t n, int64_t ilo)
{
    return ilo < 1 || ilo > names_ld(n);
}

static bool bad_ihi(int64_t n, int64_t ilo, int64_t ihi)
{
    return ihi < lesser(ilo, n) || ihi > n;
}

/* ---- Tridiagonal ---- */

/* ssytrd_ dsytrd_ chetrd_ zhetrd_ */
NAMED_OF(SYTRD, const char *uplo, const int *n, T *A, const int *lda, R *d, R *e, T *tau, T *work,
         const int *lwork, int *info)
{
    *info = gbl_link_uplo(uplo) == 0     ? -1
            : *n < 0                     ? -2
            : *lda < names_ld(*n)        ? -4
            : *lwork < 1 && *lwork != -1 ? -9
                                         : 0;
    if (*info != 0 || answered(work, 1, *lwork))
        return;
    T *const copy = MATRIX_IN(A, *n, *n, *lda), *const factors = TAU_IN(tau, *n - 1);
    R *const diagonal = REAL_IN(d, *n), *const beside = REAL_IN(e, *n - 1);
    MAKE_OF(SYTRD, (gable_uplo)gbl_link_uplo(uplo), *n, copy, names_ld(*n), diagonal, beside,
            factors);
    MATRIX_OUT(copy, A, *n, *n, *lda);
    REAL_OUT(diagonal, d, *n);
    REAL_OUT(beside, e, *n - 1);
    TAU_OUT(factors, tau, *n - 1);
}

/* sorgtr_ dorgtr_ cungtr_ zungtr_ */
NAMED_OF(ORGTR, const char *uplo, const int *n, T *A, const int *lda, T *tau, T *work,
         const int *lwork, int *info)
{
    *info = gbl_link_uplo(uplo) == 0    ? -1
            : *n < 0                    ? -2
            : *lda < names_ld(*n)       ? -4
            : too_short(*lwork, *n - 1) ? -7
                                        : 0;
    if (*info != 0 || answered(work, names_ld(*n - 1), *lwork))
        return;
    T *const copy = MATRIX_IN(A, *n, *n, *lda), *const factors = TAU_IN(tau, *n - 1);
    MAKE_OF(ORGTR, (gable_uplo)gbl_link_uplo(uplo), *n, copy, names_ld(*n), factors);
    MATRIX_OUT(copy, A, *n, *n, *lda);
    TAU_OUT(factors, NULL, *n - 1);
}

/* sormtr_ dormtr_ cunmtr_ zunmtr_ */
NAMED_OF(ORMTR, const char *side, const char *uplo, const char *trans, const int *m, const int *n,
         T *A, const int *lda, T *tau, T *C, const int *ldc, T *work, const int *lwork, int *info)
{
    const int at = gbl_link_side(side), op = gbl_link_trans(trans);
    const int64_t order = at == GABLE_LEFT ? *m : *n, other = at == GABLE_LEFT ? *n : *m;
    *info = at == 0                    ? -1
            : gbl_link_uplo(uplo) == 0 ? -2
            : bad_trans(op)            ? -3
            : *m < 0                   ? -4
            : *n < 0                   ? -5
            : *lda < names_ld(order)   ? -7
            : *ldc < names_ld(*m)      ? -10
            : too_short(*lwork, other) ? -12
                                       : 0;
    if (*info != 0 || answered(work, names_ld(other), *lwork))
        return;
    T *const vectors = MATRIX_IN(A, order, order, *lda), *const factors = TAU_IN(tau, order - 1),
             *const changed = MATRIX_IN(C, *m, *n, *ldc);
    MAKE_OF(ORMTR, (gable_side)at, (gable_uplo)gbl_link_uplo(uplo), (gable_trans)op, *m, *n,
            vectors, names_ld(order), factors, changed, names_ld(*m));
    MATRIX_OUT(vectors, A, order, order, *lda);
    TAU_OUT(factors, NULL, order - 1);
    MATRIX_OUT(changed, C, *m, *n, *ldc);
}

/* ---- Hessenberg ---- */

/* sgehrd_ dgehrd_ cgehrd_ zgehrd_ */
NAMED(gehrd, const int *n, const int *ilo, const int *ihi, T *A, const int *lda, T *tau, T *work,
      const int *lwork, int *info)
{
    *info = *n < 0                    ? -1
            : bad_ilo(*n, *ilo)       ? -2
            : bad_ihi(*n, *ilo, *ihi) ? -3
            : *lda < names_ld(*n)     ? -5
            : too_short(*lwork, *n)   ? -8
                                      : 0;
    if (*info != 0 || answered(work, names_ld(*n), *lwork))
        return;
    T *const copy = MATRIX_IN(A, *n, *n, *lda), *const factors = TAU_IN(tau, *n - 1);
    MAKE(gehrd, *n, *ilo, *ihi, copy, names_ld(*n), factors);
    MATRIX_OUT(copy, A, *n, *n, *lda);
    TAU_OUT(factors, tau, *n - 1);
}

/* sorghr_ dorghr_ cunghr_ zunghr_ */
NAMED_OF(ORGHR, const int *n, const int *ilo, const int *ihi, T *A, const int *lda, T *tau, T *work,
         const int *lwork, int *info)
{
    *info = *n < 0                           ? -1
            : bad_ilo(*n, *ilo)              ? -2
            : bad_ihi(*n, *ilo, *ihi)        ? -3
            : *lda < names_ld(*n)            ? -5
            : too_short(*lwork, *ihi - *ilo) ? -8
                                             : 0;
    if (*info != 0 || answered(work, names_ld(*ihi - *ilo), *lwork))
        return;
    T *const copy = MATRIX_IN(A, *n, *n, *lda), *const factors = TAU_IN(tau, *n - 1);
    MAKE_OF(ORGHR, *n, *ilo, *ihi, copy, names_ld(*n), factors);
    MATRIX_OUT(copy, A, *n, *n, *lda);
    TAU_OUT(factors, NULL, *n - 1);
}

/* sormhr_ dormhr_ cunmhr_ zunmhr_ */
NAMED_OF(ORMHR, const char *side, const char *trans, const int *m, const int *n, const int *ilo,
         const int *ihi, T *A, const int *lda, T *tau, T *C, const int *ldc, T *work,
         const int *lwork, int *info)
{
    const int at = gbl_link_side(side), op = gbl_link_trans(trans);
    const int64_t order = at == GABLE_LEFT ? *m : *n, other = at == GABLE_LEFT ? *n : *m;
    *info = at == 0                      ? -1
            : bad_trans(op)              ? -2
            : *m < 0                     ? -3
            : *n < 0                     ? -4
            : bad_ilo(order, *ilo)       ? -5
            : bad_ihi(order, *ilo, *ihi) ? -6
            : *lda < names_ld(order)     ? -8
            : *ldc < names_ld(*m)        ? -11
            : too_short(*lwork, other)   ? -13
                                         : 0;
    if (*info != 0 || answered(work, names_ld(other), *lwork))
        return;
    T *const vectors = MATRIX_IN(A, order, order, *lda), *const factors = TAU_IN(tau, order - 1),
             *const changed = MATRIX_IN(C, *m, *n, *ldc);
    MAKE_OF(ORMHR, (gable_side)at, (gable_trans)op, *m, *n, *ilo, *ihi, vectors, names_ld(order),
            factors, changed, names_ld(*m));
    MATRIX_OUT(vectors, A, order, order, *lda);
    TAU_OUT(factors, NULL, order - 1);
    MATRIX_OUT(changed, C, *m, *n, *ldc);
}

/* ---- Bidiagonal ---- */

/* sgebrd_ dgebrd_ cgebrd_ zgebrd_ */
NAMED(gebrd, const int *m, const int *n, T *A, const int *lda, R *d, R *e, T *tauq, T *taup,
      T *work, const int *lwork, int *info)
{
    const int64_t fewer = lesser(*m, *n), longer = *m > *n ? *m : *n;
    *info = *m < 0                      ? -1
            : *n < 0                    ? -2
            : *lda < names_ld(*m)       ? -4
            : too_short(*lwork, longer) ? -10
                                        : 0;
    if (*info != 0 || answered(work, names_ld(longer), *lwork))
        return;
    T *const copy = MATRIX_IN(A, *m, *n, *lda), *const left = TAU_IN(tauq, fewer),
             *const right = TAU_IN(taup, fewer);
    R *const diagonal = REAL_IN(d, fewer), *const beside = REAL_IN(e, fewer - 1);
    MAKE(gebrd, *m, *n, copy, names_ld(*m), diagonal, beside, left, right);
    MATRIX_OUT(copy, A, *m, *n, *lda);
    REAL_OUT(diagonal, d, fewer);
    REAL_OUT(beside, e, fewer - 1);
    TAU_OUT(left, tauq, fewer);
    TAU_OUT(right, taup, fewer);
}

/* sorgbr_ dorgbr_ cungbr_ zungbr_ */
NAMED_OF(ORGBR, const char *vect, const int *m, const int *n, const int *k, T *A, const int *lda,
         T *tau, T *work, const int *lwork, int *info)
{
    const int which = gbl_link_vect(vect);
    const int64_t order = which == GABLE_VECT_Q ? *m : *n, formed = which == GABLE_VECT_Q ? *n : *m,
                  count = lesser(order, *k), least = lesser(*m, *n);
    *info = which == 0                                   ? -1
            : *m < 0                                     ? -2
            : *n < 0 || formed > order || formed < count ? -3
            : *k < 0                                     ? -4
            : *lda < names_ld(*m)                        ? -6
            : too_short(*lwork, least)                   ? -9
                                                         : 0;
    if (*info != 0 || answered(work, names_ld(least), *lwork))
        return;
    T *const copy = MATRIX_IN(A, *m, *n, *lda), *const factors = TAU_IN(tau, count);
    MAKE_OF(ORGBR, (gable_vect)which, *m, *n, *k, copy, names_ld(*m), factors);
    MATRIX_OUT(copy, A, *m, *n, *lda);
    TAU_OUT(factors, NULL, count);
}

/* sormbr_ dormbr_ cunmbr_ zunmbr_ */
NAMED_OF(ORMBR, const char *vect, const char *side, const char *trans, const int *m, const int *n,
         const int *k, T *A, const int *lda, T *tau, T *C, const int *ldc, T *work,
         const int *lwork, int *info)
{
    const int which = gbl_link_vect(vect), at = gbl_link_side(side), op = gbl_link_trans(trans);
    const int64_t order = at == GABLE_LEFT ? *m : *n, other = at == GABLE_LEFT ? *n : *m,
                  count = lesser(order, *k), rows = which == GABLE_VECT_Q ? order : count,
                  columns = which == GABLE_VECT_Q ? count : order;
    *info = which == 0                 ? -1
            : at == 0                  ? -2
            : bad_trans(op)            ? -3
            : *m < 0                   ? -4
            : *n < 0                   ? -5
            : *k < 0                   ? -6
            : *lda < names_ld(rows)    ? -8
            : *ldc < names_ld(*m)      ? -11
            : too_short(*lwork, other) ? -13
                                       : 0;
    if (*info != 0 || answered(work, names_ld(other), *lwork))
        return;
    T *const vectors = MATRIX_IN(A, rows, columns, *lda), *const factors = TAU_IN(tau, count),
             *const changed = MATRIX_IN(C, *m, *n, *ldc);
    MAKE_OF(ORMBR, (gable_vect)which, (gable_side)at, (gable_trans)op, *m, *n, *k, vectors,
            names_ld(rows), factors, changed, names_ld(*m));
    MATRIX_OUT(vectors, A, rows, columns, *lda);
    TAU_OUT(factors, NULL, count);
    MATRIX_OUT(changed, C, *m, *n, *ldc);
}
