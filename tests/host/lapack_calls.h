/* lapack_calls.h: the calls of LAPACK's routines by the standard door, by precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef LAPACK_CALLS_H
#define LAPACK_CALLS_H

#include "gable/gable.h"

typedef enum lapack_routine {
    LAPACK_GETRF,
    LAPACK_GETRS,
    LAPACK_GESV,
    LAPACK_GETRI,
    LAPACK_POTRF,
    LAPACK_POTRS,
    LAPACK_POSV,
    LAPACK_POTRI,
    LAPACK_TRTRS,
    LAPACK_TRTRI,
    LAPACK_GEQRF,
    LAPACK_GELQF,
    LAPACK_ORGQR,
    LAPACK_ORGLQ,
    LAPACK_ORMQR,
    LAPACK_ORMLQ,
    LAPACK_GELS,
    LAPACK_ROUTINES
} lapack_routine;

typedef struct lapack_args {
    lapack_routine routine;
    gable_uplo uplo;
    gable_trans trans;
    gable_diag diag;
    int64_t n, nrhs;
    void *A, *B;
    int64_t lda, ldb;
    void *tau;
    int64_t *ipiv, *info;
} lapack_args;

gable_status lapack_call_s(gable_context *ctx, const lapack_args *a);
gable_status lapack_call_d(gable_context *ctx, const lapack_args *a);
gable_status lapack_call_c(gable_context *ctx, const lapack_args *a);
gable_status lapack_call_z(gable_context *ctx, const lapack_args *a);

#endif
