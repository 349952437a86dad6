/* spmv.c: y := alpha A x + beta y, A symmetric or Hermitian, packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As symv: a packed triangle is one whose columns start at other places.
 */
#include "blas/level2/level2.h"
#include "blas/level2/triangle_variants.h"
#include "cpu/cpu_kernels.h"

static const gbl_matrix_routine routine = {
    .stem = "spmv",
    .work = gbl_symmetric_work,
    .omp = GBL_CPU_FOUR(spmv_omp),
    .blas = GBL_CPU_FOUR(spmv_blas),
};

static const gbl_variant variants[] = {GBL_SYMV_VARIANT(&routine),
                                       GBL_SYMMETRIC_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_ORDER,
    GBL_OPERAND_FACTOR("alpha", alpha),
    GBL_OPERAND_AP(GBL_READ, MATRIX_AT(alpha)),
    GBL_OPERAND_LINE_X(GBL_READ, MATRIX_AT(alpha), gbl_matrix_n),
    GBL_OPERAND_FACTOR("beta", beta),
    GBL_OPERAND_LINE_Y(GBL_READ_WRITE, 0, gbl_matrix_n),
    GBL_OPERAND_CONJ,
    GBL_OPERAND_STORED(GBL_PACKED),
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, 0, true) && gbl_uplo_legal(call->uplo);
}

const gbl_op gbl_spmv_op = {GBL_MATRIX_OP("spmv", operands, variants), .plain = plain,
                            .work = gbl_symmetric_work};
