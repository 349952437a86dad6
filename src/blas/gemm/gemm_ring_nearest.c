/* gemm_ring_nearest.c: a plan of rings for tunables that do not go together, or not with a call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tunables are chosen for a class of calls, and some shapes exist in some precisions only, or only where boxes bring both
 * factors. A call that was given such tunables runs with the nearest ones: the tile stays as long as it can.
 */
#include "blas/gemm/gemm_ring_plan.h"

/* As in gbl_ring_space. */
enum { ROWS, COLUMNS, LAYERS, CLUSTER, STAGES, GROUPS, SKEW, THROUGH };
_Static_assert(THROUGH + 1 == GBL_RING_PARAMS, "the tunables of rings have changed");

static bool plan_with(const gbl_product_call *call, const gbl_device *device, gbl_params *params,
                      int tunable, int32_t value, gbl_ring_plan *plan)
{
    params->value[tunable] = value;
    return gbl_ring_plan_make(call, params, device, plan);
}

/* The same tile with another number of layers. */
static bool plan_layers(const gbl_product_call *call, const gbl_device *device, gbl_params *params,
                        gbl_ring_plan *plan)
{
    const gbl_param *layers = &gbl_ring_space[LAYERS];
    for (int i = 0; i < layers->count; i++)
        if (plan_with(call, device, params, LAYERS, layers->values[i], plan))
            return true;
    return false;
}

bool gbl_ring_plan_nearest(const gbl_product_call *call, const gbl_params *wanted,
                           const gbl_device *device, gbl_ring_plan *plan)
{
    gbl_params params = *wanted;
    if (gbl_ring_plan_make(call, &params, device, plan) ||
        plan_with(call, device, &params, THROUGH, 0, plan) ||
        plan_with(call, device, &params, SKEW, 0, plan) ||
        plan_with(call, device, &params, STAGES, 0, plan) ||
        plan_with(call, device, &params, GROUPS, 1, plan) ||
        plan_with(call, device, &params, CLUSTER, 1, plan) ||
        plan_layers(call, device, &params, plan))
        return true;
    for (int i = 0; i < GBL_RING_STARTS; i++) {
        params = gbl_ring_starts[i];
        params.value[CLUSTER] = 1;
        if (gbl_ring_plan_make(call, &params, device, plan))
            return true;
    }
    return false;
}
