/* driver_calls.c: the calls of drivers of eigenvalues and singular values by the standard door in
 * one precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "driver_calls.h"
#include "device/hermitian_names.h"

#if defined(PREC_S)
#define CALL    driver_call_s
#define HOST(f) gable_host_s##f
#elif defined(PREC_D)
#define CALL    driver_call_d
#define HOST(f) gable_host_d##f
#elif defined(PREC_C)
#define CALL    driver_call_c
#define HOST(f) gable_host_c##f
#else
#define CALL    driver_call_z
#define HOST(f) gable_host_z##f
#endif

#define NAMED(f) HOST(f) /* of a name that is a macro */

gable_status CALL(gable_context *ctx, const driver_args *a)
{
    switch (a->routine) {
    case DRIVER_SYEVD:
        return NAMED(SYEVD)(ctx, a->job, a->uplo, a->n, a->A, a->lda, a->values, a->info);
    case DRIVER_SYGVD:
        return NAMED(SYGVD)(ctx, 1, a->job, a->uplo, a->n, a->A, a->lda, a->U, a->ldu, a->values,
                            a->info);
    case DRIVER_SYEVX:
        return NAMED(SYEVX)(ctx, a->job, a->range, a->uplo, a->n, a->A, a->lda, (R)a->from,
                            (R)a->to, a->first, a->last, 0, a->found, a->values, a->U, a->ldu,
                            a->ifail, a->info);
    case DRIVER_GESDD:
        return HOST(gesdd)(ctx, a->job, a->m, a->n, a->A, a->lda, a->values, a->U, a->ldu, a->Vt,
                           a->ldvt, a->info);
    case DRIVER_GESVD:
        return HOST(gesvd)(ctx, a->job, a->job_b, a->m, a->n, a->A, a->lda, a->values, a->U, a->ldu,
                           a->Vt, a->ldvt, a->info);
    case DRIVER_ROUTINES:
        break;
    }
    return GABLE_BAD_ARGUMENT;
}
