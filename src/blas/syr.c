/* syr.c: A := A + alpha x x^T, and alpha x x^H, in one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernel and plan: update_variants.c; her is the call with `conj` and a real alpha.
 */
#include "blas/level1.h"
#include "blas/update_variants.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    gbl_rank_work(call, true, 1, least);
}

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    return gbl_host_triangle(call, 1);
}

static const gbl_rank_update update = {
    .routine = {.stem = "syr",
                .work = work,
                .walk = walk,
                .omp = {gbl_cpu_ssyr_omp, gbl_cpu_dsyr_omp, gbl_cpu_csyr_omp, gbl_cpu_zsyr_omp},
                .blas = {gbl_cpu_ssyr_blas, gbl_cpu_dsyr_blas, gbl_cpu_csyr_blas,
                         gbl_cpu_zsyr_blas},
                .one_scalar = true},
    .file = "syr.cl",
    .triangle = true,
    .terms = 1,
    .complex_blas_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr.cl")};

const gbl_op gbl_syr_op = {
    .stem = "syr",
    .family = &gbl_matrix_family,
    .work = work,
    .key = gbl_matrix_key,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .legal = gbl_rank_legal,
};

static gable_status guard(gable_context *ctx, const gbl_matrix_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const gbl_operand operands[] = {
        gbl_operand_scalar("alpha", 4, &call->alpha,
                           call->real_scalars ? gbl_dtype_real_bytes(call->dtype) : elem),
        gbl_operand_vector("x", 5, GBL_READ, call->x, call->n, call->incx, elem),
        gbl_operand_triangle("A", 7, GBL_READ_WRITE, call->A, call->n, call->lda, elem,
                             gbl_triangle_shape(call->uplo, false))};
    return gbl_operands_check(ctx, operands, 3);
}

static gable_status check(gable_context *ctx, const gbl_matrix_call *call)
{
    if (gbl_matrix_plain(ctx, call, false) && gbl_uplo_legal(call->uplo))
        return GABLE_OK;
    TRY(gbl_uplo_check(ctx, 2, call->uplo));
    TRY(gbl_size_check(ctx, 3, "n", call->n));
    if (call->n > 0) {
        TRY(gbl_reach_sizes(ctx, call, 3, 3));
        TRY(gbl_scalar_check(ctx, 4, "alpha", call->alpha.device));
        TRY(gbl_check_address(ctx, 5, "x", call->x));
        TRY(gbl_reach_inc(ctx, call, 6, "incx", "x", call->n, call->incx));
        TRY(gbl_check_address(ctx, 7, "A", call->A));
    }
    TRY(gbl_ld_check(ctx, 8, "lda", call->lda, "n", call->n));
    if (call->n > 0)
        TRY(gbl_reach_ld(ctx, call, 8, "lda", "A", call->n, call->n, call->lda));
    return ctx->guarded && call->n > 0 && !gbl_rank_nothing(call) ? guard(ctx, call) : GABLE_OK;
}

gable_status gbl_syr(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0)
        TRY(check(ctx, call));
    if (call->n == 0 || gbl_rank_nothing(call))
        return GABLE_OK;
    return gbl_op_run(ctx, &gbl_syr_op, call);
}
