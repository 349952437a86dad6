/* engine_typed.c: a call made with the public function of its precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision.
 */
#include "device/precision.h"
#include "link/engine_typed.h"

/* gable_host_dgemm has the arguments of gable_dgemm. */
#define AS(stem) ((__typeof__(&FN(stem)))function)

#if defined(PREC_S)
#define TYPED gbl_engine_s
#elif defined(PREC_D)
#define TYPED gbl_engine_d
#elif defined(PREC_C)
#define TYPED gbl_engine_c
#else
#define TYPED gbl_engine_z
#endif

static T value(const double parts[2])
{
#if COMPLEX
    return (T){(R)parts[0], (R)parts[1]};
#else
    return (T)parts[0];
#endif
}

gable_status TYPED(void (*function)(void), gable_context *ctx, const gbl_link_call *call)
{
    const gable_trans trans = (gable_trans)call->trans, trans_b = (gable_trans)call->trans_b;
    const gable_uplo uplo = (gable_uplo)call->uplo;
    const gable_side side = (gable_side)call->side;
    const gable_diag diag = (gable_diag)call->diag;
    const T alpha = value(call->alpha), beta = value(call->beta);
    switch (call->routine) {
    case GBL_LINK_gemm:
        return AS(gemm)(ctx, trans, trans_b, call->m, call->n, call->k, alpha, call->A, call->lda,
                        call->B, call->ldb, beta, call->C, call->ldc);
    case GBL_LINK_gemmt:
    case GBL_LINK_gemmtr:
        return AS(gemmt)(ctx, uplo, trans, trans_b, call->n, call->k, alpha, call->A, call->lda,
                         call->B, call->ldb, beta, call->C, call->ldc);
    case GBL_LINK_symm:
        return AS(symm)(ctx, side, uplo, call->m, call->n, alpha, call->A, call->lda, call->B,
                        call->ldb, beta, call->C, call->ldc);
    case GBL_LINK_syrk:
        return AS(syrk)(ctx, uplo, trans, call->n, call->k, alpha, call->A, call->lda, beta,
                        call->C, call->ldc);
    case GBL_LINK_syr2k:
        return AS(syr2k)(ctx, uplo, trans, call->n, call->k, alpha, call->A, call->lda, call->B,
                         call->ldb, beta, call->C, call->ldc);
#if COMPLEX
    case GBL_LINK_hemm:
        return AS(hemm)(ctx, side, uplo, call->m, call->n, alpha, call->A, call->lda, call->B,
                        call->ldb, beta, call->C, call->ldc);
    case GBL_LINK_herk:
        return AS(herk)(ctx, uplo, trans, call->n, call->k, (R)call->alpha[0], call->A, call->lda,
                        (R)call->beta[0], call->C, call->ldc);
    case GBL_LINK_her2k:
        return AS(her2k)(ctx, uplo, trans, call->n, call->k, alpha, call->A, call->lda, call->B,
                         call->ldb, (R)call->beta[0], call->C, call->ldc);
#endif
    case GBL_LINK_trmm:
        return AS(trmm)(ctx, side, uplo, trans, diag, call->m, call->n, alpha, call->A, call->lda,
                        call->C, call->ldc);
    case GBL_LINK_trsm:
        return AS(trsm)(ctx, side, uplo, trans, diag, call->m, call->n, alpha, call->A, call->lda,
                        call->C, call->ldc);
    default:
        return GABLE_NOT_SUPPORTED;
    }
}
