/* ger.c: A := A + alpha x y^T, and alpha x y^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernel and plan: update_variants.c; gerc is the call with `conj`.
 */
#include "blas/level1.h"
#include "blas/update_variants.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    gbl_rank_work(call, false, 1, least);
}

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    return gbl_host_columns(call, 1);
}

static const gbl_rank_update update = {
    .routine = {.stem = "ger",
                .work = work,
                .walk = walk,
                .omp = {gbl_cpu_sger_omp, gbl_cpu_dger_omp, gbl_cpu_cger_omp, gbl_cpu_zger_omp},
                .blas = {gbl_cpu_sger_blas, gbl_cpu_dger_blas, gbl_cpu_cger_blas,
                         gbl_cpu_zger_blas},
                .one_scalar = true},
    .file = "ger.cl",
    .triangle = false,
    .terms = 1,
    .complex_blas_is_hermitian = false,
};

static const gbl_variant variants[] = {GBL_RANK_VARIANTS(&update, "ger.cl")};

const gbl_op gbl_ger_op = {
    .stem = "ger",
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
        gbl_operand_scalar("alpha", 4, &call->alpha, elem),
        gbl_operand_vector("x", 5, GBL_READ, call->x, call->m, call->incx, elem),
        gbl_operand_vector("y", 7, GBL_READ, call->y, call->n, call->incy, elem),
        gbl_operand_matrix("A", 9, GBL_READ_WRITE, call->A, call->m, call->n, call->lda, elem)};
    return gbl_operands_check(ctx, operands, 4);
}

static gable_status check(gable_context *ctx, const gbl_matrix_call *call)
{
    const bool touches = call->m > 0 && call->n > 0;
    if (gbl_matrix_plain(ctx, call, true))
        return GABLE_OK;
    TRY(gbl_size_check(ctx, 2, "m", call->m));
    TRY(gbl_size_check(ctx, 3, "n", call->n));
    if (touches) {
        TRY(gbl_reach_sizes(ctx, call, 2, 3));
        TRY(gbl_scalar_check(ctx, 4, "alpha", call->alpha.device));
        TRY(gbl_check_address(ctx, 5, "x", call->x));
        TRY(gbl_reach_inc(ctx, call, 6, "incx", "x", call->m, call->incx));
        TRY(gbl_check_address(ctx, 7, "y", call->y));
        TRY(gbl_reach_inc(ctx, call, 8, "incy", "y", call->n, call->incy));
        TRY(gbl_check_address(ctx, 9, "A", call->A));
    }
    TRY(gbl_ld_check(ctx, 10, "lda", call->lda, "m", call->m));
    if (touches)
        TRY(gbl_reach_ld(ctx, call, 10, "lda", "A", call->m, call->n, call->lda));
    return ctx->guarded && touches && !gbl_rank_nothing(call) ? guard(ctx, call) : GABLE_OK;
}

gable_status gbl_ger(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0)
        TRY(check(ctx, call));
    if (call->m == 0 || call->n == 0 || gbl_rank_nothing(call))
        return GABLE_OK;
    return gbl_op_run(ctx, &gbl_ger_op, call);
}
