/* gemm_single_item.c: C := alpha op(A) op(B) + beta C, one work-item per group: for CPUs behind
 * OpenCL.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/gemm/gemm_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

/* A tile has `vectors` times 16 bytes of rows and `columns` columns of real numbers: 4 by 6 are 24
 * of the 32 registers of aarch64, and 12 of the 16 of x86-64 with AVX. */
enum { WALK_BLOCK, WALK_DEPTH, WALK_VECTORS, WALK_COLUMNS };
static const int32_t blocks[] = {32, 64, 128, 256}, depths[] = {128, 256}, vectors[] = {2, 4, 8},
                     columns[] = {4, 6};
const gbl_param gbl_gemm_single_item_space[GBL_GEMM_SINGLE_ITEM_PARAMS] = {
    {.name = "block", GBL_VALUES(blocks), .fallback = 128},
    {.name = "depth", GBL_VALUES(depths), .fallback = 256},
    {.name = "vectors", GBL_VALUES(vectors), .fallback = 4},
    {.name = "columns", GBL_VALUES(columns), .fallback = 6},
};

/* Bytes that a group packs at most: it has them on its stack, and shall find them in the
 * second-level cache. */
#define MOST_PACKED (1 << 20)

typedef struct walk_plan {
    int32_t block, depth, lanes, columns;
} walk_plan;

static walk_plan plan_walk(const gbl_product_call *call, const gbl_params *params)
{
    walk_plan plan = {.block = params->value[WALK_BLOCK],
                      .depth = params->value[WALK_DEPTH],
                      .lanes = params->value[WALK_VECTORS] * 16 /
                               (int32_t)gbl_dtype_real_bytes(call->dtype),
                      .columns = params->value[WALK_COLUMNS]};
    while (2 * (int64_t)plan.block * plan.depth * (int64_t)gbl_dtype_bytes(call->dtype) >
           MOST_PACKED)
        plan.depth /= 2;
    return plan;
}

bool gbl_gemm_single_item_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return device->table->build != NULL && !device->props.is_gpu &&
           ((const gbl_product_call *)call)->sizes == NULL;
}

int gbl_gemm_single_item_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                               const gbl_device *device, gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    const walk_plan plan = plan_walk(call, params);
    (void)self, (void)device;
    gbl_kernel_begin(spec, "gemm_single_item.cl", call->dtype);
    gbl_gemm_macros(call, spec);
    gbl_gemm_two_products(call, spec);
    gbl_kernel_add_macro(spec, "BLOCK", plan.block);
    gbl_kernel_add_macro(spec, "DEPTH", plan.depth);
    gbl_kernel_add_macro(spec, "LANES", plan.lanes);
    gbl_kernel_add_macro(spec, "COLUMNS", plan.columns);
    return 1;
}

gable_status gbl_gemm_single_item_run(gable_context *ctx, const gbl_variant *self,
                                      const void *given, const gbl_params *params)
{
    const gbl_product_call *call = given;
    const gemm_args args = gbl_gemm_args(call);
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    gbl_gemm_single_item_specs(self, call, params, ctx->device, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {gbl_some_parts(call->m, params->value[WALK_BLOCK]),
                   gbl_some_parts(call->n, params->value[WALK_BLOCK])},
        .group = {1, 1},
        .buffer_count = 5,
        .buffers = GBL_GEMM_BUFFERS(call),
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* A block loads its rows of op(A) and its columns of op(B) once and reads them from its packed
 * panels once per tile; C is read and written once per DEPTH terms. */
void gbl_gemm_single_item_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                               const gbl_device *device, gbl_cost *cost)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    const double reals = gbl_dtype_complex(call->dtype) ? 2 : 1;
    const walk_plan plan = plan_walk(call, params);
    const double block = plan.block, m = (double)call->m, n = (double)call->n;
    gbl_work work;
    (void)self, (void)device;
    gbl_gemm_work(call, &work);
    memset(cost, 0, sizeof *cost);
    const double terms = work.flops / gbl_product_flops(call->dtype);
    const double rows = m < block ? m : block, width = n < block ? n : block;
    cost->memory_bytes = work.bytes_read + work.bytes_written;
    cost->cache_bytes =
        elem * terms *
        (1 / width + 1 / rows + (1. / plan.lanes + 1. / plan.columns) * reals + 2. / plan.depth);
    cost->flops = work.flops;
    cost->launches = 1;
    cost->groups =
        (double)gbl_some_parts(call->m, plan.block) * (double)gbl_some_parts(call->n, plan.block);
    cost->group_items = 1;
    cost->bytes_in_flight = 512;
}
