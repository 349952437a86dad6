/* syr2.c: A := A + alpha x y^T + alpha y x^T in one triangle, and its Hermitian form
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernel and plan: update_variants.c; her2 is the call with `conj`: alpha x y^H + conj(alpha) y
 * x^H.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static const gbl_rank_update update = {
    .routine = {.stem = "syr2",
                .work = gbl_rank_work_two,
                .walk = gbl_rank_walk,
                .omp = GBL_CPU_FOUR(syr2_omp),
                .blas = GBL_CPU_FOUR(syr2_blas),
                .one_scalar = true},
    .file = "syr2.cl",
    .triangle = true,
    .terms = 2,
    .complex_blas_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr2.cl")};

static const gbl_operand operands[] = {
    GBL_RANK_TWO_OPERANDS,
    GBL_OPERAND_A(GBL_READ_WRITE, 0, gbl_matrix_n, gbl_matrix_n, gbl_matrix_triangle, "n"),
    GBL_OPERAND_CONJ,
};

const gbl_op gbl_syr2_op = {GBL_MATRIX_OP("syr2", operands, variants), .plain = gbl_rank_plain_xy,
                            .idle = gbl_rank_nothing, .work = gbl_rank_work_two};
