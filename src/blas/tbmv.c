/* tbmv.c: x := op(A) x, A a triangular band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As gbmv with diagonals on one side only. Every element of the result needs several of the old ones: x is copied
 * first, or, where a tile has all that a group needs of the band, only what groups need of each other's elements.
 */
#include "blas/band_plan.h"

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

static const gbl_band_routine routine = {.matrix = {.stem = "tbmv", .work = work}, .form = form};

static const gbl_variant variants[] = {GBL_BAND_VARIANTS(&routine),
                                       GBL_BAND_WIDE_VARIANTS(&routine)};

const gbl_op gbl_tbmv_op = {
    .stem = "tbmv",
    .work = work,
    .key = gbl_matrix_key,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .legal = gbl_band_legal,
};
