/* gemm_plan.c: what the plans of the kernels for products of two matrices share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/kernel_args.h"
#include "blas/gemm/gemm_plan.h"
#include "blas/level1/stream_plan.h"

/* ---- Tunables of tiles: gemm_tile.c names them in this order ---- */

static const int32_t wide[] = {8, 16, 32};
static const int32_t high[] = {4, 8, 16};
static const int32_t outputs[] = {2, 4, 8, 16};
static const int32_t lines[] = {8, 16};
static const int32_t stages[] = {0, 1, 2, 3, 4}; /* 1: 0 for elements of 4 bytes, else 2 */
static const int32_t resident[] = {1, 2, 3, 4};
static const int32_t shares[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 32};
const gbl_param gbl_gemm_tile_space[GBL_GEMM_TILE_PARAMS] = {
    {.name = "wx", GBL_VALUES(wide), .fallback = 16},
    {.name = "wy", GBL_VALUES(high), .fallback = 8},
    {.name = "tm", GBL_VALUES(outputs), .fallback = 8},
    {.name = "tn", GBL_VALUES(outputs), .fallback = 8},
    {.name = "terms", GBL_VALUES(lines), .fallback = 8},
    {.name = "stages", GBL_VALUES(stages), .fallback = 1},
    {.name = "groups", GBL_VALUES(resident), .fallback = 1},
    {.name = "split", GBL_VALUES(shares), .fallback = 0},
};

/* Shapes that were fast for some size on an H200 (2026-11), the last eight at sizes that are no
 * multiples of tiles; the model decides between them. */
const gbl_params gbl_gemm_tile_starts[GBL_GEMM_TILE_STARTS] = {
    {{16, 16, 16, 8, 8, 0, 1, 0}}, {{16, 16, 8, 8, 8, 0, 1, 0}}, {{8, 16, 16, 8, 8, 0, 1, 0}},
    {{16, 8, 8, 8, 8, 0, 1, 0}},   {{16, 8, 8, 8, 8, 2, 1, 0}},  {{8, 16, 8, 8, 8, 2, 1, 0}},
    {{8, 8, 8, 8, 8, 2, 1, 0}},    {{16, 16, 8, 4, 8, 0, 1, 0}}, {{16, 8, 8, 4, 8, 2, 1, 0}},
    {{8, 8, 8, 4, 8, 0, 1, 0}},    {{8, 8, 4, 4, 8, 0, 1, 0}},   {{16, 8, 4, 2, 16, 4, 2, 0}},
    {{8, 16, 8, 4, 8, 0, 1, 0}},   {{32, 4, 16, 8, 8, 0, 1, 0}}, {{32, 4, 8, 8, 8, 2, 1, 0}},
    {{16, 16, 8, 8, 8, 0, 2, 0}},  {{16, 8, 8, 8, 8, 3, 1, 0}},  {{16, 8, 8, 4, 8, 4, 1, 0}},
    {{16, 8, 4, 4, 8, 4, 1, 0}},   {{8, 8, 8, 8, 16, 2, 1, 0}},  {{16, 8, 8, 8, 16, 2, 1, 0}},
    {{16, 8, 4, 4, 16, 4, 1, 0}},  {{16, 8, 8, 8, 8, 4, 2, 0}},  {{8, 16, 16, 8, 8, 3, 1, 0}},
    {{8, 8, 8, 4, 8, 4, 1, 0}},    {{8, 8, 4, 4, 8, 4, 1, 0}},   {{16, 8, 8, 4, 8, 2, 2, 0}},
    {{8, 16, 8, 4, 8, 2, 1, 0}},   {{8, 8, 8, 4, 8, 2, 1, 0}},   {{8, 8, 2, 4, 16, 4, 1, 0}},
};

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
