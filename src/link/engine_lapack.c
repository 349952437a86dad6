/* engine_lapack.c: a call of LAPACK made with the public function of its precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision.
 */
#include "device/hermitian_names.h"
#include "device/unitary_names.h"
#include "link/engine_typed.h"

/* gable_host_dgetrf has the arguments of gable_dgetrf. */
#define AS(stem)    AS_OF(stem)
#define AS_OF(stem) ((__typeof__(&FN(stem)))function)

#if defined(PREC_S)
#define TYPED gbl_engine_lapack_s
#elif defined(PREC_D)
#define TYPED gbl_engine_lapack_d
#elif defined(PREC_C)
#define TYPED gbl_engine_lapack_c
#else
#define TYPED gbl_engine_lapack_z
#endif

gable_status TYPED(void (*function)(void), gable_context *ctx, const gbl_link_call *call,
                   gbl_engine_integers *integers)
{
    int64_t *const ipiv = integers->numbers, *const info = &integers->info;
    const gable_trans trans = (gable_trans)call->trans;
    const gable_uplo uplo = (gable_uplo)call->uplo;
    const gable_diag diag = (gable_diag)call->diag;
    const gable_side side = (gable_side)call->side;
    const gable_job job = (gable_job)call->job;
    T *const A = (T *)(uintptr_t)call->A, *const B = (T *)(uintptr_t)call->B;
    *info = 0;
    switch (call->routine) {
    case GBL_LINK_getrf:
        return AS(getrf)(ctx, call->m, call->n, call->C, call->ldc, ipiv, info);
    case GBL_LINK_getrs:
        return AS(getrs)(ctx, trans, call->m, call->k, A, call->lda, ipiv, call->C, call->ldc);
    case GBL_LINK_gesv:
        return AS(gesv)(ctx, call->m, call->k, A, call->lda, ipiv, call->C, call->ldc, info);
    case GBL_LINK_getri:
        return AS(getri)(ctx, call->n, call->C, call->ldc, ipiv, info);
    case GBL_LINK_potrf:
        return AS(potrf)(ctx, uplo, call->n, call->C, call->ldc, info);
    case GBL_LINK_potrs:
        return AS(potrs)(ctx, uplo, call->m, call->k, A, call->lda, call->C, call->ldc);
    case GBL_LINK_posv:
        return AS(posv)(ctx, uplo, call->m, call->k, A, call->lda, call->C, call->ldc, info);
    case GBL_LINK_potri:
        return AS(potri)(ctx, uplo, call->n, call->C, call->ldc, info);
    case GBL_LINK_trtrs:
        return AS(trtrs)(ctx, uplo, trans, diag, call->m, call->k, A, call->lda, call->C, call->ldc,
                         info);
    case GBL_LINK_trtri:
        return AS(trtri)(ctx, uplo, diag, call->n, call->C, call->ldc, info);
    case GBL_LINK_geqrf:
        return AS(geqrf)(ctx, call->m, call->n, call->C, call->ldc, call->tau);
    case GBL_LINK_gelqf:
        return AS(gelqf)(ctx, call->m, call->n, call->C, call->ldc, call->tau);
    case GBL_LINK_orgqr:
    case GBL_LINK_ungqr:
        return AS(ORGQR)(ctx, call->m, call->n, call->k, call->C, call->ldc, call->tau);
    case GBL_LINK_orglq:
    case GBL_LINK_unglq:
        return AS(ORGLQ)(ctx, call->m, call->n, call->k, call->C, call->ldc, call->tau);
    case GBL_LINK_ormqr:
    case GBL_LINK_unmqr:
        return AS(ORMQR)(ctx, side, trans, call->m, call->n, call->k, A, call->lda, call->tau,
                         call->C, call->ldc);
    case GBL_LINK_ormlq:
    case GBL_LINK_unmlq:
        return AS(ORMLQ)(ctx, side, trans, call->m, call->n, call->k, A, call->lda, call->tau,
                         call->C, call->ldc);
    case GBL_LINK_gels:
        return AS(gels)(ctx, trans, call->m, call->n, call->k, A, call->lda, call->C, call->ldc,
                        info);
    case GBL_LINK_syev:
    case GBL_LINK_heev:
    case GBL_LINK_syevd:
    case GBL_LINK_heevd:
        return AS(SYEVD)(ctx, job, uplo, call->n, call->C, call->ldc, call->values, info);
    case GBL_LINK_syevr:
    case GBL_LINK_heevr:
        return AS(SYEVX)(ctx, job, (gable_range)call->range, uplo, call->n, call->C, call->ldc,
                         (R)call->from, (R)call->to, call->first, call->last, (R)call->tolerance,
                         &integers->found, call->values, A, call->lda, ipiv, info);
    case GBL_LINK_sygvd:
    case GBL_LINK_hegvd:
        return AS(SYGVD)(ctx, call->itype, job, uplo, call->n, call->C, call->ldc, B, call->ldb,
                         call->values, info);
    case GBL_LINK_gesdd:
        return AS(gesdd)(ctx, job, call->m, call->n, call->C, call->ldc, call->values, A, call->lda,
                         B, call->ldb, info);
    case GBL_LINK_gesvd:
        return AS(gesvd)(ctx, job, (gable_job)call->job_b, call->m, call->n, call->C, call->ldc,
                         call->values, A, call->lda, B, call->ldb, info);
    default:
        return GABLE_NOT_SUPPORTED;
    }
}
