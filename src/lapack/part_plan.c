/* part_plan.c: how a matrix or one of its triangles is cut into tiles, for lacpy and laset.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/host_cost.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "lapack/part_plan.h"
#include "part_args.h"

_Static_assert(sizeof(part_args) == (7 + 6) * 8, "host and device must agree");

static const int32_t items[] = {1, 8, 32, 64, 128, 256};
static const int32_t columns[] = {1, 2, 4, 8};
static const int32_t groups[] = {2, 4, 8, 16};
const gbl_param gbl_part_space[PART_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 128},
    {.name = "columns", GBL_VALUES(columns), .fallback = 4},
    {.name = "groups", GBL_VALUES(groups), .fallback = 8}, /* per unit */
};

typedef struct part_plan {
    part_args args;
    int64_t groups;
    int32_t items, columns;
} part_plan;

double gbl_part_elements(const gbl_product_call *call)
{
    const double m = (double)call->m, n = (double)call->n, least = m < n ? m : n;
    const double square = least * (least + 1) / 2;
    return call->uplo == GABLE_UPPER   ? square + (n - least) * m
           : call->uplo == GABLE_LOWER ? square + (m - least) * n
                                       : m * n;
}

/* Few columns: the other groups share the rows. */
static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, part_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[PART_ITEMS];
    plan->columns = params->value[PART_COLUMNS];
    const int64_t down = gbl_parts(call->m, plan->items), over = gbl_parts(call->n, plan->columns),
                  most = (int64_t)params->value[PART_GROUPS] * device->props.units,
                  strips = over < most ? over : most, rest = most / strips,
                  parts = down < rest ? down : rest;
    plan->groups = strips * parts;
    plan->args = (part_args){.m = call->m,
                             .n = call->n,
                             .lda = call->lda,
                             .ldb = call->ldb,
                             .first = call->uplo == GABLE_LOWER ? 0 : -call->n,
                             .last = call->uplo == GABLE_UPPER ? 0 : call->m,
                             .strips = strips,
                             .scalars = gbl_scalars(&call->alpha, &call->beta)};
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_part_routine *routine = self->detail;
    const gbl_product_call *call = given;
    part_plan *plan = planned;
    (void)most_items;
    make_plan(call, params, device, plan);
    memset(spec, 0, sizeof *spec);
    spec->file = routine->kernel;
    spec->dtype = call->dtype;
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    return plan->items;
}

int gbl_part_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    part_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

bool gbl_part_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL;
}

gable_status gbl_part_run(gable_context *ctx, const gbl_variant *self, const void *given,
                          const gbl_params *params)
{
    const gbl_part_routine *routine = self->detail;
    const gbl_product_call *call = given;
    part_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, PART_ITEMS, plan_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = routine->copies ? 2 : 3,
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    if (routine->copies) {
        launch.buffers[0] = call->A;
        launch.buffers[1] = call->B;
    } else {
        launch.buffers[0] = gbl_scalar_buffer(&call->alpha, call->A);
        launch.buffers[1] = gbl_scalar_buffer(&call->beta, call->A);
        launch.buffers[2] = call->A;
    }
    return gbl_launch(ctx, kernel, &launch);
}

void gbl_part_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                   const gbl_device *device, gbl_cost *cost)
{
    const gbl_part_routine *routine = self->detail;
    const gbl_product_call *call = given;
    part_plan plan;
    gbl_work least;
    make_plan(call, params, device, &plan);
    routine->work(call, &least);
    *cost = (gbl_cost){.memory_bytes = least.bytes_read + least.bytes_written,
                       .written_bytes = least.bytes_written,
                       .flops = least.flops,
                       .launches = 1,
                       .groups = (double)plan.groups,
                       .group_items = plan.items,
                       .bytes_in_flight =
                           (double)gbl_dtype_bytes(call->dtype) * plan.items * plan.columns};
}

bool gbl_part_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *call = given;
    part_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           plan.columns * (int64_t)gbl_dtype_bytes(call->dtype));
}

/* ---- The cpu ---- */

bool gbl_part_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->props.is_host;
}

gable_status gbl_part_run_omp(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    const gbl_part_routine *routine = self->detail;
    const gbl_product_call *call = given;
    (void)params;
    return gbl_task(ctx, routine->stem, routine->omp[call->dtype], call, sizeof *call);
}

void gbl_part_cost_omp(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost)
{
    const gbl_part_routine *routine = self->detail;
    const gbl_host_walk walk = gbl_host_vectors();
    gbl_work least;
    (void)params;
    routine->work(call, &least);
    gbl_host_cost(&least, &walk, device, cost);
}
