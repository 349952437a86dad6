/* condensed_doors.c: the typed doors of reductions to tridiagonal and Hessenberg form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

#if COMPLEX
#define SYTRD FN(hetrd)
#else
#define SYTRD FN(sytrd)
#endif

/* gable_ssytrd gable_dsytrd gable_chetrd gable_zhetrd: Q^H A Q is tridiagonal */
gable_status SYTRD(gable_context *ctx, gable_uplo uplo, int64_t n, T *A, int64_t lda, R *d, R *e,
                   T *tau)
{
    const gbl_product_call call =
        CALL(.uplo = uplo, .m = n, .n = n, .A = A, .lda = lda, .d = d, .e = e, .tau = tau);
    return gbl_sytrd(ctx, NAME(SYTRD), &call);
}

/* gable_sgehrd gable_dgehrd gable_cgehrd gable_zgehrd: Q^H A Q is a Hessenberg matrix */
gable_status FN(gehrd)(gable_context *ctx, int64_t n, int64_t ilo, int64_t ihi, T *A, int64_t lda,
                       T *tau)
{
    const gbl_product_call call =
        CALL(.m = n, .n = n, .ilo = ilo, .ihi = ihi, .A = A, .lda = lda, .tau = tau);
    return gbl_gehrd(ctx, NAME(FN(gehrd)), &call);
}
