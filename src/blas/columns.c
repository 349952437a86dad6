/* columns.c: what mdot and maxpy share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/columns.h"
#include "core/key.h"

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

uint64_t gbl_columns_key(const void *given)
{
    const gbl_vector_call *call = given;
    return gbl_vector_key(call) | gbl_size_class(call->count) << GBL_KEY_N;
}

gable_status gbl_columns_check_sizes(gable_context *ctx, const gbl_vector_call *call)
{
    CHECK_ARG(ctx, call->n >= 0, 2, "n", "is %lld; it must be at least 0", (long long)call->n);
    CHECK_ARG(ctx, call->count >= 0, 3, "k", "is %lld; it must be at least 0",
              (long long)call->count);
    if (call->n == 0 || call->count == 0)
        return GABLE_OK;
    TRY(gbl_count_check(ctx, 2, "n", call->n, gbl_dtype_bytes(call->dtype)));
    return gbl_count_check(ctx, 3, "k", call->count, gbl_dtype_bytes(call->dtype));
}

gable_status gbl_columns_check(gable_context *ctx, const gbl_vector_call *call, int x_number,
                               int y_number, bool writes_y)
{
    const int64_t least = call->n > 1 ? call->n : 1;
    const bool touches = call->n > 0 && call->count > 0;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    if (touches)
        TRY(gbl_check_address(ctx, x_number, "X", call->x));
    CHECK_ARG(ctx, call->ldx >= least, x_number + 1, "ldx",
              "is %lld; it must be at least max(1, n), which is %lld", (long long)call->ldx,
              (long long)least);
    TRY(gbl_pitch_check(ctx, x_number + 1, "ldx", "X", call->count, call->ldx, call->n, elem));
    if (touches)
        TRY(gbl_check_address(ctx, y_number, "y", call->y));
    CHECK_ARG(ctx, !writes_y || call->incy != 0, y_number + 1, "incy",
              "is 0; the stride of an output must not be");
    return touches ? gbl_pitch_check(ctx, y_number + 1, "incy", "y", call->n, call->incy, 1, elem)
                   : GABLE_OK;
}

gable_status gbl_columns_guard(gable_context *ctx, const gbl_vector_call *call, int x_number,
                               int y_number, const gbl_operand *numbers, bool writes_y)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const gbl_operand operands[3] = {
        gbl_operand_matrix("X", x_number, GBL_READ, call->x, call->n, call->count, call->ldx, elem),
        gbl_operand_vector("y", y_number, writes_y ? GBL_READ_WRITE : GBL_READ, call->y, call->n,
                           call->incy, elem),
        *numbers};
    return call->n > 0 && call->count > 0 ? gbl_operands_check(ctx, operands, 3) : GABLE_OK;
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
