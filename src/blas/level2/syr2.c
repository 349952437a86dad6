/* syr2.c: A := A + alpha x y^T + alpha y x^T in one triangle, and its Hermitian form
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernel and plan: update_variants.c; her2 is the call with `conj`: alpha x y^H + conj(alpha) y
 * x^H.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    gbl_rank_work(call, true, 2, least);
}

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    return gbl_host_triangle(call, 1);
}

static const gbl_rank_update update = {
    .routine = {.stem = "syr2",
                .work = work,
                .walk = walk,
                .omp = {gbl_cpu_ssyr2_omp, gbl_cpu_dsyr2_omp, gbl_cpu_csyr2_omp, gbl_cpu_zsyr2_omp},
                .blas = {gbl_cpu_ssyr2_blas, gbl_cpu_dsyr2_blas, gbl_cpu_csyr2_blas,
                         gbl_cpu_zsyr2_blas},
                .one_scalar = true},
    .file = "syr2.cl",
    .triangle = true,
    .terms = 2,
    .complex_blas_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr2.cl")};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_ORDER,
    GBL_OPERAND_FACTOR("alpha", alpha),
    GBL_OPERAND_LINE_X(GBL_READ, 0, gbl_matrix_n),
    GBL_OPERAND_LINE_Y(GBL_READ, 0, gbl_matrix_n),
    GBL_OPERAND_A(GBL_READ_WRITE, 0, gbl_matrix_n, gbl_matrix_n, gbl_matrix_triangle, "n"),
    GBL_OPERAND_CONJ,
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, call->m, true) && gbl_uplo_legal(call->uplo);
}

const gbl_op gbl_syr2_op = {
    .stem = "syr2",
    .layout = &gbl_matrix_layout,
    GBL_OPERANDS(operands),
    .plain = plain,
    .idle = gbl_rank_nothing,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_syr2(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    return gbl_call_run(ctx, name, &gbl_syr2_op, call);
}
