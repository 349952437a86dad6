/* copy.c: y := x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two vectors pass through memory once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library.
 */
#include "blas/level1.h"
#include "blas/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 1, 1, 0, 0);
}

static const gbl_vector_routine routine = {
    .stem = "copy",
    .numbers = {.x = 3, .y = 5, .writes_y = true},
    .work = work,
    .omp = {gbl_cpu_scopy_omp, gbl_cpu_dcopy_omp, gbl_cpu_ccopy_omp, gbl_cpu_zcopy_omp},
    .blas = {gbl_cpu_scopy_blas, gbl_cpu_dcopy_blas, gbl_cpu_ccopy_blas, gbl_cpu_zcopy_blas},
    .kernel = "copy.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "copy.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

const gbl_op gbl_copy_op = {
    .stem = "copy",
    .family = &gbl_vector_family,
    .work = work,
    .key = gbl_vector_key,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .legal = gbl_stream_legal,
};

gable_status gbl_copy(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    return gbl_vector_run(ctx, name, &gbl_copy_op, &routine.numbers, call);
}
