/* syr.c: A := A + alpha x x^T, and alpha x x^H, in one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernel and plan: update_variants.c; her is the call with `conj` and a real alpha.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static const gbl_rank_update update = {
    .routine = {.stem = "syr",
                .work = gbl_rank_work_one,
                .walk = gbl_rank_walk,
                .omp = GBL_CPU_FOUR(syr_omp),
                .blas = GBL_CPU_FOUR(syr_blas),
                .one_scalar = true},
    .file = "syr.cl",
    .triangle = true,
    .terms = 1,
    .complex_blas_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr.cl")};

static const gbl_operand operands[] = {
    GBL_RANK_ONE_OPERANDS,
    GBL_OPERAND_A(GBL_READ_WRITE, 0, gbl_matrix_n, gbl_matrix_n, gbl_matrix_triangle, "n"),
    GBL_OPERAND_CONJ,
};

const gbl_op gbl_syr_op = {GBL_MATRIX_OP("syr", operands, variants), .plain = gbl_rank_plain_x,
                           .idle = gbl_rank_nothing, .work = gbl_rank_work_one};
