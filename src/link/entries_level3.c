/* entries_level3.c: level 3 by its Fortran names.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision and spelling: dgemm_, dgemm_64_, scipy_dgemm_, scipy_dgemm_64_.
 * gfortran appends the length of each CHARACTER argument; callers in C often pass none. They are
 * handed on and never read. The compiler must not make tail calls of the last lines: those store
 * into the caller's part of the stack, which may lack the lengths.
 */
#include "link/link_fortran.h"

/* sgemm_ dgemm_ cgemm_ zgemm_ */
EXPORTED void ENTRY(gemm)(const char *transa, const char *transb, const void *m, const void *n,
                          const void *k, const T *alpha, const T *A, const void *lda, const T *B,
                          const void *ldb, const T *beta, T *C, const void *ldc, size_t length_a,
                          size_t length_b);
void ENTRY(gemm)(const char *transa, const char *transb, const void *m, const void *n,
                 const void *k, const T *alpha, const T *A, const void *lda, const T *B,
                 const void *ldb, const T *beta, T *C, const void *ldc, size_t length_a,
                 size_t length_b)
{
    static gbl_link_slot slot = SLOT(gemm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), SIZE(k))) {
        const gbl_link_call call = CALL(
            gemm, FORTRAN, .trans = gbl_link_trans(transa), .trans_b = gbl_link_trans(transb),
            .m = SIZE(m), .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .B = B,
            .ldb = SIZE(ldb), .C = C, .ldc = SIZE(ldc), .alpha = VALUE(alpha), .beta = VALUE(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(gemm)
    (transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, length_a, length_b);
    gbl_link_passed(&slot, &mark);
}

/* sgemmt_ dgemmt_ cgemmt_ zgemmt_ */
EXPORTED void ENTRY(gemmt)(const char *uplo, const char *transa, const char *transb, const void *n,
                           const void *k, const T *alpha, const T *A, const void *lda, const T *B,
                           const void *ldb, const T *beta, T *C, const void *ldc, size_t length_u,
                           size_t length_a, size_t length_b);
void ENTRY(gemmt)(const char *uplo, const char *transa, const char *transb, const void *n,
                  const void *k, const T *alpha, const T *A, const void *lda, const T *B,
                  const void *ldb, const T *beta, T *C, const void *ldc, size_t length_u,
                  size_t length_a, size_t length_b)
{
    static gbl_link_slot slot = SLOT(gemmt);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(gemmt, FORTRAN, .uplo = gbl_link_uplo(uplo), .trans = gbl_link_trans(transa),
                 .trans_b = gbl_link_trans(transb), .m = SIZE(n), .n = SIZE(n), .k = SIZE(k),
                 .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb), .C = C, .ldc = SIZE(ldc),
                 .alpha = VALUE(alpha), .beta = VALUE(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(gemmt)
    (uplo, transa, transb, n, k, alpha, A, lda, B, ldb, beta, C, ldc, length_u, length_a, length_b);
    gbl_link_passed(&slot, &mark);
}

/* sgemmtr_ dgemmtr_ cgemmtr_ zgemmtr_ */
EXPORTED void ENTRY(gemmtr)(const char *uplo, const char *transa, const char *transb, const void *n,
                            const void *k, const T *alpha, const T *A, const void *lda, const T *B,
                            const void *ldb, const T *beta, T *C, const void *ldc, size_t length_u,
                            size_t length_a, size_t length_b);
void ENTRY(gemmtr)(const char *uplo, const char *transa, const char *transb, const void *n,
                   const void *k, const T *alpha, const T *A, const void *lda, const T *B,
                   const void *ldb, const T *beta, T *C, const void *ldc, size_t length_u,
                   size_t length_a, size_t length_b)
{
    static gbl_link_slot slot = SLOT(gemmtr);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(gemmtr, FORTRAN, .uplo = gbl_link_uplo(uplo), .trans = gbl_link_trans(transa),
                 .trans_b = gbl_link_trans(transb), .m = SIZE(n), .n = SIZE(n), .k = SIZE(k),
                 .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb), .C = C, .ldc = SIZE(ldc),
                 .alpha = VALUE(alpha), .beta = VALUE(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(gemmtr)
    (uplo, transa, transb, n, k, alpha, A, lda, B, ldb, beta, C, ldc, length_u, length_a, length_b);
    gbl_link_passed(&slot, &mark);
}

/* ssymm_ dsymm_ csymm_ zsymm_ */
EXPORTED void ENTRY(symm)(const char *side, const char *uplo, const void *m, const void *n,
                          const T *alpha, const T *A, const void *lda, const T *B, const void *ldb,
                          const T *beta, T *C, const void *ldc, size_t length_s, size_t length_u);
void ENTRY(symm)(const char *side, const char *uplo, const void *m, const void *n, const T *alpha,
                 const T *A, const void *lda, const T *B, const void *ldb, const T *beta, T *C,
                 const void *ldc, size_t length_s, size_t length_u)
{
    static gbl_link_slot slot = SLOT(symm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    const bool left = gbl_link_side(side) == GABLE_LEFT;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), left ? SIZE(m) : SIZE(n))) {
        const gbl_link_call call =
            CALL(symm, FORTRAN, .side = gbl_link_side(side), .uplo = gbl_link_uplo(uplo),
                 .m = SIZE(m), .n = SIZE(n), .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb),
                 .C = C, .ldc = SIZE(ldc), .alpha = VALUE(alpha), .beta = VALUE(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(symm)(side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc, length_s, length_u);
    gbl_link_passed(&slot, &mark);
}

#if COMPLEX
/* chemm_ zhemm_ */
EXPORTED void ENTRY(hemm)(const char *side, const char *uplo, const void *m, const void *n,
                          const T *alpha, const T *A, const void *lda, const T *B, const void *ldb,
                          const T *beta, T *C, const void *ldc, size_t length_s, size_t length_u);
void ENTRY(hemm)(const char *side, const char *uplo, const void *m, const void *n, const T *alpha,
                 const T *A, const void *lda, const T *B, const void *ldb, const T *beta, T *C,
                 const void *ldc, size_t length_s, size_t length_u)
{
    static gbl_link_slot slot = SLOT(hemm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    const bool left = gbl_link_side(side) == GABLE_LEFT;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), left ? SIZE(m) : SIZE(n))) {
        const gbl_link_call call =
            CALL(hemm, FORTRAN, .side = gbl_link_side(side), .uplo = gbl_link_uplo(uplo),
                 .m = SIZE(m), .n = SIZE(n), .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb),
                 .C = C, .ldc = SIZE(ldc), .alpha = VALUE(alpha), .beta = VALUE(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(hemm)(side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc, length_s, length_u);
    gbl_link_passed(&slot, &mark);
}

/* cherk_ zherk_ */
EXPORTED void ENTRY(herk)(const char *uplo, const char *trans, const void *n, const void *k,
                          const R *alpha, const T *A, const void *lda, const R *beta, T *C,
                          const void *ldc, size_t length_u, size_t length_t);
void ENTRY(herk)(const char *uplo, const char *trans, const void *n, const void *k, const R *alpha,
                 const T *A, const void *lda, const R *beta, T *C, const void *ldc, size_t length_u,
                 size_t length_t)
{
    static gbl_link_slot slot = SLOT(herk);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(herk, FORTRAN, .uplo = gbl_link_uplo(uplo), .trans = gbl_link_trans(trans),
                 .m = SIZE(n), .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .C = C,
                 .ldc = SIZE(ldc), .alpha = {*alpha}, .beta = {*beta});
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(herk)(uplo, trans, n, k, alpha, A, lda, beta, C, ldc, length_u, length_t);
    gbl_link_passed(&slot, &mark);
}

/* cher2k_ zher2k_ */
EXPORTED void ENTRY(her2k)(const char *uplo, const char *trans, const void *n, const void *k,
                           const T *alpha, const T *A, const void *lda, const T *B, const void *ldb,
                           const R *beta, T *C, const void *ldc, size_t length_u, size_t length_t);
void ENTRY(her2k)(const char *uplo, const char *trans, const void *n, const void *k, const T *alpha,
                  const T *A, const void *lda, const T *B, const void *ldb, const R *beta, T *C,
                  const void *ldc, size_t length_u, size_t length_t)
{
    static gbl_link_slot slot = SLOT(her2k);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call = CALL(
            her2k, FORTRAN, .uplo = gbl_link_uplo(uplo), .trans = gbl_link_trans(trans),
            .m = SIZE(n), .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .B = B,
            .ldb = SIZE(ldb), .C = C, .ldc = SIZE(ldc), .alpha = VALUE(alpha), .beta = {*beta});
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(her2k)(uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc, length_u, length_t);
    gbl_link_passed(&slot, &mark);
}
#endif

/* ssyrk_ dsyrk_ csyrk_ zsyrk_ */
EXPORTED void ENTRY(syrk)(const char *uplo, const char *trans, const void *n, const void *k,
                          const T *alpha, const T *A, const void *lda, const T *beta, T *C,
                          const void *ldc, size_t length_u, size_t length_t);
void ENTRY(syrk)(const char *uplo, const char *trans, const void *n, const void *k, const T *alpha,
                 const T *A, const void *lda, const T *beta, T *C, const void *ldc, size_t length_u,
                 size_t length_t)
{
    static gbl_link_slot slot = SLOT(syrk);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(syrk, FORTRAN, .uplo = gbl_link_uplo(uplo), .trans = gbl_link_trans(trans),
                 .m = SIZE(n), .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .C = C,
                 .ldc = SIZE(ldc), .alpha = VALUE(alpha), .beta = VALUE(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(syrk)(uplo, trans, n, k, alpha, A, lda, beta, C, ldc, length_u, length_t);
    gbl_link_passed(&slot, &mark);
}

/* ssyr2k_ dsyr2k_ csyr2k_ zsyr2k_ */
EXPORTED void ENTRY(syr2k)(const char *uplo, const char *trans, const void *n, const void *k,
                           const T *alpha, const T *A, const void *lda, const T *B, const void *ldb,
                           const T *beta, T *C, const void *ldc, size_t length_u, size_t length_t);
void ENTRY(syr2k)(const char *uplo, const char *trans, const void *n, const void *k, const T *alpha,
                  const T *A, const void *lda, const T *B, const void *ldb, const T *beta, T *C,
                  const void *ldc, size_t length_u, size_t length_t)
{
    static gbl_link_slot slot = SLOT(syr2k);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call = CALL(
            syr2k, FORTRAN, .uplo = gbl_link_uplo(uplo), .trans = gbl_link_trans(trans),
            .m = SIZE(n), .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .B = B,
            .ldb = SIZE(ldb), .C = C, .ldc = SIZE(ldc), .alpha = VALUE(alpha), .beta = VALUE(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(syr2k)(uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc, length_u, length_t);
    gbl_link_passed(&slot, &mark);
}

/* strmm_ dtrmm_ ctrmm_ ztrmm_ */
EXPORTED void ENTRY(trmm)(const char *side, const char *uplo, const char *transa, const char *diag,
                          const void *m, const void *n, const T *alpha, const T *A, const void *lda,
                          T *B, const void *ldb, size_t length_s, size_t length_u, size_t length_a,
                          size_t length_d);
void ENTRY(trmm)(const char *side, const char *uplo, const char *transa, const char *diag,
                 const void *m, const void *n, const T *alpha, const T *A, const void *lda, T *B,
                 const void *ldb, size_t length_s, size_t length_u, size_t length_a,
                 size_t length_d)
{
    static gbl_link_slot slot = SLOT(trmm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    const bool left = gbl_link_side(side) == GABLE_LEFT;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), left ? SIZE(m) : SIZE(n))) {
        const gbl_link_call call =
            CALL(trmm, FORTRAN, .side = gbl_link_side(side), .uplo = gbl_link_uplo(uplo),
                 .trans = gbl_link_trans(transa), .diag = gbl_link_diag(diag), .m = SIZE(m),
                 .n = SIZE(n), .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb),
                 .alpha = VALUE(alpha));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(trmm)
    (side, uplo, transa, diag, m, n, alpha, A, lda, B, ldb, length_s, length_u, length_a, length_d);
    gbl_link_passed(&slot, &mark);
}

/* strsm_ dtrsm_ ctrsm_ ztrsm_ */
EXPORTED void ENTRY(trsm)(const char *side, const char *uplo, const char *transa, const char *diag,
                          const void *m, const void *n, const T *alpha, const T *A, const void *lda,
                          T *B, const void *ldb, size_t length_s, size_t length_u, size_t length_a,
                          size_t length_d);
void ENTRY(trsm)(const char *side, const char *uplo, const char *transa, const char *diag,
                 const void *m, const void *n, const T *alpha, const T *A, const void *lda, T *B,
                 const void *ldb, size_t length_s, size_t length_u, size_t length_a,
                 size_t length_d)
{
    static gbl_link_slot slot = SLOT(trsm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    const bool left = gbl_link_side(side) == GABLE_LEFT;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), left ? SIZE(m) : SIZE(n))) {
        const gbl_link_call call =
            CALL(trsm, FORTRAN, .side = gbl_link_side(side), .uplo = gbl_link_uplo(uplo),
                 .trans = gbl_link_trans(transa), .diag = gbl_link_diag(diag), .m = SIZE(m),
                 .n = SIZE(n), .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb),
                 .alpha = VALUE(alpha));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(trsm)
    (side, uplo, transa, diag, m, n, alpha, A, lda, B, ldb, length_s, length_u, length_a, length_d);
    gbl_link_passed(&slot, &mark);
}
