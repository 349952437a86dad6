/* gbmv.c: y := alpha op(A) x + beta y, A a band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The band is read once: a narrow one by tiles that a group keeps in local memory, a wide one as gemv reads a
 * matrix (band_plan.c).
 */
#include "blas/band_plan.h"

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
    gbl_band band;
    form(given, &band);
    gbl_band_work(given, &band, least);
}

static const gbl_band_routine routine = {.matrix = {.stem = "gbmv", .work = work}, .form = form};

static const gbl_variant variants[] = {GBL_BAND_VARIANTS(&routine),
                                       GBL_BAND_WIDE_VARIANTS(&routine)};

const gbl_op gbl_gbmv_op = {
    .stem = "gbmv",
    .work = work,
    .key = gbl_matrix_key,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .legal = gbl_band_legal,
};
