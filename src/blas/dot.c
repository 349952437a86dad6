/* dot.c: result := sum of x_i y_i, or of conj(x_i) y_i
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both vectors are read once. Variants: one launch whose last group adds the partial sums, two
 * launches where groups cannot hand over, on cpu the installed BLAS or OpenMP, and the vendor's
 * library.
 */
#include "blas/level1.h"
#include "blas/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

gable_status gbl_dot(gable_context *ctx, const char *routine, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, routine));
    if (ctx->depth == 0)
        TRY(gbl_vector_check(ctx, call, 3, 5));
    return gbl_vector_result(ctx, &gbl_dot_op, call, 7, gbl_dtype_bytes(call->dtype));
}

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double bytes = (double)call->n * (double)gbl_dtype_bytes(call->dtype);
    const double flops = gbl_dtype_complex(call->dtype) ? 8 : 2;
    *least = (gbl_work){.bytes_read = 2 * bytes,
                        .bytes_written = (double)gbl_dtype_bytes(call->dtype),
                        .flops = flops * (double)call->n};
}

static const gbl_vector_routine routine = {
    .stem = "dot",
    .work = work,
    .omp = {gbl_cpu_sdot_omp, gbl_cpu_ddot_omp, gbl_cpu_cdot_omp, gbl_cpu_zdot_omp},
    .blas = {gbl_cpu_sdot_blas, gbl_cpu_ddot_blas, gbl_cpu_cdot_blas, gbl_cpu_zdot_blas},
    .first = "dot.cl",
    .finish = "dot_finish.cl",
    .partial_bytes = {4, 8, 8, 16},
};

static const gbl_variant variants[] = {GBL_REDUCE_ROWS(&routine), GBL_VECTOR_ROWS(&routine)};

const gbl_op gbl_dot_op = {"dot", work, gbl_vector_key, variants,
                           sizeof variants / sizeof variants[0]};
