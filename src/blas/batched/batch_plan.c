/* batch_plan.c: what the kernels for many products at once share: their work, arguments and macros.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/batched/batch_plan.h"
#include "core/kernel_args.h"
#include "blas/level1/stream_plan.h"

_Static_assert(sizeof(gemm_batched_args) == 18 * 8, "host and device must agree");

void gbl_gemm_batched_work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), batch = (double)call->batch,
                 m = (double)call->m, n = (double)call->n, k = (double)call->k;
    const double lefts = call->pointers || call->stride_a != 0 ? batch : 1,
                 rights = call->pointers || call->stride_b != 0 ? batch : 1;
    *least = (gbl_work){.bytes_read = elem * k * (m * lefts + n * rights),
                        .bytes_written = elem * m * n * batch,
                        .flops = gbl_product_flops(call->dtype) * m * n * k * batch};
    if (!gbl_scalar_zero(&call->beta))
        least->bytes_read += least->bytes_written;
    if (call->pointers)
        least->bytes_read += 3 * sizeof(void *) * batch;
}

/* Batch entries share nothing: small groups and small elements do not hide that. On an H200
 * (2026-11-17) batch entries of order 256 and 512 took 1.25 in s, those of order 128 1.29 in d, but
 * those of order 512 in d and 256 in c 1.0. */
double gbl_gemm_batched_slower(const gbl_product_call *call, int32_t group_items)
{
    const bool hidden = !call->pointers && gbl_dtype_bytes(call->dtype) >= 8 && group_items >= 128;
    return call->batch == 0 || hidden ? 1 : 1.25;
}

gemm_batched_args gbl_gemm_batched_args(const gbl_product_call *call)
{
    return (gemm_batched_args){.m = call->m,
                               .n = call->n,
                               .k = gbl_scalar_zero(&call->alpha) ? 0 : call->k,
                               .lda = call->lda,
                               .ldb = call->ldb,
                               .ldc = call->ldc,
                               .batch = call->batch,
                               .stride_a = call->stride_a,
                               .stride_b = call->stride_b,
                               .stride_c = call->stride_c,
                               .scalars = gbl_scalars(&call->alpha, &call->beta)};
}

static int32_t turned(gable_trans trans, gbl_dtype dtype)
{
    if (trans == GABLE_NO_TRANS)
        return 0;
    return trans == GABLE_CONJ_TRANS && gbl_dtype_complex(dtype) ? 2 : 1;
}

void gbl_gemm_batched_macros(const gbl_product_call *call, gbl_kernel_spec *spec)
{
    gbl_kernel_add_macro(spec, "TRANS_A", turned(call->trans, call->dtype));
    gbl_kernel_add_macro(spec, "TRANS_B", turned(call->trans_b, call->dtype));
    gbl_kernel_add_macro(spec, "POINTERS", call->pointers);
}
