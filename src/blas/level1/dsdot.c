/* dsdot.c: result := sum of x_i y_i of floats in double, or alpha plus that rounded to float
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both vectors are read once. Variants: one launch whose last group adds the partial sums, two
 * launches where groups cannot hand over, on cpu the installed BLAS or OpenMP.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
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
    .not_x86 = {true, true, true, true}, /* sums in single precision */
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

static size_t result_element(const void *call)
{
    return ((const gbl_vector_call *)call)->wide_result ? 8 : 4;
}

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    {.name = "alpha",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = VECTOR_AT(alpha),
     .absent = VECTOR_AT(wide_result)},
    GBL_OPERAND_X(GBL_READ),
    GBL_OPERAND_Y(GBL_READ),
    GBL_OPERAND_RESULT(result_element),
    {.kind = GBL_SWITCH, .at = VECTOR_AT(wide_result)},
};

const gbl_op gbl_dsdot_op = {GBL_VECTOR_OP("dsdot", operands, variants), .dtypes = 1u << GBL_S,
                             .plain = gbl_plain_xy, .work = work};

gable_status gbl_dsdot(gable_context *ctx, const char *name, const gbl_vector_call *given)
{
    gbl_vector_call call = *given;
    gbl_result result;
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0 && !gbl_plain_xy(ctx, given))
        TRY(gbl_arguments_check(ctx, &gbl_dsdot_op, &call));
    if (call.n == 0 && !call.wide_result) /* the result is alpha */
        TRY(gbl_scalar_check(ctx, 3, "alpha", call.alpha.device));
    TRY(gbl_result_begin(ctx, gbl_argument_number(&gbl_dsdot_op, &call, VECTOR_AT(result)),
                         "result", call.result, result_element(&call), &result));
    call.result = result.address;
    if (call.n == 0) { /* no pointer is looked at, yet kernels want one that is theirs */
        call.x = call.y = call.result;
        call.incx = call.incy = 1;
    }
    TRY(gbl_op_run(ctx, &gbl_dsdot_op, &call));
    return gbl_result_end(ctx, &result);
}
