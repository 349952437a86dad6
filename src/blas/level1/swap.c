/* swap.c: x and y change places
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both vectors are read and written once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 2, 2, 0, 0);
}

static const gbl_vector_routine routine = {
    .stem = "swap",
    .work = work,
    .omp = {gbl_cpu_sswap_omp, gbl_cpu_dswap_omp, gbl_cpu_cswap_omp, gbl_cpu_zswap_omp},
    .blas = {gbl_cpu_sswap_blas, gbl_cpu_dswap_blas, gbl_cpu_cswap_blas, gbl_cpu_zswap_blas},
    .kernel = "swap.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "swap.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ_WRITE),
    GBL_OPERAND_Y(GBL_READ_WRITE),
};

const gbl_op gbl_swap_op = {
    .stem = "swap",
    .layout = &gbl_vector_layout,
    GBL_OPERANDS(operands),
    .plain = gbl_plain_xy,
    .alignment = gbl_stream_alignment,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_swap(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    return gbl_call_run(ctx, name, &gbl_swap_op, call);
}
