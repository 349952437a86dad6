/* turn_variants.c: run, kernels, cost and legal tunables of the variants of transpose and geam.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/level3/turn_variants.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

static const gbl_turn_routine *routine_of(const gbl_variant *self)
{
    return self->detail;
}

/* Groups side by side, with the buffers of the routine. */
static gable_status launch(gable_context *ctx, gbl_kernel *kernel, const gbl_matrix_call *call,
                           int (*buffers)(const gbl_matrix_call *call, const void **buffers),
                           int64_t groups, int32_t items, const void *args, size_t args_bytes)
{
    gbl_launch_spec launch = {
        .groups = {groups, 1}, .group = {items, 1}, .args = args, .args_bytes = args_bytes};
    launch.buffer_count = buffers(call, launch.buffers);
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- tiles ---- */

static int32_t tiles_kernel(const gbl_variant *self, const void *call, const gbl_params *params,
                            const gbl_device *device, int32_t most_items, void *planned,
                            gbl_kernel_spec *spec)
{
    gbl_turn_plan *plan = planned;
    (void)most_items;
    routine_of(self)->plan_tiles(call, params, device, plan);
    routine_of(self)->tiles_kernel(call, plan, spec);
    return plan->items;
}

gable_status gbl_turn_run(gable_context *ctx, const gbl_variant *self, const void *call,
                          const gbl_params *params)
{
    gbl_turn_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, TURN_ITEMS, tiles_kernel, &plan, &kernel));
    return launch(ctx, kernel, call, routine_of(self)->tiles_buffers, plan.groups, plan.items,
                  &plan.args, sizeof plan.args);
}

int gbl_turn_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_turn_plan plan;
    tiles_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

void gbl_turn_variant_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    gbl_turn_plan plan;
    gbl_work least;
    routine_of(self)->matrix.work(call, &least);
    routine_of(self)->plan_tiles(call, params, device, &plan);
    gbl_turn_cost(&plan, call->dtype, &least, out);
}

/* Tiles are narrowed to what registers hold. */
bool gbl_turn_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    gbl_turn_plan plan;
    routine_of(self)->plan_tiles(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items, 0);
}

/* ---- stream ---- */

static int32_t stream_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                             const gbl_device *device, int32_t most_items, void *planned,
                             gbl_kernel_spec *spec)
{
    const gbl_matrix_call *call = given;
    gbl_plane_plan *plan = planned;
    (void)most_items;
    routine_of(self)->plan_stream(call, params, device, plan);
    gbl_plane_kernel(self->kernels, call->dtype, plan, spec);
    return plan->items;
}

gable_status gbl_plane_run(gable_context *ctx, const gbl_variant *self, const void *call,
                           const gbl_params *params)
{
    gbl_plane_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, PLANE_ITEMS, stream_kernel, &plan, &kernel));
    return launch(ctx, kernel, call, routine_of(self)->stream_buffers, plan.groups, plan.items,
                  &plan.args, sizeof plan.args);
}

int gbl_plane_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_plane_plan plan;
    stream_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

void gbl_plane_variant_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                            const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    gbl_plane_plan plan;
    gbl_work least;
    routine_of(self)->matrix.work(call, &least);
    routine_of(self)->plan_stream(call, params, device, &plan);
    gbl_plane_cost(&plan, call->dtype, &least, out);
}

bool gbl_plane_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                     const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    gbl_plane_plan plan;
    routine_of(self)->plan_stream(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           plan.unroll * plan.vec * (int64_t)gbl_dtype_bytes(call->dtype));
}
