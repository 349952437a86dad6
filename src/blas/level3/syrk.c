/* syrk.c: C := alpha A A^T + beta C or alpha A^T A + beta C, C symmetric; with A^H: herk
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One product whose factors are the same matrix, of which gemm computes a triangle.
 */
#include "blas/level3/composed.h"
#include "cpu/cpu_kernels.h"

static gbl_product_call product_of(const gbl_product_call *call)
{
    gbl_product_call product = gbl_rank_k_product(call);
    product.B = call->A;
    product.ldb = call->lda;
    return product;
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given, product = product_of(call);
    gbl_gemm_work(&product, least);
    /* A is read once. */
    least->bytes_read -= (double)gbl_dtype_bytes(call->dtype) * (double)call->n * (double)call->k;
}

static const gbl_one_product one_product = {.stem = "syrk", .product_of = product_of, .work = work};

static const gbl_product_routine routine = {
    .stem = "syrk",
    .work = work,
    .omp = GBL_CPU_FOUR(syrk_omp),
    .blas = GBL_CPU_FOUR(syrk_blas),
};

static const gbl_variant variants[] = {
    GBL_ONE_PRODUCT_VARIANT("product", gbl_composed_fits, &one_product),
    GBL_PRODUCT_VARIANTS(&routine),
};

static const gbl_operand operands[] = {
    GBL_RANK_K_OPERANDS,
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_TRIANGLE_C,
    GBL_PRODUCT_CONJ,
};

const gbl_op gbl_syrk_op = {GBL_PRODUCT_OP("syrk", operands, variants), .idle = gbl_product_idle,
                            .rules = gbl_rank_k_rules, .work = work};
