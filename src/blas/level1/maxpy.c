/* maxpy.c: y := y + alpha (a_0 x_0 + a_1 x_1 + ...), x_j the columns of X
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * X is read once; y is read and written once where the coefficients are on the device, and once for
 * each GBL_VECTOR_VALUES columns where they come from the host, by value, so that a recording keeps
 * them. Variants: the stream kernel, on cpu OpenMP.
 */
#include <string.h>
#include "blas/level1/columns.h"
#include "core/launch.h"
#include "core/recording.h"
#include "cpu/cpu_kernels.h"
#include "maxpy_args.h"

_Static_assert(sizeof(maxpy_args) == 28 * 8, "host and device must agree");
_Static_assert(MAXPY_VALUES == GBL_VECTOR_VALUES, "host and device must agree");

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double k = (double)call->count;
    *least = gbl_vector_work(call, k + 1, 1, 2 * k, 8 * k);
}

static const gbl_vector_routine routine = {
    .stem = "maxpy",
    .work = work,
    .omp = GBL_CPU_FOUR(maxpy_omp),
};

/* Coefficients by value are all taken at once. */
static int batch_of(const gbl_vector_call *call, const gbl_params *params)
{
    const int32_t most = params->value[COLUMNS_BATCH];
    return call->count < most || call->values_at == NULL ? (int)call->count : most;
}

static gbl_stream_use use_of(const gbl_vector_call *call, const gbl_params *params)
{
    return (gbl_stream_use){
        .file = "maxpy.cl",
        .macro_count = 2,
        .macros = {{"BATCH", batch_of(call, params)}, {"ON_DEVICE", call->values_at != NULL}}};
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_vector_call plan_call = gbl_columns_plan_call(call);
    const gbl_stream_use use = use_of(call, params);
    gbl_stream plan;
    (void)self;
    gbl_stream_spec(&plan_call, params, device, &use, &plan, specs);
    return 1;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_vector_call *call = given;
    const gbl_vector_call plan_call = gbl_columns_plan_call(call);
    const gbl_stream_use use = use_of(call, params);
    gbl_stream plan;
    gbl_kernel *kernel;
    (void)self;
    TRY(gbl_stream_prepare(ctx, &plan_call, params, &use, &plan, &kernel));

    maxpy_args args = {.range = plan.args,
                       .ldx = call->ldx,
                       .columns = call->count,
                       .alpha_re = call->alpha.re,
                       .alpha_im = call->alpha.im,
                       .on_device = call->values_at != NULL};
    for (int j = 0; call->values_at == NULL && j < call->count; j++) {
        args.values[2 * j] = call->values[j].re;
        args.values[2 * j + 1] = call->values[j].im;
    }
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.local, 1},
        .buffer_count = 3,
        .buffers = {call->values_at != NULL ? call->values_at : call->x, call->x,
                    gbl_first_element(call->y, call->n, call->incy, call->dtype)},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static gable_status run_omp(gable_context *ctx, const gbl_variant *self, const void *given,
                            const gbl_params *params)
{
    const gbl_vector_call *call = given;
    if (call->values_at != NULL)
        return gbl_vector_run_omp(ctx, self, call, params);
    gbl_maxpy_args args = {.call = *call};
    args.call.y = gbl_first_element(call->y, call->n, call->incy, call->dtype);
    args.call.values = NULL;
    for (int64_t j = 0; j < call->count; j++)
        args.values[j] = call->values[j];
    return gbl_task(ctx, routine.stem, routine.omp[call->dtype], &args, sizeof args);
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_vector_call *call = given;
    const gbl_vector_call plan_call = gbl_columns_plan_call(call);
    gbl_stream plan;
    gbl_work least;
    (void)self;
    work(call, &least);
    gbl_stream_plan(&plan_call, params, device, 0, &plan);
    memset(out, 0, sizeof *out);
    out->memory_bytes = least.bytes_read + least.bytes_written;
    out->flops = least.flops;
    out->launches = 1;
    out->groups = (double)plan.groups;
    out->group_items = plan.local;
    out->bytes_in_flight = (double)plan.local * plan.unroll * plan.vec * batch_of(call, params) *
                           (double)gbl_dtype_bytes(call->dtype);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("stream", .fits = gbl_stream_fits, .run = run, .cost = cost,
                .space = gbl_columns_space, .space_count = COLUMNS_PARAMS,
                .legal = gbl_stream_legal, .detail = &routine, .kernels = "maxpy.cl",
                .specs = specs),
    GBL_VARIANT("omp", .fits = gbl_vector_fits_omp, .run = run_omp, .cost = gbl_vector_cost,
                .detail = &routine),
};

