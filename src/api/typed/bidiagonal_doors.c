/* bidiagonal_doors.c: the typed door of the reduction to bidiagonal form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

/* gable_sgebrd gable_dgebrd gable_cgebrd gable_zgebrd: A = Q B P^H */
gable_status FN(gebrd)(gable_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, R *d, R *e,
                       T *tauq, T *taup)
{
    const gbl_product_call call =
        CALL(.m = m, .n = n, .A = A, .lda = lda, .d = d, .e = e, .tau = tauq, .taup = taup);
    return gbl_gebrd(ctx, NAME(FN(gebrd)), &call);
}
