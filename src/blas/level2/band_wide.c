/* band_wide.c: wide bands, which work-items read into registers: plans of band_n.cl and band_t.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "blas/level2/band_plan.h"
#include "blas/level2/band_variants.h"
#include "band_args.h"

#define MOST_OTHERS     16  /* rows, or columns, of a piece for each of its outputs */
#define MOST_ITEM_BYTES 128 /* that a work-item loads at once: more would not fit its registers */

enum { WIDE_ITEMS, WIDE_WX, WIDE_DEEP, WIDE_COLUMNS };
static const int32_t items[] = {32, 64, 128, 256, 512};
static const int32_t widths[] = {16, 32, 64};
static const int32_t depths[] = {1, 2, 4, 8};
static const int32_t columns[] = {1, 2, 4, 8, 16};
#define WIDE_SPACE(space, deep, columns_)                                                          \
    const gbl_param space[GBL_BAND_WIDE_PARAMS] = {                                                \
        {.name = "items", GBL_VALUES(items), .fallback = 256},                                     \
        {.name = "wx", GBL_VALUES(widths), .fallback = 32},                                        \
        {.name = "deep", GBL_VALUES(depths), .fallback = deep},                                    \
        {.name = "columns", GBL_VALUES(columns), .fallback = columns_},                            \
    }
WIDE_SPACE(gbl_band_wide_n_space, 2, 8);
WIDE_SPACE(gbl_band_wide_t_space, 4, 4);

typedef struct wide_plan {
    band_args args;
    int64_t groups;
    int32_t items, wx, deep, columns;
} wide_plan;

/* Groups of the kernels for wide bands. Where they would not fill the device twice, or leave a
 * small rest, a work-item has fewer outputs, and loads more for each. */
static void plan_wide(const gbl_band *band, const gbl_matrix_call *call, const gbl_params *params,
                      const gbl_device *device, wide_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    const bool along_rows = band->sides == GBL_BAND_ROWS;
    plan->items = params->value[WIDE_ITEMS];
    plan->wx = (int32_t)gbl_band_least(params->value[WIDE_WX], plan->items);
    plan->deep = params->value[WIDE_DEEP];
    plan->columns = (int32_t)gbl_band_least(params->value[WIDE_COLUMNS], plan->wx);
    while (plan->columns > 1 && plan->deep * plan->columns * elem > MOST_ITEM_BYTES)
        plan->columns /= 2;
    int32_t *const outputs = along_rows ? &plan->deep : &plan->columns;
    int32_t *const others = along_rows ? &plan->columns : &plan->deep;
    const int32_t lanes = along_rows ? plan->wx : plan->items / plan->wx;
    const int32_t most = along_rows && plan->wx < MOST_OTHERS ? plan->wx : MOST_OTHERS;
    while (*outputs > 1) {
        const int64_t groups = gbl_parts(band->outputs, (int64_t)*outputs * lanes);
        if (groups >= 2 * units &&
            !gbl_band_small_rest(groups, plan->items, plan->deep * plan->columns * elem, device))
            break;
        *outputs /= 2;
        *others *= 2 * *others <= most ? 2 : 1;
    }
    while (plan->columns > 1 && !along_rows &&
           plan->items * plan->columns * elem > gbl_scratch_bytes(&device->props))
        plan->columns /= 2;
    while (plan->deep > 1 && along_rows &&
           plan->items * plan->deep * elem > gbl_scratch_bytes(&device->props))
        plan->deep /= 2;
    plan->args.rows = (int64_t)*outputs * lanes;
}

static void make_plan(const gbl_matrix_call *call, const gbl_band *band, const gbl_params *params,
                      const gbl_device *device, wide_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    gbl_band_arguments(call, band, &plan->args);
    plan_wide(band, call, params, device, plan);
    plan->groups = gbl_parts(band->outputs, plan->args.rows);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    wide_plan *plan = planned;
    (void)most_items;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, plan);
    gbl_kernel_begin(spec, self->kernels, call->dtype);
    gbl_band_macros(&band, spec);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "WX", plan->wx);
    gbl_kernel_add_macro(spec, "DEEP", plan->deep);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    return plan->items;
}

int gbl_band_wide_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs)
{
    wide_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static bool wide_fits(const gbl_variant *self, const gbl_matrix_call *call,
                      const gbl_device *device, int sides)
{
    gbl_band band;
    gbl_band_routine_of(self)->form(call, &band);
    return gbl_band_gpu(device) && band.sides == sides &&
           (band.kl + band.ku + 1 >= GBL_BAND_WIDE || call->lda > GBL_BAND_MOST_LDA) &&
           !gbl_band_flat_fits(self, call, device);
}

bool gbl_band_wide_n_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return wide_fits(self, call, device, GBL_BAND_ROWS);
}

bool gbl_band_wide_t_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return wide_fits(self, call, device, GBL_BAND_COLUMNS);
}

gable_status gbl_band_wide_run(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    wide_plan plan;
    gbl_kernel *kernel;
    gbl_band_routine_of(self)->form(call, &band);
    TRY(gbl_plan_kernel(ctx, self, call, params, WIDE_ITEMS, plan_kernel, &plan, &kernel));
    const gbl_band_groups groups = {
        .kernel = kernel, .args = &plan.args, .groups = plan.groups, .items = plan.items};
    return gbl_band_launch(ctx, self, call, &band, &groups);
}

void gbl_band_wide_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    wide_plan plan;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, &plan);
    gbl_band_cost(call, &band, plan.groups, plan.items, out);
    out->steps = gbl_reduce_steps(device, plan.items);
    out->bytes_in_flight =
        (double)gbl_dtype_bytes(call->dtype) * plan.items * plan.deep * plan.columns;
}

bool gbl_band_wide_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    wide_plan plan;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return plan.items >= plan.wx && gbl_group_legal(device, plan.items,
                                                    (int64_t)plan.deep * plan.columns *
                                                        (int64_t)gbl_dtype_bytes(call->dtype));
}
