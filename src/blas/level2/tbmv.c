/* tbmv.c: x := op(A) x, A a triangular band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As gbmv with diagonals on one side only. Every element of the result needs several of the old
 * ones: x is copied first, or, where a tile has all that a group needs of the band, only what
 * groups need of each other's elements.
 */
#include "blas/level2/band_plan.h"
#include "blas/level2/band_variants.h"
#include "blas/level2/triangular.h"
#include "cpu/cpu_kernels.h"

static void form(const gbl_matrix_call *call, gbl_band *band)
{
    const bool upper = call->uplo == GABLE_UPPER;
    *band = (gbl_band){
        .sides = call->trans == GABLE_NO_TRANS ? GBL_BAND_ROWS : GBL_BAND_COLUMNS,
        .diagonal = call->diag == GABLE_UNIT ? GBL_BAND_ONES : GBL_BAND_STORED,
        .conj = call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype),
        .in_place = true,
        .m = call->n,
        .n = call->n,
        .kl = upper ? 0 : call->kl,
        .ku = upper ? call->ku : 0,
        .inputs = call->n,
        .outputs = call->n,
    };
    gbl_band_cut(band);
}

static void work(const void *given, gbl_work *least)
{
    gbl_band band;
    form(given, &band);
    gbl_band_work(given, &band, least);
}

static const gbl_band_routine routine = {
    .matrix = {.stem = "tbmv",
               .work = work,
               .omp = {gbl_cpu_stbmv_omp, gbl_cpu_dtbmv_omp, gbl_cpu_ctbmv_omp, gbl_cpu_ztbmv_omp},
               .blas = {gbl_cpu_stbmv_blas, gbl_cpu_dtbmv_blas, gbl_cpu_ctbmv_blas,
                        gbl_cpu_ztbmv_blas},
               .one_scalar = true},
    .form = form};

static const gbl_variant variants[] = {
    GBL_BAND_VARIANTS(&routine), GBL_BAND_WIDE_VARIANTS(&routine), GBL_MATRIX_VARIANTS(&routine)};

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

const gbl_op gbl_tbmv_op = {
    .stem = "tbmv",
    .layout = &gbl_matrix_layout,
    GBL_OPERANDS(operands),
    .plain = plain,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_tbmv(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    return gbl_call_run(ctx, name, &gbl_tbmv_op, call);
}
