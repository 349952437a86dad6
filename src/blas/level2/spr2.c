/* spr2.c: A := A + alpha x y^T + alpha y x^T, and its Hermitian form, A packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As syr2: a packed triangle is one whose columns start at other places; hpr2 is the call with
 * `conj`.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    gbl_rank_work(call, true, 2, least);
}

static const gbl_rank_update update = {
    .routine = {.stem = "spr2",
                .work = work,
                .omp = {gbl_cpu_sspr2_omp, gbl_cpu_dspr2_omp, gbl_cpu_cspr2_omp, gbl_cpu_zspr2_omp},
                .blas = {gbl_cpu_sspr2_blas, gbl_cpu_dspr2_blas, gbl_cpu_cspr2_blas,
                         gbl_cpu_zspr2_blas},
                .one_scalar = true},
    .file = "syr2.cl",
    .triangle = true,
    .terms = 2,
    .complex_blas_is_hermitian = true,
    .vendor_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr2.cl")};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_ORDER,
    GBL_OPERAND_FACTOR("alpha", alpha),
    GBL_OPERAND_LINE_X(GBL_READ, 0, gbl_matrix_n),
    GBL_OPERAND_LINE_Y(GBL_READ, 0, gbl_matrix_n),
    GBL_OPERAND_AP(GBL_READ_WRITE, 0),
    GBL_OPERAND_CONJ,
    GBL_OPERAND_STORED(GBL_PACKED),
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, 0, true) && gbl_uplo_legal(call->uplo);
}

const gbl_op gbl_spr2_op = {
    .stem = "spr2",
    .layout = &gbl_matrix_layout,
    GBL_OPERANDS(operands),
    .plain = plain,
    .idle = gbl_rank_nothing,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_spr2(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    return gbl_call_run(ctx, name, &gbl_spr2_op, call);
}
