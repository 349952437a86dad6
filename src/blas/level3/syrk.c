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

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call product = product_of(given);
    (void)self, (void)params;
    return gbl_gemm(ctx, "syrk", &product);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given, product = product_of(call);
    gbl_gemm_work(&product, least);
    /* A is read once. */
    least->bytes_read -= (double)gbl_dtype_bytes(call->dtype) * (double)call->n * (double)call->k;
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 1, out);
}

static int parts_of(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call product = product_of(call);
    (void)self, (void)params, (void)device;
    return gbl_composed_product(parts, 0, &product, 1);
}

static const gbl_product_routine routine = {
    .stem = "syrk",
    .work = work,
    .omp = {gbl_cpu_ssyrk_omp, gbl_cpu_dsyrk_omp, gbl_cpu_csyrk_omp, gbl_cpu_zsyrk_omp},
    .blas = {gbl_cpu_ssyrk_blas, gbl_cpu_dsyrk_blas, gbl_cpu_csyrk_blas, gbl_cpu_zsyrk_blas},
};

static const gbl_variant variants[] = {
    {.name = "product",
     .deterministic = true,
     .fits = gbl_composed_fits,
     .run = run,
     .cost = cost,
     .parts = parts_of},
    GBL_PRODUCT_VARIANTS(&routine),
};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_TRANS,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_TERMS,
    GBL_PRODUCT_ALPHA,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, PRODUCT_AT(alpha), gbl_product_a_rows,
                       gbl_product_a_columns, NULL, "rows of A"),
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
    GBL_PRODUCT_CONJ,
};

const gbl_op gbl_syrk_op = {
    .stem = "syrk",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .idle = gbl_product_idle,
    .rules = gbl_rank_k_rules,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_syrk(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_syrk_op, call);
}
