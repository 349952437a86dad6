/* sbmv.c: y := alpha A x + beta y, A a symmetric or Hermitian band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every element beside the diagonal serves two rows of y. Groups of narrow bands have both in one tile.
 */
#include "blas/band_plan.h"

static void form(const gbl_matrix_call *call, gbl_band *band)
{
    const bool upper = call->uplo == GABLE_UPPER;
    *band = (gbl_band){
        .sides = GBL_BAND_BOTH,
        .diagonal = call->conj ? GBL_BAND_REAL : GBL_BAND_STORED,
        .conj = call->conj,
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

static const gbl_band_routine routine = {.matrix = {.stem = "sbmv", .work = work}, .form = form};

static const gbl_variant variants[] = {GBL_BAND_VARIANTS(&routine)};

const gbl_op gbl_sbmv_op = {
    .stem = "sbmv",
    .work = work,
    .key = gbl_matrix_key,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .legal = gbl_band_legal,
};
