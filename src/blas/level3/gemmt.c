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

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call product = product_of(given);
    (void)self, (void)params;
    return gbl_gemm(ctx, "gemmt", &product);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call product = product_of(given);
    gbl_gemm_work(&product, least);
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
    .stem = "gemmt",
    .work = work,
    .omp = {gbl_cpu_sgemmt_omp, gbl_cpu_dgemmt_omp, gbl_cpu_cgemmt_omp, gbl_cpu_zgemmt_omp},
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
    GBL_PRODUCT_TRANS_A,
    GBL_PRODUCT_TRANS_B,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_TERMS,
    GBL_PRODUCT_ALPHA,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, PRODUCT_AT(alpha), gbl_product_a_rows,
                       gbl_product_a_columns, NULL, "rows of A"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ, PRODUCT_AT(alpha), gbl_product_b_rows,
                       gbl_product_b_columns, NULL, "rows of B"),
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
};

const gbl_op gbl_gemmt_op = {
    .stem = "gemmt",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .idle = gbl_product_idle,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_gemmt(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_gemmt_op, call);
}
