/* tbsv.c: x := op(A)^-1 x, A a triangular band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As trsv, over the tiles that meet the band.
 */
#include "blas/level2/triangular.h"
#include "blas/level2/triangle_variants.h"
#include "cpu/cpu_kernels.h"

static const gbl_matrix_routine routine = {
    .stem = "tbsv",
    .work = gbl_triangular_work,
    .omp = {gbl_cpu_stbsv_omp, gbl_cpu_dtbsv_omp, gbl_cpu_ctbsv_omp, gbl_cpu_ztbsv_omp},
    .blas = {gbl_cpu_stbsv_blas, gbl_cpu_dtbsv_blas, gbl_cpu_ctbsv_blas, gbl_cpu_ztbsv_blas},
    .one_scalar = true,
};

static const gbl_variant variants[] = {GBL_TRSV_SINGLE_ITEM_VARIANT(&routine),
                                       GBL_TRSV_VARIANTS(&routine), GBL_MATRIX_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_TRANS,
    GBL_OPERAND_DIAG,
    GBL_OPERAND_ORDER,
    GBL_OPERAND_K,
    GBL_OPERAND_A(GBL_READ, 0, gbl_matrix_half, gbl_matrix_n, NULL, "k + 1"),
    GBL_OPERAND_LINE_X(GBL_READ_WRITE, 0, gbl_matrix_n),
    GBL_OPERAND_STORED(GBL_BAND),
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_band_plain(ctx, call, false, false) && gbl_triangular_flags(call);
}

const gbl_op gbl_tbsv_op = {
    .stem = "tbsv",
    .layout = &gbl_matrix_layout,
    GBL_OPERANDS(operands),
    .plain = plain,
    .work = gbl_triangular_work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_tbsv(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    return gbl_call_run(ctx, name, &gbl_tbsv_op, call);
}
