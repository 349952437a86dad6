/* qr_doors.c: the typed doors of QR factorizations and what is made of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

/* gable_sgeqrf gable_dgeqrf gable_cgeqrf gable_zgeqrf: A = Q R */
gable_status FN(geqrf)(gable_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, T *tau)
{
    const gbl_product_call call = {.dtype = DTYPE, .m = m, .n = n, .A = A, .lda = lda, .tau = tau};
    return gbl_geqrf(ctx, NAME(FN(geqrf)), &call);
}

/* gable_sgelqf gable_dgelqf gable_cgelqf gable_zgelqf: A = L Q */
gable_status FN(gelqf)(gable_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, T *tau)
{
    const gbl_product_call call = {.dtype = DTYPE, .m = m, .n = n, .A = A, .lda = lda, .tau = tau};
    return gbl_gelqf(ctx, NAME(FN(gelqf)), &call);
}

static gbl_product_call applied(gable_side side, gable_trans trans, int64_t m, int64_t n, int64_t k,
                                const T *A, int64_t lda, const T *tau, T *C, int64_t ldc)
{
    return (gbl_product_call){.dtype = DTYPE,
                              .side = side,
                              .trans = trans,
                              .m = m,
                              .n = n,
                              .k = k,
                              .A = (void *)(uintptr_t)A,
                              .lda = lda,
                              .tau = (void *)(uintptr_t)tau,
                              .C = C,
                              .ldc = ldc};
}

static gbl_product_call formed(int64_t m, int64_t n, int64_t k, T *A, int64_t lda, const T *tau)
{
    return (gbl_product_call){
        .dtype = DTYPE, .m = m, .n = n, .k = k, .A = A, .lda = lda, .tau = (void *)(uintptr_t)tau};
}

#if COMPLEX
#define ORMQR FN(unmqr)
#define ORGQR FN(ungqr)
#define ORMLQ FN(unmlq)
#define ORGLQ FN(unglq)
#else
#define ORMQR FN(ormqr)
#define ORGQR FN(orgqr)
#define ORMLQ FN(ormlq)
#define ORGLQ FN(orglq)
#endif

/* gable_sormqr gable_dormqr gable_cunmqr gable_zunmqr: C := op(Q) C or C op(Q) */
gable_status ORMQR(gable_context *ctx, gable_side side, gable_trans trans, int64_t m, int64_t n,
                   int64_t k, const T *A, int64_t lda, const T *tau, T *C, int64_t ldc)
{
    const gbl_product_call call = applied(side, trans, m, n, k, A, lda, tau, C, ldc);
    return gbl_ormqr(ctx, NAME(ORMQR), &call);
}

/* gable_sorgqr gable_dorgqr gable_cungqr gable_zungqr: A := columns or rows of Q */
gable_status ORGQR(gable_context *ctx, int64_t m, int64_t n, int64_t k, T *A, int64_t lda,
                   const T *tau)
{
    const gbl_product_call call = formed(m, n, k, A, lda, tau);
    return gbl_orgqr(ctx, NAME(ORGQR), &call);
}

/* gable_sormlq gable_dormlq gable_cunmlq gable_zunmlq: C := op(Q) C or C op(Q) */
gable_status ORMLQ(gable_context *ctx, gable_side side, gable_trans trans, int64_t m, int64_t n,
                   int64_t k, const T *A, int64_t lda, const T *tau, T *C, int64_t ldc)
{
    const gbl_product_call call = applied(side, trans, m, n, k, A, lda, tau, C, ldc);
    return gbl_ormlq(ctx, NAME(ORMLQ), &call);
}

/* gable_sorglq gable_dorglq gable_cunglq gable_zunglq: A := columns or rows of Q */
gable_status ORGLQ(gable_context *ctx, int64_t m, int64_t n, int64_t k, T *A, int64_t lda,
                   const T *tau)
{
    const gbl_product_call call = formed(m, n, k, A, lda, tau);
    return gbl_orglq(ctx, NAME(ORGLQ), &call);
}

/* gable_sgels gable_dgels gable_cgels gable_zgels: op(A) X = B in the sense of least squares */
gable_status FN(gels)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, int64_t nrhs,
                      T *A, int64_t lda, T *B, int64_t ldb, int64_t *info)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .trans = trans,
                                   .m = m,
                                   .n = n,
                                   .k = nrhs,
                                   .A = A,
                                   .lda = lda,
                                   .B = B,
                                   .ldb = ldb,
                                   .info = info};
    return gbl_gels(ctx, NAME(FN(gels)), &call);
}
