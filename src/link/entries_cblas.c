/* entries_cblas.c: level 3 by its names of CBLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision and spelling: cblas_dgemm, cblas_dgemm64_, cblas_dgemm_64,
 * scipy_cblas_dgemm, scipy_cblas_dgemm64_. Integers come by value, in registers or places of 64
 * bits on the stack, whatever their size: of 32-bit ones the upper half is not looked at, and all
 * 64 bits are handed on.
 */
#include "link/link_entry.h"

#define SIZE(integer) (bound->wide ? (integer) : (int64_t)(int32_t)(integer))

/* Scalars of the precision come by value, complex ones by address. */
#if COMPLEX
typedef const void *scalar;
#define GIVEN(value) VALUE(value)
#else
typedef T scalar;
#define GIVEN(value)                                                                               \
    {                                                                                              \
        (value), 0                                                                                 \
    }
#endif

/* cblas_sgemm cblas_dgemm cblas_cgemm cblas_zgemm */
EXPORTED void ENTRY(gemm)(int order, int transa, int transb, int64_t m, int64_t n, int64_t k,
                          scalar alpha, const void *A, int64_t lda, const void *B, int64_t ldb,
                          scalar beta, void *C, int64_t ldc);
void ENTRY(gemm)(int order, int transa, int transb, int64_t m, int64_t n, int64_t k, scalar alpha,
                 const void *A, int64_t lda, const void *B, int64_t ldb, scalar beta, void *C,
                 int64_t ldc)
{
    static gbl_link_slot slot = SLOT(gemm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(gemm, .order = order, .trans = transa, .trans_b = transb, .m = SIZE(m),
                 .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb),
                 .C = C, .ldc = SIZE(ldc), .alpha = GIVEN(alpha), .beta = GIVEN(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(gemm)(order, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}

/* cblas_sgemmt cblas_dgemmt cblas_cgemmt cblas_zgemmt */
EXPORTED void ENTRY(gemmt)(int order, int uplo, int transa, int transb, int64_t n, int64_t k,
                           scalar alpha, const void *A, int64_t lda, const void *B, int64_t ldb,
                           scalar beta, void *C, int64_t ldc);
void ENTRY(gemmt)(int order, int uplo, int transa, int transb, int64_t n, int64_t k, scalar alpha,
                  const void *A, int64_t lda, const void *B, int64_t ldb, scalar beta, void *C,
                  int64_t ldc)
{
    static gbl_link_slot slot = SLOT(gemmt);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call = CALL(
            gemmt, .order = order, .uplo = uplo, .trans = transa, .trans_b = transb, .m = SIZE(n),
            .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb), .C = C,
            .ldc = SIZE(ldc), .alpha = GIVEN(alpha), .beta = GIVEN(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(gemmt)(order, uplo, transa, transb, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}

/* cblas_sgemmtr cblas_dgemmtr cblas_cgemmtr cblas_zgemmtr */
EXPORTED void ENTRY(gemmtr)(int order, int uplo, int transa, int transb, int64_t n, int64_t k,
                            scalar alpha, const void *A, int64_t lda, const void *B, int64_t ldb,
                            scalar beta, void *C, int64_t ldc);
void ENTRY(gemmtr)(int order, int uplo, int transa, int transb, int64_t n, int64_t k, scalar alpha,
                   const void *A, int64_t lda, const void *B, int64_t ldb, scalar beta, void *C,
                   int64_t ldc)
{
    static gbl_link_slot slot = SLOT(gemmtr);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call = CALL(
            gemmtr, .order = order, .uplo = uplo, .trans = transa, .trans_b = transb, .m = SIZE(n),
            .n = SIZE(n), .k = SIZE(k), .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb), .C = C,
            .ldc = SIZE(ldc), .alpha = GIVEN(alpha), .beta = GIVEN(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(gemmtr)(order, uplo, transa, transb, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}

/* cblas_ssymm cblas_dsymm cblas_csymm cblas_zsymm */
EXPORTED void ENTRY(symm)(int order, int side, int uplo, int64_t m, int64_t n, scalar alpha,
                          const void *A, int64_t lda, const void *B, int64_t ldb, scalar beta,
                          void *C, int64_t ldc);
void ENTRY(symm)(int order, int side, int uplo, int64_t m, int64_t n, scalar alpha, const void *A,
                 int64_t lda, const void *B, int64_t ldb, scalar beta, void *C, int64_t ldc)
{
    static gbl_link_slot slot = SLOT(symm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), side == GABLE_LEFT ? SIZE(m) : SIZE(n))) {
        const gbl_link_call call =
            CALL(symm, .order = order, .side = side, .uplo = uplo, .m = SIZE(m), .n = SIZE(n),
                 .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb), .C = C, .ldc = SIZE(ldc),
                 .alpha = GIVEN(alpha), .beta = GIVEN(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(symm)(order, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}

#if COMPLEX
/* cblas_chemm cblas_zhemm */
EXPORTED void ENTRY(hemm)(int order, int side, int uplo, int64_t m, int64_t n, scalar alpha,
                          const void *A, int64_t lda, const void *B, int64_t ldb, scalar beta,
                          void *C, int64_t ldc);
void ENTRY(hemm)(int order, int side, int uplo, int64_t m, int64_t n, scalar alpha, const void *A,
                 int64_t lda, const void *B, int64_t ldb, scalar beta, void *C, int64_t ldc)
{
    static gbl_link_slot slot = SLOT(hemm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), side == GABLE_LEFT ? SIZE(m) : SIZE(n))) {
        const gbl_link_call call =
            CALL(hemm, .order = order, .side = side, .uplo = uplo, .m = SIZE(m), .n = SIZE(n),
                 .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb), .C = C, .ldc = SIZE(ldc),
                 .alpha = GIVEN(alpha), .beta = GIVEN(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(hemm)(order, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}

/* cblas_cherk cblas_zherk: alpha and beta are real */
EXPORTED void ENTRY(herk)(int order, int uplo, int trans, int64_t n, int64_t k, R alpha,
                          const void *A, int64_t lda, R beta, void *C, int64_t ldc);
void ENTRY(herk)(int order, int uplo, int trans, int64_t n, int64_t k, R alpha, const void *A,
                 int64_t lda, R beta, void *C, int64_t ldc)
{
    static gbl_link_slot slot = SLOT(herk);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(herk, .order = order, .uplo = uplo, .trans = trans, .m = SIZE(n), .n = SIZE(n),
                 .k = SIZE(k), .A = A, .lda = SIZE(lda), .C = C, .ldc = SIZE(ldc), .alpha = {alpha},
                 .beta = {beta});
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(herk)(order, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}

/* cblas_cher2k cblas_zher2k: beta is real */
EXPORTED void ENTRY(her2k)(int order, int uplo, int trans, int64_t n, int64_t k, scalar alpha,
                           const void *A, int64_t lda, const void *B, int64_t ldb, R beta, void *C,
                           int64_t ldc);
void ENTRY(her2k)(int order, int uplo, int trans, int64_t n, int64_t k, scalar alpha, const void *A,
                  int64_t lda, const void *B, int64_t ldb, R beta, void *C, int64_t ldc)
{
    static gbl_link_slot slot = SLOT(her2k);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(her2k, .order = order, .uplo = uplo, .trans = trans, .m = SIZE(n), .n = SIZE(n),
                 .k = SIZE(k), .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb), .C = C,
                 .ldc = SIZE(ldc), .alpha = GIVEN(alpha), .beta = {beta});
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(her2k)(order, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}
#endif

/* cblas_ssyrk cblas_dsyrk cblas_csyrk cblas_zsyrk */
EXPORTED void ENTRY(syrk)(int order, int uplo, int trans, int64_t n, int64_t k, scalar alpha,
                          const void *A, int64_t lda, scalar beta, void *C, int64_t ldc);
void ENTRY(syrk)(int order, int uplo, int trans, int64_t n, int64_t k, scalar alpha, const void *A,
                 int64_t lda, scalar beta, void *C, int64_t ldc)
{
    static gbl_link_slot slot = SLOT(syrk);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(syrk, .order = order, .uplo = uplo, .trans = trans, .m = SIZE(n), .n = SIZE(n),
                 .k = SIZE(k), .A = A, .lda = SIZE(lda), .C = C, .ldc = SIZE(ldc),
                 .alpha = GIVEN(alpha), .beta = GIVEN(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(syrk)(order, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}

/* cblas_ssyr2k cblas_dsyr2k cblas_csyr2k cblas_zsyr2k */
EXPORTED void ENTRY(syr2k)(int order, int uplo, int trans, int64_t n, int64_t k, scalar alpha,
                           const void *A, int64_t lda, const void *B, int64_t ldb, scalar beta,
                           void *C, int64_t ldc);
void ENTRY(syr2k)(int order, int uplo, int trans, int64_t n, int64_t k, scalar alpha, const void *A,
                  int64_t lda, const void *B, int64_t ldb, scalar beta, void *C, int64_t ldc)
{
    static gbl_link_slot slot = SLOT(syr2k);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(k))) {
        const gbl_link_call call =
            CALL(syr2k, .order = order, .uplo = uplo, .trans = trans, .m = SIZE(n), .n = SIZE(n),
                 .k = SIZE(k), .A = A, .lda = SIZE(lda), .B = B, .ldb = SIZE(ldb), .C = C,
                 .ldc = SIZE(ldc), .alpha = GIVEN(alpha), .beta = GIVEN(beta));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(syr2k)(order, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    gbl_link_passed(&slot, &mark);
}

/* cblas_strmm cblas_dtrmm cblas_ctrmm cblas_ztrmm */
EXPORTED void ENTRY(trmm)(int order, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                          scalar alpha, const void *A, int64_t lda, void *B, int64_t ldb);
void ENTRY(trmm)(int order, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                 scalar alpha, const void *A, int64_t lda, void *B, int64_t ldb)
{
    static gbl_link_slot slot = SLOT(trmm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), side == GABLE_LEFT ? SIZE(m) : SIZE(n))) {
        const gbl_link_call call =
            CALL(trmm, .order = order, .side = side, .uplo = uplo, .trans = transa, .diag = diag,
                 .m = SIZE(m), .n = SIZE(n), .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb),
                 .alpha = GIVEN(alpha));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(trmm)(order, side, uplo, transa, diag, m, n, alpha, A, lda, B, ldb);
    gbl_link_passed(&slot, &mark);
}

/* cblas_strsm cblas_dtrsm cblas_ctrsm cblas_ztrsm */
EXPORTED void ENTRY(trsm)(int order, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                          scalar alpha, const void *A, int64_t lda, void *B, int64_t ldb);
void ENTRY(trsm)(int order, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                 scalar alpha, const void *A, int64_t lda, void *B, int64_t ldb)
{
    static gbl_link_slot slot = SLOT(trsm);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (gbl_link_large(&slot, bound, SIZE(m), SIZE(n), side == GABLE_LEFT ? SIZE(m) : SIZE(n))) {
        const gbl_link_call call =
            CALL(trsm, .order = order, .side = side, .uplo = uplo, .trans = transa, .diag = diag,
                 .m = SIZE(m), .n = SIZE(n), .A = A, .lda = SIZE(lda), .C = B, .ldc = SIZE(ldb),
                 .alpha = GIVEN(alpha));
        if (gbl_link_take(&slot, bound, &call, &mark))
            return;
    }
    NEXT(trsm)(order, side, uplo, transa, diag, m, n, alpha, A, lda, B, ldb);
    gbl_link_passed(&slot, &mark);
}
