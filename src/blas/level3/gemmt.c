/* gemmt.c: C := alpha op(A) op(B) + beta C, one triangle of C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernels of gemm compute a triangle where they are told so.
 */
#include "blas/level3/composed.h"
#include "cpu/cpu_kernels.h"

static gbl_product_call product_of(const gbl_product_call *call)
{
    gbl_product_call product = *call;
    product.triangle_c = gbl_composed_part(call);
    return product;
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call product = product_of(given);
    gbl_gemm_work(&product, least);
}

static const gbl_one_product one_product = {.stem = "gemmt", .product_of = product_of};

static const gbl_product_routine routine = {
    .stem = "gemmt",
    .work = work,
    .omp = GBL_CPU_FOUR(gemmt_omp),
};

static const gbl_variant variants[] = {
    GBL_ONE_PRODUCT_VARIANT("product", gbl_composed_fits, &one_product),
    GBL_PRODUCT_VARIANTS(&routine),
};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,  GBL_PRODUCT_TRANS_A,    GBL_PRODUCT_TRANS_B, GBL_PRODUCT_ORDER,
    GBL_PRODUCT_TERMS, GBL_PRODUCT_ALPHA,      GBL_PRODUCT_A,       GBL_PRODUCT_B,
    GBL_PRODUCT_BETA,  GBL_PRODUCT_TRIANGLE_C,
};

const gbl_op gbl_gemmt_op = {GBL_PRODUCT_OP("gemmt", operands, variants), .idle = gbl_product_idle,
                             .work = work};
