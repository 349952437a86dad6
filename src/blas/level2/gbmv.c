/* gbmv.c: y := alpha op(A) x + beta y, A a band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The band is read once: a narrow one by tiles that a group keeps in local memory, a wide one as
 * gemv reads a matrix (band_plan.c).
 */
#include "blas/level2/band_plan.h"
#include "blas/level2/band_variants.h"
#include "cpu/cpu_kernels.h"

static void form(const gbl_matrix_call *call, gbl_band *band)
{
    const bool transposed = call->trans != GABLE_NO_TRANS;
    *band = (gbl_band){
        .sides = transposed ? GBL_BAND_COLUMNS : GBL_BAND_ROWS,
        .conj = call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype),
        .m = call->m,
        .n = call->n,
        .kl = call->kl,
        .ku = call->ku,
        .inputs = transposed ? call->m : call->n,
        .outputs = transposed ? call->n : call->m,
    };
    gbl_band_cut(band);
}

static void work(const void *given, gbl_work *least)
{
    gbl_band_call_work(form, given, least);
}

static const gbl_band_routine routine = {.matrix = {.stem = "gbmv",
                                                    .work = work,
                                                    .omp = GBL_CPU_FOUR(gbmv_omp),
                                                    .blas = GBL_CPU_FOUR(gbmv_blas)},
                                         .form = form};

static const gbl_variant variants[] = {
    GBL_BAND_VARIANTS(&routine), GBL_BAND_WIDE_VARIANTS(&routine), GBL_MATRIX_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_TRANS,
    GBL_OPERAND_ROWS,
    GBL_OPERAND_COLUMNS,
    GBL_OPERAND_KL,
    GBL_OPERAND_KU,
    GBL_OPERAND_FACTOR("alpha", alpha),
    GBL_OPERAND_A(GBL_READ, MATRIX_AT(alpha), gbl_matrix_band, gbl_matrix_n, NULL, "kl + ku + 1"),
    GBL_OPERAND_LINE_X(GBL_READ, MATRIX_AT(alpha), gbl_matrix_inner),
    GBL_OPERAND_FACTOR("beta", beta),
    GBL_OPERAND_LINE_Y(GBL_READ_WRITE, 0, gbl_matrix_outer),
    GBL_OPERAND_STORED(GBL_BAND),
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_band_plain(ctx, call, true, true) && gbl_trans_legal(call->trans);
}

const gbl_op gbl_gbmv_op = {GBL_MATRIX_OP("gbmv", operands, variants), .plain = plain,
                            .work = work};
