/* dsdot.c: result := sum of x_i y_i of floats in double, or alpha plus that rounded to float
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both vectors are read once. Variants: one launch whose last group adds the partial sums, two launches
 * where groups cannot hand over, on cpu the installed BLAS or OpenMP.
 */
#include "blas/level1.h"
#include "blas/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    *least = gbl_vector_work(call, 2, 0, 2, 2);
    least->bytes_written = call->wide_result ? 8 : 4;
}

static const gbl_vector_routine routine = {
    .stem = "dsdot",
    .work = work,
    .omp = {gbl_cpu_dsdot_omp, NULL, NULL, NULL},
    .blas = {gbl_cpu_dsdot_blas, NULL, NULL, NULL},
    .kernel = "dsdot.cl",
    .finish = "dsdot_finish.cl",
    .partial_bytes = {8, 8, 8, 8},
    .adds_alpha = true,
};

static const gbl_variant variants[] = {GBL_REDUCE_VARIANTS(&routine, "dsdot.cl", "dsdot_finish.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

const gbl_op gbl_dsdot_op = {
    .stem = "dsdot",
    .family = &gbl_vector_family,
    .work = work,
    .key = gbl_vector_key,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .legal = gbl_stream_legal,
};

gable_status gbl_dsdot(gable_context *ctx, const char *name, const gbl_vector_call *given)
{
    static const gbl_vector_numbers dsdot = {.x = 3, .y = 5, .result = 7},
                                    sdsdot = {.alpha = 3, .x = 4, .y = 6, .result = 8};
    const gbl_vector_numbers *numbers = given->wide_result ? &dsdot : &sdsdot;
    gbl_vector_call call = *given;
    gbl_result result;
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0) {
        TRY(gbl_vector_check(ctx, &call, numbers));
        if (ctx->guarded)
            TRY(gbl_vector_guard(ctx, &call, numbers, call.wide_result ? 8 : 4));
    }
    if (call.n == 0 && !call.wide_result) /* the result is alpha */
        TRY(gbl_scalar_check(ctx, numbers->alpha, "alpha", call.alpha.device));
    TRY(gbl_result_begin(ctx, numbers->result, "result", call.result, call.wide_result ? 8 : 4,
                         &result));
    call.result = result.address;
    if (call.n == 0) { /* no pointer is looked at, yet kernels want one that is theirs */
        call.x = call.y = call.result;
        call.incx = call.incy = 1;
    }
    TRY(gbl_op_run(ctx, &gbl_dsdot_op, &call));
    return gbl_result_end(ctx, &result);
}
