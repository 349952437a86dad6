/* cpu_gemm.c: C := alpha op(A) op(B) + beta C on the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_vector.h"
#include "device/product_args.h"

static T element(const T *M, int64_t ld, gable_trans trans, int64_t i, int64_t j)
{
    T value = trans == GABLE_NO_TRANS ? M[i + j * ld] : M[j + i * ld];
#if COMPLEX
    if (trans == GABLE_CONJ_TRANS)
        value.im = -value.im;
#endif
    return value;
}

/* gbl_cpu_sgemm_omp gbl_cpu_dgemm_omp gbl_cpu_cgemm_omp gbl_cpu_zgemm_omp */
GBL_CPU_TASK(PRIVATE(gemm_omp))
{
    (void)queue, (void)stream, (void)message;
    const gbl_product_args *call = args;
    const T alpha = read_scalar(&call->alpha), beta = read_scalar(&call->beta);
    const bool reads = !is_zero(alpha);
#pragma omp parallel for
    for (int64_t j = 0; j < call->n; j++)
        for (int64_t i = 0; i < call->m; i++) {
            T *const c = (T *)call->C + i + j * call->ldc;
            T sum = read_scalar(&(gbl_scalar){.re = 0});
            for (int64_t p = 0; reads && p < call->k; p++) {
                const T b = element(call->B, call->ldb, call->trans_b, p, j);
                add_multiple(element(call->A, call->lda, call->trans, i, p), &b, &sum);
            }
            if (is_zero(beta))
                put_multiple(alpha, &sum, c);
            else
                put_combination(alpha, &sum, beta, c, c);
        }
    return GABLE_OK;
}
