/* phase_plan.c: what reductions share whose panels are made of a few launches per column.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On a GPU four work-items share a row, and neighbours have neighbouring rows. Elsewhere a group is
 * one work-item, whose loops over many rows the compiler makes vectors of.
 */
#include "lapack/phase_plan.h"
#include "blas/kernel_plan.h"

#define ITEMS  256
#define SLICES 4   /* work-items of a GPU that share a row */
#define ALONE  128 /* rows of a work-item that has no others beside it */

gbl_phase_plan gbl_phase_make_plan(const gbl_params *params, const gbl_device *device,
                                   int32_t most_items)
{
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    gbl_phase_plan plan = {
        .items = device->props.is_gpu ? ITEMS : 1, .block = params->value[0], .groups = units};
    while (plan.items > most_items && plan.items > 1)
        plan.items /= 2;
    plan.own = plan.items > SLICES ? plan.items / SLICES : ALONE;
    return plan;
}

int64_t gbl_phase_groups(const gbl_phase_plan *plan, int64_t rows)
{
    const int64_t chunks = gbl_some_parts(rows, plan->own);
    return chunks < plan->groups ? chunks : plan->groups;
}

void gbl_phase_macros(const gbl_phase_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->block);
    gbl_kernel_add_macro(spec, "OWN", plan->own);
}

gable_status gbl_phase_kernels(gable_context *ctx, const gbl_product_call *call,
                               const gbl_params *params, gbl_phase_specs specs,
                               gbl_phase_plan *plan, gbl_kernel **kernels)
{
    for (int32_t most = INT32_MAX;; most = plan->items / 2) {
        gbl_kernel_spec wanted[GBL_MAX_SPECS];
        bool takes = true;
        *plan = gbl_phase_make_plan(params, ctx->device, most);
        const int count = specs(call, plan, wanted);
        for (int i = 0; i < count; i++) {
            TRY(gbl_kernel_get(ctx->device, &wanted[i], &kernels[i], &ctx->message));
            takes = takes && gbl_kernel_takes(kernels[i], plan->items);
        }
        if (takes || plan->items == 1)
            return GABLE_OK;
    }
}

bool gbl_phase_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    (void)self;
    return device->table->build != NULL && call->n < INT32_MAX / 256;
}

bool gbl_phase_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, uint64_t *hash)
{
    const gbl_phase_plan plan = gbl_phase_make_plan(params, device, INT32_MAX);
    (void)self, (void)call;
    *hash = gbl_plan_hash(&plan.block, sizeof plan.block);
    return gbl_group_legal(device, plan.items, 0);
}

gbl_cost gbl_phase_cost(const gbl_phase_plan *plan, const gbl_device *device, int64_t rows,
                        gbl_phase_work work)
{
    const double groups = (double)gbl_phase_groups(plan, rows);
    return (gbl_cost){.memory_bytes = work.written,
                      .cache_bytes = work.read,
                      .written_bytes = work.written,
                      .flops = work.flops,
                      .launches = 1,
                      .steps = device->props.is_gpu ? work.steps : 0,
                      .groups = groups,
                      .group_items = plan->items,
                      .bytes_in_flight = 64 * groups * plan->items};
}