/* alpha by value that is 0 adds nothing. */
static bool idle(const void *given)
{
    const gbl_vector_call *call = given;
    return call->alpha.re == 0 && call->alpha.im == 0;
}

static const gbl_operand operands[] = {
    GBL_COLUMNS_SIZES,
    {.name = "alpha", .kind = GBL_ANY, .at = VECTOR_AT(alpha)},
    {.name = "a",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = VECTOR_AT(values_at),
     .rows = gbl_columns_count},
    GBL_COLUMNS_MATRIX,
    {.name = "y",
     .kind = GBL_VECTOR,
     .access = GBL_READ_WRITE,
     .at = VECTOR_AT(y),
     .step = VECTOR_AT(incy),
     .rows = gbl_vector_rows},
    {.name = "incy", .kind = GBL_INC, .at = VECTOR_AT(incy)},
};

const gbl_op gbl_maxpy_op = {GBL_VECTOR_OP("maxpy", operands, variants), .idle = idle,
                             .work = work};

gable_status gbl_maxpy(gable_context *ctx, const char *name, const gbl_vector_call *given)
{
    gbl_vector_call call = *given;
    call.incx = 1;
    return gbl_call_run(ctx, name, &gbl_maxpy_op, &call);
}

static gbl_scalar value_of(gbl_dtype dtype, const void *values, int64_t j)
{
    const float *s = values;
    const double *d = values;
    switch (dtype) {
    case GBL_S:
        return (gbl_scalar){.re = s[j]};
    case GBL_D:
        return (gbl_scalar){.re = d[j]};
    case GBL_C:
        return (gbl_scalar){.re = s[2 * j], .im = s[2 * j + 1]};
    case GBL_Z:
        break;
    }
    return (gbl_scalar){.re = d[2 * j], .im = d[2 * j + 1]};
}

gable_status gbl_maxpy_host(gable_context *ctx, const char *name, const gbl_vector_call *given,
                            const void *coefficients)
{
    gbl_vector_call call = *given;
    gbl_scalar values[GBL_VECTOR_VALUES];
    call.incx = 1;
    call.values = values;
    TRY(gbl_enter(ctx, name));
    const bool empty = gbl_call_empty(&gbl_maxpy_op, &call);
    CHECK_ARG(ctx, empty || coefficients != NULL, 5, "a", "is NULL; it must be host memory");
    TRY(gbl_arguments_check(ctx, &gbl_maxpy_op, &call));
    if (empty || idle(&call))
        return GABLE_OK;
    const int64_t steps = gbl_recording_position(ctx);
    for (int64_t j = 0; j < given->count; j += GBL_VECTOR_VALUES) {
        const int64_t left = given->count - j;
        call.x = gbl_column(given, j);
        call.count = left < GBL_VECTOR_VALUES ? left : GBL_VECTOR_VALUES;
        for (int64_t i = 0; i < call.count; i++)
            values[i] = value_of(call.dtype, coefficients, j + i);
        const gable_status status = gbl_op_run(ctx, &gbl_maxpy_op, &call);
        if (status != GABLE_OK) { /* a recording keeps all of the call or nothing */
            gbl_recording_rewind(ctx, steps);
            return status;
        }
    }
    return GABLE_OK;
}
