/* map_variants.c: the variant "stream" of routines that apply a function to each element of
 * vectors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All these kernels have one signature (kernels/level1/map.h): for a buffer that a routine lacks x
 * is given, and the kernel does not touch it.
 */
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "map_args.h"

_Static_assert(sizeof(map_args) == 13 * 8, "host and device must agree");

static gbl_stream_use use_of(const gbl_variant *self, const gbl_vector_call *call)
{
    return (gbl_stream_use){.file = ((const gbl_vector_routine *)self->detail)->kernel,
                            .macro_count = call->real_scalars ? 1 : 0,
                            .macros = {{"REAL_SCALARS", 1}}};
}

int gbl_map_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_stream_use use = use_of(self, call);
    gbl_stream plan;
    gbl_stream_spec(call, params, device, &use, &plan, specs);
    return 1;
}

gable_status gbl_map_run(gable_context *ctx, const gbl_variant *self, const void *given,
                         const gbl_params *params)
{
    const gbl_vector_call *call = given;
    const gbl_stream_use use = use_of(self, call);
    gbl_stream plan;
    gbl_kernel *kernel;
    TRY(gbl_stream_prepare(ctx, call, params, &use, &plan, &kernel));

    const map_args args = {
        .range = plan.args,
        .scalars = gbl_scalars(&call->alpha, &call->beta),
    };
    void *x = gbl_first_element(call->x, call->n, call->incx, call->dtype);
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.local, 1},
        .buffer_count = 5,
        .buffers = {gbl_scalar_buffer(&call->alpha, x), gbl_scalar_buffer(&call->beta, x), x, x, x},
        .args = &args,
        .args_bytes = sizeof args,
    };
    if (call->y != NULL)
        launch.buffers[3] = gbl_first_element(call->y, call->n, call->incy, call->dtype);
    if (call->w != NULL)
        launch.buffers[4] = gbl_first_element(call->w, call->n, call->incw, call->dtype);
    return gbl_launch(ctx, kernel, &launch);
}
