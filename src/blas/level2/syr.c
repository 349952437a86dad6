/* syr.c: A := A + alpha x x^T, and alpha x x^H, in one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernel and plan: update_variants.c; her is the call with `conj` and a real alpha.
 */
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    gbl_rank_work(call, true, 1, least);
}

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    return gbl_host_triangle(call, 1);
}

static const gbl_rank_update update = {
    .routine = {.stem = "syr",
                .work = work,
                .walk = walk,
                .omp = {gbl_cpu_ssyr_omp, gbl_cpu_dsyr_omp, gbl_cpu_csyr_omp, gbl_cpu_zsyr_omp},
                .blas = {gbl_cpu_ssyr_blas, gbl_cpu_dsyr_blas, gbl_cpu_csyr_blas,
                         gbl_cpu_zsyr_blas},
                .one_scalar = true},
    .file = "syr.cl",
    .triangle = true,
    .terms = 1,
    .complex_blas_is_hermitian = true,
};

static const gbl_variant variants[] = {GBL_RANK_TRIANGLE_VARIANTS(&update, "syr.cl")};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_ORDER,
    {.name = "alpha",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = MATRIX_AT(alpha),
     .element = gbl_matrix_scalar_element},
    GBL_OPERAND_LINE_X(GBL_READ, 0, gbl_matrix_n),
    GBL_OPERAND_A(GBL_READ_WRITE, 0, gbl_matrix_n, gbl_matrix_n, gbl_matrix_triangle, "n"),
    GBL_OPERAND_CONJ,
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, call->m, false) && gbl_uplo_legal(call->uplo);
}

const gbl_op gbl_syr_op = {
    .stem = "syr",
    .layout = &gbl_matrix_layout,
    GBL_OPERANDS(operands),
    .plain = plain,
    .idle = gbl_rank_nothing,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_syr(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    return gbl_call_run(ctx, name, &gbl_syr_op, call);
}
