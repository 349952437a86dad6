/* lapack_calls.c: the calls of LAPACK's routines by the standard door in one precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lapack_calls.h"
#include "device/unitary_names.h"

#if defined(PREC_S)
#define CALL    lapack_call_s
#define HOST(f) gable_host_s##f
#elif defined(PREC_D)
#define CALL    lapack_call_d
#define HOST(f) gable_host_d##f
#elif defined(PREC_C)
#define CALL    lapack_call_c
#define HOST(f) gable_host_c##f
#else
#define CALL    lapack_call_z
#define HOST(f) gable_host_z##f
#endif

#define NAMED(f) HOST(f) /* of a name that is a macro */

gable_status CALL(gable_context *ctx, const lapack_args *a)
{
    switch (a->routine) {
    case LAPACK_GETRF:
        return HOST(getrf)(ctx, a->n, a->n, a->A, a->lda, a->ipiv, a->info);
    case LAPACK_GETRS:
        return HOST(getrs)(ctx, a->trans, a->n, a->nrhs, a->A, a->lda, a->ipiv, a->B, a->ldb);
    case LAPACK_GESV:
        return HOST(gesv)(ctx, a->n, a->nrhs, a->A, a->lda, a->ipiv, a->B, a->ldb, a->info);
    case LAPACK_GETRI:
        return HOST(getri)(ctx, a->n, a->A, a->lda, a->ipiv, a->info);
    case LAPACK_POTRF:
        return HOST(potrf)(ctx, a->uplo, a->n, a->A, a->lda, a->info);
    case LAPACK_POTRS:
        return HOST(potrs)(ctx, a->uplo, a->n, a->nrhs, a->A, a->lda, a->B, a->ldb);
    case LAPACK_POSV:
        return HOST(posv)(ctx, a->uplo, a->n, a->nrhs, a->A, a->lda, a->B, a->ldb, a->info);
    case LAPACK_POTRI:
        return HOST(potri)(ctx, a->uplo, a->n, a->A, a->lda, a->info);
    case LAPACK_TRTRS:
        return HOST(trtrs)(ctx, a->uplo, a->trans, a->diag, a->n, a->nrhs, a->A, a->lda, a->B,
                           a->ldb, a->info);
    case LAPACK_TRTRI:
        return HOST(trtri)(ctx, a->uplo, a->diag, a->n, a->A, a->lda, a->info);
    case LAPACK_GEQRF:
        return HOST(geqrf)(ctx, a->n, a->n, a->A, a->lda, a->tau);
    case LAPACK_GELQF:
        return HOST(gelqf)(ctx, a->n, a->n, a->A, a->lda, a->tau);
    case LAPACK_ORGQR:
        return NAMED(ORGQR)(ctx, a->n, a->n, a->n, a->A, a->lda, a->tau);
    case LAPACK_ORGLQ:
        return NAMED(ORGLQ)(ctx, a->n, a->n, a->n, a->A, a->lda, a->tau);
    case LAPACK_ORMQR:
        return NAMED(ORMQR)(ctx, GABLE_LEFT, a->trans, a->n, a->nrhs, a->n, a->A, a->lda, a->tau,
                            a->B, a->ldb);
    case LAPACK_ORMLQ:
        return NAMED(ORMLQ)(ctx, GABLE_LEFT, a->trans, a->n, a->nrhs, a->n, a->A, a->lda, a->tau,
                            a->B, a->ldb);
    case LAPACK_GELS:
        return HOST(gels)(ctx, a->trans, a->n, a->n, a->nrhs, a->A, a->lda, a->B, a->ldb, a->info);
    case LAPACK_ROUTINES:
        break;
    }
    return GABLE_BAD_ARGUMENT;
}
