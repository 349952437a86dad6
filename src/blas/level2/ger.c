/* ger.c: A := A + alpha x y^T, and alpha x y^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernel and plan: update_variants.c; gerc is the call with `conj`.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    return gbl_host_columns(call, 1);
}

static const gbl_rank_update update = {
    .routine = {.stem = "ger",
                .work = gbl_rank_work_whole,
                .walk = walk,
                .omp = GBL_CPU_FOUR(ger_omp),
                .blas = GBL_CPU_FOUR(ger_blas),
                .one_scalar = true},
    .file = "ger.cl",
    .triangle = false,
    .terms = 1,
    .complex_blas_is_hermitian = false,
};

static const gbl_variant variants[] = {GBL_RANK_VARIANTS(&update, "ger.cl")};

static const gbl_operand operands[] = {
    GBL_OPERAND_ROWS,
    GBL_OPERAND_COLUMNS,
    GBL_OPERAND_FACTOR("alpha", alpha),
    GBL_OPERAND_LINE_X(GBL_READ, 0, gbl_matrix_m),
    GBL_OPERAND_LINE_Y(GBL_READ, 0, gbl_matrix_n),
    GBL_OPERAND_A(GBL_READ_WRITE, 0, gbl_matrix_m, gbl_matrix_n, NULL, "m"),
    GBL_OPERAND_CONJ,
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, call->m, true);
}

const gbl_op gbl_ger_op = {GBL_MATRIX_OP("ger", operands, variants), .plain = plain,
                           .idle = gbl_rank_nothing, .work = gbl_rank_work_whole};
