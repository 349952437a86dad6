/* columns.c: what mdot, maxpy and mnrm2 share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/level1/columns.h"
#include "core/launch.h"

static const int32_t locals[] = {1, 32, 64, 128, 256, 512, 1024};
static const int32_t groups_a_unit[] = {1, 2, 4, 6, 8, 12, 16, 32, 0};
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t ranges[] = {0, 1};
static const int32_t unrolls[] = {1, 2, 4};
static const int32_t batches[] = {1, 2, 3, 4, 8};

const gbl_param gbl_columns_space[COLUMNS_PARAMS] = {
    {.name = "local", GBL_VALUES(locals), .fallback = 256},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 8},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 2},
    {.name = "range", GBL_VALUES(ranges), .fallback = 0},
    {.name = "unroll", GBL_VALUES(unrolls), .fallback = 1},
    {.name = "batch", GBL_VALUES(batches), .fallback = 8},
};

int64_t gbl_columns_count(const void *call)
{
    return ((const gbl_vector_call *)call)->count;
}

gbl_vector_call gbl_columns_plan_call(const gbl_vector_call *call)
{
    gbl_vector_call plan = *call;
    plan.incx = 1;
    if (call->count > 1) {
        plan.w = gbl_column(call, 1);
        plan.incw = 1;
    }
    return plan;
}

void *gbl_column(const gbl_vector_call *call, int64_t j)
{
    return (char *)call->x + j * call->ldx * (int64_t)gbl_dtype_bytes(call->dtype);
}

gable_status gbl_columns_result(gable_context *ctx, const char *name, const gbl_op *op,
                                const gbl_vector_call *given, int argument, size_t elem_bytes)
{
    gbl_vector_call call = *given;
    gbl_result result;
    call.incx = 1;
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0) {
        TRY(gbl_arguments_check(ctx, op, &call));
        /* The results are there for n = 0, too. */
        TRY(gbl_count_check(ctx, 3, "k", call.count, elem_bytes));
    }
    if (call.count == 0)
        return GABLE_OK;
    TRY(gbl_result_begin(ctx, argument, "result", call.result, (size_t)call.count * elem_bytes,
                         &result));
    call.result = result.address;
    if (call.n == 0)
        TRY(gbl_fill_bytes(ctx, result.address, 0, result.bytes));
    else
        TRY(gbl_op_run(ctx, op, &call));
    return gbl_result_end(ctx, &result);
}
