/* band_single_item.c: bands on CPUs, one work-item per group: plans of band_single_item.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "blas/level2/band_plan.h"
#include "blas/level2/band_variants.h"
#include "band_args.h"

#define FEWEST_ROWS 16 /* per group */
#define WALK_VEC    8

enum { WALK_ROWS };
static const int32_t walk_rows[] = {16, 64, 256, 1024};
const gbl_param gbl_band_single_item_space[GBL_BAND_SINGLE_ITEM_PARAMS] = {
    {.name = "rows", GBL_VALUES(walk_rows), .fallback = 256},
};

typedef struct walk_plan {
    band_args args;
    int64_t groups;
    int32_t tile; /* rows for which the kernel has room */
} walk_plan;

static void make_plan(const gbl_matrix_call *call, const gbl_band *band, const gbl_params *params,
                      const gbl_device *device, walk_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    gbl_band_arguments(call, band, &plan->args);
    plan->tile = params->value[WALK_ROWS];
    plan->args.rows = gbl_band_enough_groups(plan->tile, FEWEST_ROWS, band->outputs, device);
    plan->groups = gbl_parts(band->outputs, plan->args.rows);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    walk_plan *plan = planned;
    (void)most_items;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, plan);
    gbl_kernel_begin(spec, self->kernels, call->dtype);
    gbl_band_macros(&band, spec);
    gbl_kernel_add_macro(spec, "ROWS", plan->tile);
    gbl_kernel_add_macro(spec, "VEC", WALK_VEC);
    return 1;
}

int gbl_band_single_item_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                               const gbl_device *device, gbl_kernel_spec *specs)
{
    walk_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

bool gbl_band_single_item_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    (void)self;
    (void)given;
    return device->table->build != NULL && !device->props.is_gpu;
}

gable_status gbl_band_single_item_run(gable_context *ctx, const gbl_variant *self,
                                      const void *given, const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    walk_plan plan;
    gbl_kernel *kernel;
    gbl_band_routine_of(self)->form(call, &band);
    TRY(gbl_plan_kernel(ctx, self, call, params, WALK_ROWS, plan_kernel, &plan, &kernel));
    const gbl_band_groups groups = {
        .kernel = kernel, .args = &plan.args, .groups = plan.groups, .items = 1};
    return gbl_band_launch(ctx, self, call, &band, &groups);
}

void gbl_band_single_item_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                               const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_band band;
    walk_plan plan;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, &plan);
    gbl_band_cost(call, &band, plan.groups, 1, out);
    if (band.sides == GBL_BAND_BOTH)
        out->cache_bytes += elem * gbl_band_elements(&band);
    out->bytes_in_flight = elem * WALK_VEC;
}

bool gbl_band_single_item_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                                const gbl_device *device, uint64_t *hash)
{
    gbl_band band;
    walk_plan plan;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return true;
}
