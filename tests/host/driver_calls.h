/* driver_calls.h: the calls of drivers of eigenvalues and singular values by the standard door, by
 * precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef DRIVER_CALLS_H
#define DRIVER_CALLS_H

#include "gable/gable.h"

typedef enum driver_routine {
    DRIVER_SYEVD,
    DRIVER_SYGVD,
    DRIVER_SYEVX,
    DRIVER_GESDD,
    DRIVER_GESVD,
    DRIVER_ROUTINES
} driver_routine;

/* U is also B of sygvd and Z of syevx. */
typedef struct driver_args {
    driver_routine routine;
    gable_job job, job_b;
    gable_range range;
    gable_uplo uplo;
    int64_t m, n;
    void *A, *U, *Vt, *values;
    int64_t lda, ldu, ldvt;
    double from, to;
    int64_t first, last;
    int64_t *found, *ifail, *info;
} driver_args;

gable_status driver_call_s(gable_context *ctx, const driver_args *a);
gable_status driver_call_d(gable_context *ctx, const driver_args *a);
gable_status driver_call_c(gable_context *ctx, const driver_args *a);
gable_status driver_call_z(gable_context *ctx, const driver_args *a);

#endif
