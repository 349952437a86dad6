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
    *band = gbl_band_triangle(call);
    band->sides = call->trans == GABLE_NO_TRANS ? GBL_BAND_ROWS : GBL_BAND_COLUMNS;
    band->diagonal = call->diag == GABLE_UNIT ? GBL_BAND_ONES : GBL_BAND_STORED;
    band->conj = call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype);
    band->in_place = true;
    gbl_band_cut(band);
}

static void work(const void *given, gbl_work *least)
{
    gbl_band_call_work(form, given, least);
}

static const gbl_band_routine routine = {.matrix = {.stem = "tbmv",
                                                    .work = work,
                                                    .omp = GBL_CPU_FOUR(tbmv_omp),
                                                    .blas = GBL_CPU_FOUR(tbmv_blas),
                                                    .one_scalar = true},
                                         .form = form};

static const gbl_variant variants[] = {
    GBL_BAND_VARIANTS(&routine), GBL_BAND_WIDE_VARIANTS(&routine), GBL_MATRIX_VARIANTS(&routine)};

static const gbl_operand operands[] = {GBL_TRIANGULAR_BAND};

const gbl_op gbl_tbmv_op = {GBL_MATRIX_OP("tbmv", operands, variants),
                            .plain = gbl_triangular_plain, .work = work};
