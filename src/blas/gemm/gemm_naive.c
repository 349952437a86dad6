/* gemm_naive.c: C := alpha op(A) op(B) + beta C, one work-item per element: the plain reference.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/gemm/gemm_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

enum { NAIVE_ITEMS };
static const int32_t items[] = {1, 16, 32, 64, 128, 256};
const gbl_param gbl_gemm_naive_space[GBL_GEMM_NAIVE_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 128},
};

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    int32_t *group = planned;
    (void)self, (void)device;
    *group = params->value[NAIVE_ITEMS] < most_items ? params->value[NAIVE_ITEMS] : most_items;
    gbl_kernel_begin(spec, "gemm_naive.cl", call->dtype);
    gbl_gemm_macros(call, spec);
    gbl_gemm_two_products(call, spec);
    gbl_kernel_add_macro(spec, "ITEMS", *group);
    return *group;
}

int gbl_gemm_naive_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs)
{
    int32_t group;
    plan_kernel(self, call, params, device, INT32_MAX, &group, specs);
    return 1;
}

gable_status gbl_gemm_naive_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                const gbl_params *params)
{
    const gbl_product_call *call = given;
    int32_t group;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, NAIVE_ITEMS, plan_kernel, &group, &kernel));
    gemm_args args = gbl_gemm_args(call);
    args.column_groups = call->n < GBL_MOST_GROUPS_Y ? call->n : GBL_MOST_GROUPS_Y;
    gbl_launch_spec launch = {
        .groups = {gbl_some_parts(call->m, group), args.column_groups},
        .group = {group, 1},
        .buffer_count = 5,
        .buffers = GBL_GEMM_BUFFERS(call),
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

bool gbl_gemm_fits_kernels(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return device->table->build != NULL && ((const gbl_product_call *)call)->sizes == NULL;
}

/* Every multiply-add loads both its factors; those of neighbours come from the cache. */
void gbl_gemm_naive_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_work work;
    (void)self;
    gbl_gemm_work(call, &work);
    memset(out, 0, sizeof *out);
    const double terms = work.flops / gbl_product_flops(call->dtype);
    out->memory_bytes = work.bytes_read + work.bytes_written;
    out->cache_bytes = elem * terms * (call->trans == GABLE_NO_TRANS ? 1 : 8);
    out->flops = work.flops * (device->props.is_gpu ? GBL_PLAIN_FACTOR : 1);
    out->launches = 1;
    out->waits =
        device->props.is_gpu ? (double)call->k / 2 : 0; /* loads of a term wait for those before */
    out->groups = (double)gbl_some_parts(call->m, params->value[NAIVE_ITEMS]) * (double)call->n;
    out->group_items = params->value[NAIVE_ITEMS];
    out->bytes_in_flight = 2 * elem * params->value[NAIVE_ITEMS];
}
