/* host_calls.h: the calls of the standard door, by kind and precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HOST_CALLS_H
#define HOST_CALLS_H

#include <stdbool.h>
#include "gable/gable.h"

typedef enum host_routine {
    HOST_GEMM,
    HOST_GEMMT,
    HOST_SYRK,
    HOST_SYR2K,
    HOST_SYMM,
    HOST_TRMM,
    HOST_TRSM,
    HOST_ROUTINES
} host_routine;

typedef struct host_args {
    host_routine routine;
    bool hermitian; /* herk, her2k, hemm */
    gable_side side;
    gable_uplo uplo;
    gable_trans transa, transb;
    gable_diag diag;
    int64_t m, n, k;
    gable_cdouble alpha, beta;
    void *A, *B, *C;
    int64_t lda, ldb, ldc;
} host_args;

gable_status host_call_s(gable_context *ctx, const host_args *a);
gable_status host_call_d(gable_context *ctx, const host_args *a);
gable_status host_call_c(gable_context *ctx, const host_args *a);
gable_status host_call_z(gable_context *ctx, const host_args *a);

#endif
