/* reflector_doors.c: the typed doors of reflectors: one, a block's triangle, a block applied.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "lapack/lapack.h"

/* gable_slarfg gable_dlarfg gable_clarfg gable_zlarfg: the reflector of alpha and x */
gable_status FN(larfg)(gable_context *ctx, int64_t n, T *alpha, T *x, int64_t incx, T *tau)
{
    const gbl_product_call call = {
        .dtype = DTYPE, .m = n, .A = alpha, .B = x, .ldb = incx, .tau = tau};
    return gbl_larfg(ctx, NAME(FN(larfg)), &call);
}

/* gable_slarft gable_dlarft gable_clarft gable_zlarft: T of H_1 H_2 ... = I - V T V^H */
gable_status FN(larft)(gable_context *ctx, gable_direct direct, gable_storev storev, int64_t n,
                       int64_t k, const T *V, int64_t ldv, const T *tau, T *triangle, int64_t ldt)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .m = n,
                                   .k = k,
                                   .lda = ldv,
                                   .ldb = ldt,
                                   .stride_a = (int64_t)direct - GABLE_FORWARD,
                                   .stride_b = (int64_t)storev - GABLE_COLUMNWISE,
                                   .A = IN(V),
                                   .B = triangle,
                                   .tau = IN(tau)};
    return gbl_larft(ctx, NAME(FN(larft)), &call);
}

/* gable_slarfb gable_dlarfb gable_clarfb gable_zlarfb: C := op(H) C or C op(H) */
gable_status FN(larfb)(gable_context *ctx, gable_side side, gable_trans trans, gable_direct direct,
                       gable_storev storev, int64_t m, int64_t n, int64_t k, const T *V,
                       int64_t ldv, const T *triangle, int64_t ldt, T *C, int64_t ldc)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .side = side,
                                   .trans = trans,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .lda = ldv,
                                   .ldb = ldt,
                                   .ldc = ldc,
                                   .stride_a = (int64_t)direct - GABLE_FORWARD,
                                   .stride_b = (int64_t)storev - GABLE_COLUMNWISE,
                                   .A = IN(V),
                                   .B = IN(triangle),
                                   .C = C};
    return gbl_larfb(ctx, NAME(FN(larfb)), &call);
}
