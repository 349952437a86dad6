/* gemm_pipeline_nearest.c: a plan for tunables that cannot run together.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tunables are chosen for a class of calls. Some shapes exist in some precisions only, or only
 * where TMA can load both factors. A call that was given such tunables runs with the nearest ones
 * that can run. The tile is the last thing to change.
 */
#include "blas/gemm/gemm_pipeline_plan.h"

/* As in gbl_pipeline_space. */
enum { ROWS, COLUMNS, SPLIT_K, CLUSTER, STAGES, GROUPS, STAGGER, STAGED_C };
_Static_assert(STAGED_C + 1 == GBL_PIPELINE_PARAMS, "the tunables of pipelines have changed");

static bool plan_with(const gbl_product_call *call, const gbl_device *device, gbl_params *params,
                      int tunable, int32_t value, gbl_pipeline_plan *plan)
{
    params->value[tunable] = value;
    return gbl_pipeline_plan_make(call, params, device, plan);
}

/* The same tile with another number of slices. */
static bool plan_split_k(const gbl_product_call *call, const gbl_device *device, gbl_params *params,
                         gbl_pipeline_plan *plan)
{
    const gbl_param *split_k = &gbl_pipeline_space[SPLIT_K];
    for (int i = 0; i < split_k->count; i++)
        if (plan_with(call, device, params, SPLIT_K, split_k->values[i], plan))
            return true;
    return false;
}

bool gbl_pipeline_plan_nearest(const gbl_product_call *call, const gbl_params *wanted,
                               const gbl_device *device, gbl_pipeline_plan *plan)
{
    gbl_params params = *wanted;
    if (gbl_pipeline_plan_make(call, &params, device, plan) ||
        plan_with(call, device, &params, STAGED_C, 0, plan) ||
        plan_with(call, device, &params, STAGGER, 0, plan) ||
        plan_with(call, device, &params, STAGES, 0, plan) ||
        plan_with(call, device, &params, GROUPS, 1, plan) ||
        plan_with(call, device, &params, CLUSTER, 1, plan) ||
        plan_split_k(call, device, &params, plan))
        return true;
    for (int i = 0; i < GBL_PIPELINE_STARTS; i++) {
        params = gbl_pipeline_starts[i];
        params.value[CLUSTER] = 1;
        if (gbl_pipeline_plan_make(call, &params, device, plan))
            return true;
    }
    return false;
}
