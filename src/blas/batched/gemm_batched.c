/* gemm_batched.c: C := alpha op(A) op(B) + beta C for many batch entries of one shape.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `one` has a work-item per element of C and takes batch entries of any size; `tile` (gemm_tile.c)
 * and, on Hopper, `pipeline` (gemm_batched_pipeline.c) have tiles; `small` (gemm_small.c) has
 * several small batch entries per group in local memory. Addresses come from strides or from arrays
 * in the device's memory, of which the host knows nothing.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/batched/gemm_batched.h"
#include "blas/batched/gemm_small.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

#define FEWEST_LANES 32 /* along the rows: a cache line of s, so that neighbours read neighbours */
#define FEW_ITEMS    16 /* of a group on a CPU, where each of them is a turn of a loop */

enum { ONE_ITEMS, ONE_PARAMS };
static const int32_t items[] = {1, 16, 32, 64, 128, 256};
static const gbl_param one_space[ONE_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 128},
};

/* ---- one ---- */

typedef struct one_plan {
    gemm_batched_args args;
    int64_t blocks; /* of a batch entry */
    int32_t items, wx;
} one_plan;

/* Lanes along the rows, as many as there are but whole cache lines; the others along the columns. A
 * CPU has one kernel for batch entries of all sizes. */
static void plan_one(const gbl_product_call *call, const gbl_device *device, int32_t group,
                     one_plan *plan)
{
    const bool gpu = device->props.is_gpu;
    memset(plan, 0, sizeof *plan);
    if (!gpu && group > FEW_ITEMS)
        group = FEW_ITEMS;
    plan->items = group;
    plan->wx = group;
    while (gpu && plan->wx > FEWEST_LANES && plan->wx / 2 >= call->m)
        plan->wx /= 2;
    while (gpu && plan->wx > 1 && plan->wx / 2 >= call->m && group / plan->wx * 2 <= call->n)
        plan->wx /= 2;
    plan->args = gbl_gemm_batched_args(call);
    plan->args.row_blocks = gbl_some_parts(call->m, plan->wx);
    plan->args.sets = call->batch < GBL_MOST_GROUPS_Y ? call->batch : GBL_MOST_GROUPS_Y;
    plan->blocks = plan->args.row_blocks * gbl_some_parts(call->n, group / plan->wx);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    one_plan *plan = planned;
    (void)self;
    plan_one(call, device,
             params->value[ONE_ITEMS] < most_items ? params->value[ONE_ITEMS] : most_items, plan);
    gbl_kernel_begin(spec, "gemm_batched.cl", call->dtype);
    gbl_gemm_batched_macros(call, spec);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "WX", plan->wx);
    return plan->items;
}

static int one_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_kernel_spec *specs)
{
    one_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gable_status run_one(gable_context *ctx, const gbl_variant *self, const void *given,
                            const gbl_params *params)
{
    const gbl_product_call *call = given;
    one_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, ONE_ITEMS, plan_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.blocks, plan.args.sets},
        .group = {plan.items, 1},
        .follows_pointers = call->pointers,
        .buffer_count = 5,
        .buffers = GBL_GEMM_BUFFERS(call),
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* Every multiply-add loads both its factors; those of neighbours come from the cache. */
static void cost_one(const gbl_variant *self, const void *given, const gbl_params *params,
                     const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    one_plan plan;
    gbl_work work;
    (void)self;
    plan_one(call, device, params->value[ONE_ITEMS], &plan);
    gbl_gemm_batched_work(call, &work);
    memset(out, 0, sizeof *out);
    const double terms = work.flops / gbl_product_flops(call->dtype);
    out->memory_bytes = work.bytes_read + work.bytes_written;
    out->cache_bytes = elem * terms * (call->trans == GABLE_NO_TRANS ? 1 : 8);
    out->flops = work.flops * (device->props.is_gpu ? GBL_PLAIN_FACTOR : 1);
    out->launches = 1;
    out->waits =
        device->props.is_gpu ? (double)call->k / 2 : 0; /* loads of a term wait for those before */
    out->groups = (double)plan.blocks * (double)plan.args.sets;
    out->group_items = plan.items;
    out->bytes_in_flight = 2 * elem * plan.items;
}

static bool one_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, uint64_t *hash)
{
    one_plan plan;
    (void)self;
    plan_one(call, device, params->value[ONE_ITEMS], &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items, 0);
}

/* ---- The op ---- */

static const gbl_product_routine routine = {
    .stem = "gemm_batched",
    .work = gbl_gemm_batched_work,
    .omp = GBL_CPU_FOUR(gemm_batched_omp),
};

static const gbl_variant variants[] = {
    GBL_VARIANT("one", .fits = gbl_gemm_fits_kernels, .run = run_one, .cost = cost_one,
                .space = one_space, .space_count = ONE_PARAMS, .legal = one_legal,
                .kernels = "gemm_batched.cl", .specs = one_specs),
    GBL_GEMM_TILE_VARIANT(&routine),
    GBL_BATCHED_PIPELINE_VARIANT,
    GBL_GEMM_SMALL_VARIANT,
    GBL_BATCH_VARIANTS(&routine),
};

static const gbl_operand operands[] = {
    GBL_GEMM_FIRST_OPERANDS,
    GBL_PRODUCT_ENTRIES(A, "lda", lda, "stride_a", stride_a, GBL_READ, PRODUCT_AT(alpha),
                        gbl_product_a_rows, gbl_product_a_columns, NULL, "rows of A"),
    GBL_PRODUCT_ENTRIES(B, "ldb", ldb, "stride_b", stride_b, GBL_READ, PRODUCT_AT(alpha),
                        gbl_product_b_rows, gbl_product_b_columns, NULL, "rows of B"),
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_ENTRIES(C, "ldc", ldc, "stride_c", stride_c, GBL_READ_WRITE, 0, gbl_product_m,
                        gbl_product_n, NULL, "m"),
    GBL_PRODUCT_BATCH,
    GBL_PRODUCT_POINTERS,
};

const gbl_op gbl_gemm_batched_op = {GBL_PRODUCT_OP("gemm_batched", operands, variants),
                                    .idle = gbl_product_idle, .work = gbl_gemm_batched_work};
