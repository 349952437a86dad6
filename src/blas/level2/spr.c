/* spr.c: A := A + alpha x x^T, and alpha x x^H, A packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As syr: a packed triangle is one whose columns start at other places; hpr is the call with `conj`
 * and a real alpha.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    gbl_rank_work(call, true, 1, least);
}

static const gbl_rank_update update = {
    .routine = {.stem = "spr",
                .work = work,
                .omp = {gbl_cpu_sspr_omp, gbl_cpu_dspr_omp, gbl_cpu_cspr_omp, gbl_cpu_zspr_omp},
                .blas = {gbl_cpu_sspr_blas, gbl_cpu_dspr_blas, gbl_cpu_cspr_blas,
                         gbl_cpu_zspr_blas},
                .one_scalar = true},
    .file = "syr.cl",
    .triangle = true,
    .terms = 1,
    .complex_blas_is_hermitian = true,
    .vendor_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr.cl")};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_ORDER,
    {.name = "alpha",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = MATRIX_AT(alpha),
     .element = gbl_matrix_scalar_element},
    GBL_OPERAND_LINE_X(GBL_READ, 0, gbl_matrix_n),
    GBL_OPERAND_AP(GBL_READ_WRITE, 0),
    GBL_OPERAND_CONJ,
    GBL_OPERAND_STORED(GBL_PACKED),
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, 0, false) && gbl_uplo_legal(call->uplo);
}

const gbl_op gbl_spr_op = {
    .stem = "spr",
    .layout = &gbl_matrix_layout,
    GBL_OPERANDS(operands),
    .plain = plain,
    .idle = gbl_rank_nothing,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_spr(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    return gbl_call_run(ctx, name, &gbl_spr_op, call);
}
