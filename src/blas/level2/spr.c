/* spr.c: A := A + alpha x x^T, and alpha x x^H, A packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As syr: a packed triangle is one whose columns start at other places; hpr is the call with `conj`
 * and a real alpha.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static const gbl_rank_update update = {
    .routine = {.stem = "spr",
                .work = gbl_rank_work_one,
                .omp = GBL_CPU_FOUR(spr_omp),
                .blas = GBL_CPU_FOUR(spr_blas),
                .one_scalar = true},
    .file = "syr.cl",
    .triangle = true,
    .terms = 1,
    .complex_blas_is_hermitian = true,
    .vendor_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr.cl")};

static const gbl_operand operands[] = {
    GBL_RANK_ONE_OPERANDS,
    GBL_OPERAND_AP(GBL_READ_WRITE, 0),
    GBL_OPERAND_CONJ,
    GBL_OPERAND_STORED(GBL_PACKED),
};

const gbl_op gbl_spr_op = {GBL_MATRIX_OP("spr", operands, variants), .plain = gbl_rank_plain_x,
                           .idle = gbl_rank_nothing, .work = gbl_rank_work_one};
