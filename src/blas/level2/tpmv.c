/* tpmv.c: x := op(A) x, A triangular, packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As with a full triangle: a packed triangle is one whose columns start at other places.
 */
#include "blas/level2/triangular.h"
#include "blas/level2/triangle_variants.h"
#include "cpu/cpu_kernels.h"

static const gbl_matrix_routine routine = {
    .stem = "tpmv",
    .work = gbl_triangular_work,
    .omp = GBL_CPU_FOUR(tpmv_omp),
    .blas = GBL_CPU_FOUR(tpmv_blas),
    .one_scalar = true,
};

static const gbl_variant variants[] = {GBL_TRMV_VARIANTS(&routine), GBL_MATRIX_VARIANTS(&routine)};

static const gbl_operand operands[] = {GBL_TRIANGULAR_PACKED};

const gbl_op gbl_tpmv_op = {GBL_MATRIX_OP("tpmv", operands, variants),
                            .plain = gbl_triangular_plain, .work = gbl_triangular_work};
