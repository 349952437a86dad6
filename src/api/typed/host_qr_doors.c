/* host_qr_doors.c: the typed doors of QR, LQ and least squares on arrays in host memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "device/unitary_names.h"
#include "host/host_lapack.h"
#include "lapack/lapack.h"

/* The name of a routine whose stem is a macro. */
#define HOST(stem) FN_HOST(stem)

/* gable_host_sgeqrf gable_host_dgeqrf gable_host_cgeqrf gable_host_zgeqrf: A = Q R */
gable_status HOST(geqrf)(gable_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, T *tau)
{
    const gbl_product_call call = CALL(.m = m, .n = n, .A = A, .lda = lda, .tau = tau);
    return gbl_host_lapack(ctx, NAME(HOST(geqrf)), &gbl_geqrf_op, &call);
}

/* gable_host_sgelqf gable_host_dgelqf gable_host_cgelqf gable_host_zgelqf: A = L Q */
gable_status HOST(gelqf)(gable_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, T *tau)
{
    const gbl_product_call call = CALL(.m = m, .n = n, .A = A, .lda = lda, .tau = tau);
    return gbl_host_lapack(ctx, NAME(HOST(gelqf)), &gbl_gelqf_op, &call);
}

/* gable_host_sorgqr gable_host_dorgqr gable_host_cungqr gable_host_zungqr: columns of Q */
gable_status HOST(ORGQR)(gable_context *ctx, int64_t m, int64_t n, int64_t k, T *A, int64_t lda,
                         const T *tau)
{
    const gbl_product_call call = CALL(.m = m, .n = n, .k = k, .A = A, .lda = lda, .tau = IN(tau));
    return gbl_host_lapack(ctx, NAME(HOST(ORGQR)), &gbl_orgqr_op, &call);
}

/* gable_host_sormqr gable_host_dormqr gable_host_cunmqr gable_host_zunmqr: C := op(Q) C or C
 * op(Q) */
gable_status HOST(ORMQR)(gable_context *ctx, gable_side side, gable_trans trans, int64_t m,
                         int64_t n, int64_t k, const T *A, int64_t lda, const T *tau, T *C,
                         int64_t ldc)
{
    const gbl_product_call call = CALL(.side = side, .trans = trans, .m = m, .n = n, .k = k,
                                       .A = IN(A), .lda = lda, .tau = IN(tau), .C = C, .ldc = ldc);
    return gbl_host_lapack(ctx, NAME(HOST(ORMQR)), &gbl_ormqr_op, &call);
}

/* gable_host_sorglq gable_host_dorglq gable_host_cunglq gable_host_zunglq: rows of Q */
gable_status HOST(ORGLQ)(gable_context *ctx, int64_t m, int64_t n, int64_t k, T *A, int64_t lda,
                         const T *tau)
{
    const gbl_product_call call = CALL(.m = m, .n = n, .k = k, .A = A, .lda = lda, .tau = IN(tau));
    return gbl_host_lapack(ctx, NAME(HOST(ORGLQ)), &gbl_orglq_op, &call);
}

/* gable_host_sormlq gable_host_dormlq gable_host_cunmlq gable_host_zunmlq: C := op(Q) C or C
 * op(Q) */
gable_status HOST(ORMLQ)(gable_context *ctx, gable_side side, gable_trans trans, int64_t m,
                         int64_t n, int64_t k, const T *A, int64_t lda, const T *tau, T *C,
                         int64_t ldc)
{
    const gbl_product_call call = CALL(.side = side, .trans = trans, .m = m, .n = n, .k = k,
                                       .A = IN(A), .lda = lda, .tau = IN(tau), .C = C, .ldc = ldc);
    return gbl_host_lapack(ctx, NAME(HOST(ORMLQ)), &gbl_ormlq_op, &call);
}

/* gable_host_sgels gable_host_dgels gable_host_cgels gable_host_zgels: least squares, least norm */
gable_status HOST(gels)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, int64_t nrhs,
                        T *A, int64_t lda, T *B, int64_t ldb, int64_t *info)
{
    const gbl_product_call call = CALL(.trans = trans, .m = m, .n = n, .k = nrhs, .A = A,
                                       .lda = lda, .B = B, .ldb = ldb, .info = info);
    return gbl_host_lapack(ctx, NAME(HOST(gels)), &gbl_gels_op, &call);
}
