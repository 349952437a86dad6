/* gemm_plan.c: what the plans of the kernels for products of two matrices share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/kernel_args.h"
#include "blas/gemm/gemm_plan.h"
#include "blas/level1/stream_plan.h"

/* Tiles for products within factorizations, as gbl_pipeline_shared. */
const gbl_shared gbl_gemm_tile_shared[GBL_GEMM_TILE_SHARED] = {
    {GBL_BIT_S | GBL_BIT_C, {{16, 16, 16, 8, 8, 0, 1, 0}}},
    {GBL_BIT_S, {{16, 16, 8, 8, 8, 0, 2, 0}}},
    {GBL_BIT_D | GBL_BIT_Z, {{16, 8, 8, 8, 8, 2, 1, 0}}},
    {GBL_BIT_D | GBL_BIT_C | GBL_BIT_Z, {{8, 8, 8, 8, 8, 2, 1, 0}}},
    {GBL_BIT_S | GBL_BIT_C, {{8, 8, 8, 8, 16, 2, 1, 0}}},
    {GBL_BIT_C, {{8, 8, 8, 8, 16, 2, 3, 0}}},
    {GBL_BIT_D, {{16, 8, 4, 4, 8, 4, 1, 0}}},
    {GBL_BIT_Z, {{32, 4, 4, 2, 16, 4, 2, 0}}},
    {GBL_BIT_C, {{8, 8, 4, 2, 16, 4, 2, 0}}},
    {GBL_BIT_S | GBL_BIT_D | GBL_BIT_C, {{8, 8, 2, 2, 16, 4, 3, 0}}},
    {GBL_BIT_S | GBL_BIT_C | GBL_BIT_Z, {{8, 8, 2, 2, 8, 4, 2, 0}}},
    {GBL_BIT_S, {{8, 4, 2, 2, 16, 4, 3, 0}}},
};

/* Reals of a scalar in the device's memory. */
static int64_t reals(const gbl_product_call *call, bool real)
{
    return real || !gbl_dtype_complex(call->dtype) ? 1 : 2;
}

gemm_args gbl_gemm_args(const gbl_product_call *call)
{
    return (gemm_args){.m = call->m,
                       .n = call->n,
                       .k = gbl_scalar_zero(&call->alpha) ? 0 : call->k,
                       .lda = call->lda,
                       .ldb = call->ldb,
                       .ldc = call->ldc,
                       .alpha_reals = reals(call, call->real_alpha),
                       .beta_reals = reals(call, call->real_beta),
                       .scalars = gbl_scalars(&call->alpha, &call->beta)};
}

static int32_t transposed(gable_trans trans, gbl_dtype dtype)
{
    if (trans == GABLE_NO_TRANS)
        return 0;
    return trans == GABLE_CONJ_TRANS && gbl_dtype_complex(dtype) ? 2 : 1;
}

void gbl_gemm_macros(const gbl_product_call *call, gbl_kernel_spec *spec)
{
    gbl_kernel_add_macro(spec, "TRANS_A", transposed(call->trans, call->dtype));
    gbl_kernel_add_macro(spec, "TRANS_B", transposed(call->trans_b, call->dtype));
    gbl_kernel_add_macro(spec, "TRIANGLE_C", call->triangle_c);
    gbl_kernel_add_macro(spec, "REAL_DIAGONAL",
                         call->conj && call->triangle_c != GBL_ALL &&
                             gbl_dtype_complex(call->dtype));
    gbl_kernel_add_macro(spec, "TRIANGULAR", call->triangular);
    gbl_kernel_add_macro(spec, "UNIT",
                         call->triangular != GBL_NOT_TRIANGULAR && call->diag == GABLE_UNIT);
}

void gbl_gemm_two_products(const gbl_product_call *call, gbl_kernel_spec *spec)
{
    if (call->two_products)
        gbl_kernel_add_macro(spec, "TWO_PRODUCTS", 1);
}

void gbl_gemm_sizes(const gbl_product_call *call, gbl_kernel_spec *spec)
{
    if (call->sizes != NULL)
        gbl_kernel_add_macro(spec, "SIZES", 1);
}

bool gbl_gemm_whole(const gbl_product_call *call)
{
    return call->triangle_c == GBL_ALL && call->triangular == GBL_NOT_TRIANGULAR &&
           !call->two_products && call->sizes == NULL;
}
