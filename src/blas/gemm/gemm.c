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
    .omp = GBL_CPU_FOUR(gemm_omp),
    .blas = GBL_CPU_FOUR(gemm_blas),
};

static const gbl_operand operands[] = {
    GBL_GEMM_FIRST_OPERANDS,
    GBL_PRODUCT_A,
    GBL_PRODUCT_B,
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_C,
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
    GBL_PRODUCT_OP("gemm", operands, variants),
    .idle = gbl_product_idle,
    .work = gbl_gemm_work,
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
