/* tpsv.c: x := op(A)^-1 x, A triangular, packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As trsv: a packed triangle is one whose columns start at other places.
 */
#include "blas/level2/triangular.h"
#include "blas/level2/triangle_variants.h"
#include "cpu/cpu_kernels.h"

static const gbl_matrix_routine routine = {
    .stem = "tpsv",
    .work = gbl_triangular_work,
    .omp = {gbl_cpu_stpsv_omp, gbl_cpu_dtpsv_omp, gbl_cpu_ctpsv_omp, gbl_cpu_ztpsv_omp},
    .blas = {gbl_cpu_stpsv_blas, gbl_cpu_dtpsv_blas, gbl_cpu_ctpsv_blas, gbl_cpu_ztpsv_blas},
    .one_scalar = true,
};

static const gbl_variant variants[] = {GBL_TRSV_SINGLE_ITEM_VARIANT(&routine),
                                       GBL_TRSV_VARIANTS(&routine), GBL_MATRIX_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_TRANS,
    GBL_OPERAND_DIAG,
    GBL_OPERAND_ORDER,
    GBL_OPERAND_AP(GBL_READ, 0),
    GBL_OPERAND_LINE_X(GBL_READ_WRITE, 0, gbl_matrix_n),
    GBL_OPERAND_STORED(GBL_PACKED),
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, 0, false) && gbl_triangular_flags(call);
}

const gbl_op gbl_tpsv_op = {
    .stem = "tpsv",
    .layout = &gbl_matrix_layout,
    GBL_OPERANDS(operands),
    .plain = plain,
    .work = gbl_triangular_work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_tpsv(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    return gbl_call_run(ctx, name, &gbl_tpsv_op, call);
}
