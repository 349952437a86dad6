/* spr2.c: A := A + alpha x y^T + alpha y x^T, and its Hermitian form, A packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As syr2: a packed triangle is one whose columns start at other places; hpr2 is the call with
 * `conj`.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static const gbl_rank_update update = {
    .routine = {.stem = "spr2",
                .work = gbl_rank_work_two,
                .omp = GBL_CPU_FOUR(spr2_omp),
                .blas = GBL_CPU_FOUR(spr2_blas),
                .one_scalar = true},
    .file = "syr2.cl",
    .triangle = true,
    .terms = 2,
    .complex_blas_is_hermitian = true,
    .vendor_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr2.cl")};

static const gbl_operand operands[] = {
    GBL_RANK_TWO_OPERANDS,
    GBL_OPERAND_AP(GBL_READ_WRITE, 0),
    GBL_OPERAND_CONJ,
    GBL_OPERAND_STORED(GBL_PACKED),
};

const gbl_op gbl_spr2_op = {GBL_MATRIX_OP("spr2", operands, variants), .plain = gbl_rank_plain_xy,
                            .idle = gbl_rank_nothing, .work = gbl_rank_work_two};
