/* reduction_q_doors.c: the typed doors of the unitary matrices of sytrd, gehrd and gebrd.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

#if COMPLEX
#define ORGTR FN(ungtr)
#define ORGHR FN(unghr)
#define ORGBR FN(ungbr)
#define ORMTR FN(unmtr)
#define ORMHR FN(unmhr)
#define ORMBR FN(unmbr)
#else
#define ORGTR FN(orgtr)
#define ORGHR FN(orghr)
#define ORGBR FN(orgbr)
#define ORMTR FN(ormtr)
#define ORMHR FN(ormhr)
#define ORMBR FN(ormbr)
#endif

/* gable_sorgtr gable_dorgtr gable_cungtr gable_zungtr: A := Q of sytrd */
gable_status ORGTR(gable_context *ctx, gable_uplo uplo, int64_t n, T *A, int64_t lda, const T *tau)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .tau = IN(tau));
    return gbl_orgtr(ctx, NAME(ORGTR), &call);
}

/* gable_sorghr gable_dorghr gable_cunghr gable_zunghr: A := Q of gehrd */
gable_status ORGHR(gable_context *ctx, int64_t n, int64_t ilo, int64_t ihi, T *A, int64_t lda,
                   const T *tau)
{
    const gbl_product_call call =
        CALL(.m = n, .n = n, .ilo = ilo, .ihi = ihi, .A = A, .lda = lda, .tau = IN(tau));
    return gbl_orghr(ctx, NAME(ORGHR), &call);
}

/* gable_sorgbr gable_dorgbr gable_cungbr gable_zungbr: A := Q or P^H of gebrd */
gable_status ORGBR(gable_context *ctx, gable_vect vect, int64_t m, int64_t n, int64_t k, T *A,
                   int64_t lda, const T *tau)
{
    const gbl_product_call call =
        CALL(.vect = vect, .m = m, .n = n, .k = k, .A = A, .lda = lda, .tau = IN(tau));
    return gbl_orgbr(ctx, NAME(ORGBR), &call);
}

/* gable_sormtr gable_dormtr gable_cunmtr gable_zunmtr: C := op(Q) C or C op(Q), Q of sytrd */
gable_status ORMTR(gable_context *ctx, gable_side side, gable_uplo uplo, gable_trans trans,
                   int64_t m, int64_t n, const T *A, int64_t lda, const T *tau, T *C, int64_t ldc)
{
    const gbl_product_call call = CALL(.side = side, .uplo = uplo, .trans = trans, .m = m, .n = n,
                                       .A = IN(A), .lda = lda, .tau = IN(tau), .C = C, .ldc = ldc);
    return gbl_ormtr(ctx, NAME(ORMTR), &call);
}

/* gable_sormhr gable_dormhr gable_cunmhr gable_zunmhr: C := op(Q) C or C op(Q), Q of gehrd */
gable_status ORMHR(gable_context *ctx, gable_side side, gable_trans trans, int64_t m, int64_t n,
                   int64_t ilo, int64_t ihi, const T *A, int64_t lda, const T *tau, T *C,
                   int64_t ldc)
{
    const gbl_product_call call =
        CALL(.side = side, .trans = trans, .m = m, .n = n, .ilo = ilo, .ihi = ihi, .A = IN(A),
             .lda = lda, .tau = IN(tau), .C = C, .ldc = ldc);
    return gbl_ormhr(ctx, NAME(ORMHR), &call);
}

/* gable_sormbr gable_dormbr gable_cunmbr gable_zunmbr: C := op(Q) C or C op(Q), or P for Q */
gable_status ORMBR(gable_context *ctx, gable_vect vect, gable_side side, gable_trans trans,
                   int64_t m, int64_t n, int64_t k, const T *A, int64_t lda, const T *tau, T *C,
                   int64_t ldc)
{
    const gbl_product_call call =
        CALL(.vect = vect, .side = side, .trans = trans, .m = m, .n = n, .k = k, .A = IN(A),
             .lda = lda, .tau = IN(tau), .C = C, .ldc = ldc);
    return gbl_ormbr(ctx, NAME(ORMBR), &call);
}
