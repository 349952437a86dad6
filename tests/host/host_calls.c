/* host_calls.c: the calls of the standard door in one precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "host_calls.h"

#if defined(PREC_S)
#define T         float
#define R         float
#define CALL      host_call_s
#define HOST(f)   gable_host_s##f
#define NUMBER(x) ((float)(x).re)
#elif defined(PREC_D)
#define T         double
#define R         double
#define CALL      host_call_d
#define HOST(f)   gable_host_d##f
#define NUMBER(x) ((x).re)
#elif defined(PREC_C)
#define T         gable_cfloat
#define R         float
#define CALL      host_call_c
#define HOST(f)   gable_host_c##f
#define NUMBER(x) ((gable_cfloat){(float)(x).re, (float)(x).im})
#define COMPLEX   1
#else
#define T         gable_cdouble
#define R         double
#define CALL      host_call_z
#define HOST(f)   gable_host_z##f
#define NUMBER(x) (x)
#define COMPLEX   1
#endif

#if COMPLEX
static gable_status call_hermitian(gable_context *ctx, const host_args *a, T alpha, T beta)
{
    if (a->routine == HOST_SYRK)
        return HOST(herk)(ctx, a->uplo, a->transa, a->n, a->k, (R)a->alpha.re, a->A, a->lda,
                          (R)a->beta.re, a->C, a->ldc);
    if (a->routine == HOST_SYR2K)
        return HOST(her2k)(ctx, a->uplo, a->transa, a->n, a->k, alpha, a->A, a->lda, a->B, a->ldb,
                           (R)a->beta.re, a->C, a->ldc);
    return HOST(hemm)(ctx, a->side, a->uplo, a->m, a->n, alpha, a->A, a->lda, a->B, a->ldb, beta,
                      a->C, a->ldc);
}
#endif

gable_status CALL(gable_context *ctx, const host_args *a)
{
    const T alpha = NUMBER(a->alpha), beta = NUMBER(a->beta);
#if COMPLEX
    if (a->hermitian)
        return call_hermitian(ctx, a, alpha, beta);
#endif
    switch (a->routine) {
    case HOST_GEMM:
        return HOST(gemm)(ctx, a->transa, a->transb, a->m, a->n, a->k, alpha, a->A, a->lda, a->B,
                          a->ldb, beta, a->C, a->ldc);
    case HOST_GEMMT:
        return HOST(gemmt)(ctx, a->uplo, a->transa, a->transb, a->n, a->k, alpha, a->A, a->lda,
                           a->B, a->ldb, beta, a->C, a->ldc);
    case HOST_SYRK:
        return HOST(syrk)(ctx, a->uplo, a->transa, a->n, a->k, alpha, a->A, a->lda, beta, a->C,
                          a->ldc);
    case HOST_SYR2K:
        return HOST(syr2k)(ctx, a->uplo, a->transa, a->n, a->k, alpha, a->A, a->lda, a->B, a->ldb,
                           beta, a->C, a->ldc);
    case HOST_SYMM:
        return HOST(symm)(ctx, a->side, a->uplo, a->m, a->n, alpha, a->A, a->lda, a->B, a->ldb,
                          beta, a->C, a->ldc);
    case HOST_TRMM:
        return HOST(trmm)(ctx, a->side, a->uplo, a->transa, a->diag, a->m, a->n, alpha, a->A,
                          a->lda, a->B, a->ldb);
    case HOST_TRSM:
        return HOST(trsm)(ctx, a->side, a->uplo, a->transa, a->diag, a->m, a->n, alpha, a->A,
                          a->lda, a->B, a->ldb);
    case HOST_ROUTINES:
        break;
    }
    return GABLE_BAD_ARGUMENT;
}
