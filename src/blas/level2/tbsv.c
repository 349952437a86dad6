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
    .omp = GBL_CPU_FOUR(tbsv_omp),
    .blas = GBL_CPU_FOUR(tbsv_blas),
    .one_scalar = true,
};

static const gbl_variant variants[] = {GBL_TRSV_SINGLE_ITEM_VARIANT(&routine),
                                       GBL_TRSV_VARIANTS(&routine), GBL_MATRIX_VARIANTS(&routine)};

static const gbl_operand operands[] = {GBL_TRIANGULAR_BAND};

const gbl_op gbl_tbsv_op = {GBL_MATRIX_OP("tbsv", operands, variants),
                            .plain = gbl_triangular_plain, .work = gbl_triangular_work};
