/* gemm.c: C := alpha op(A) op(B) + beta C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The op is not constant: programs that compare ways to compute add theirs (gbl_op_extend).
 */
#include "blas/gemm/gemm_composed.h"
#include "blas/gemm/gemm_plan.h"
#include "blas/gemm/gemm_pipeline.h"
#include "blas/gemm/gemm_tf32.h"
#include "cpu/cpu_kernels.h"

static const gbl_product_routine routine = {
    .stem = "gemm",
    .work = gbl_gemm_work,
    .omp = {gbl_cpu_sgemm_omp, gbl_cpu_dgemm_omp, gbl_cpu_cgemm_omp, gbl_cpu_zgemm_omp},
    .blas = {gbl_cpu_sgemm_blas, gbl_cpu_dgemm_blas, gbl_cpu_cgemm_blas, gbl_cpu_zgemm_blas},
};

static const gbl_operand operands[] = {
    GBL_PRODUCT_TRANS_A,
    GBL_PRODUCT_TRANS_B,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_TERMS,
    GBL_PRODUCT_ALPHA,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, PRODUCT_AT(alpha), gbl_product_a_rows,
                       gbl_product_a_columns, NULL, "rows of A"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ, PRODUCT_AT(alpha), gbl_product_b_rows,
                       gbl_product_b_columns, NULL, "rows of B"),
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    {.kind = GBL_MARK, .at = PRODUCT_AT(triangle_c)},
    {.kind = GBL_MARK, .at = PRODUCT_AT(triangular)},
    {.kind = GBL_SWITCH, .at = PRODUCT_AT(math), .key = GBL_KEY_MATH}, /* plain is 0 */
    {.kind = GBL_MARK, .at = PRODUCT_AT(two_products)},
};

/* `tail_split` and `vector` fit few calls, and stand behind what those would run with otherwise. */
enum { TF32_AT = 5 };
static const gbl_variant variants[] = {
    GBL_GEMM_NAIVE_VARIANT,      GBL_GEMM_TILE_VARIANT(NULL),  GBL_GEMM_ALIGNED_COPY_VARIANT,
    GBL_GEMM_PIPELINE_VARIANT,   GBL_GEMM_SINGLE_ITEM_VARIANT, [TF32_AT] = GBL_GEMM_TF32_VARIANT,
    GBL_GEMM_TAIL_SPLIT_VARIANT, GBL_GEMM_VECTOR_VARIANT,      GBL_PRODUCT_VARIANTS(&routine)};

gbl_op gbl_gemm_op = {
    .stem = "gemm",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .idle = gbl_product_idle,
    .work = gbl_gemm_work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

/* What the context's mode permits is said here, for all routines that are made of products. */
gable_status gbl_gemm(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    if (ctx == NULL || ctx->device == NULL || ctx->math == GABLE_MATH_PLAIN ||
        call->math != GABLE_MATH_PLAIN)
        return gbl_call_run(ctx, name, &gbl_gemm_op, call);
    const gbl_product_call permitted =
        gbl_gemm_permitted(ctx, &gbl_gemm_op.variants[TF32_AT], call);
    return gbl_call_run(ctx, name, &gbl_gemm_op, &permitted);
}
