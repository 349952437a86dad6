/* gemm_ring.c: products of two matrices by tiles that come through a ring of stages: kernels and launches.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/gemm/gemm_ring.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

#define MOST_SIZE ((int64_t)1 << 30)
/* Of real products whose C goes through local memory: with so many that gained 7 % in d, 10 % in s (H200, 2026-11-17). */
#define FEW_TERMS 256

static void make_spec(const gbl_product_call *call, const gbl_ring_plan *plan,
                      gbl_kernel_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    spec->file = gbl_ring_core_of(call->dtype)->file;
    spec->dtype = call->dtype;
    gbl_gemm_macros(call, spec);
    gbl_kernel_add_macro(spec, "ROWS", plan->rows);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "WARP_ROWS", plan->warp_rows);
    gbl_kernel_add_macro(spec, "WARP_COLUMNS", plan->warp_columns);
    gbl_kernel_add_macro(spec, "STAGES", plan->stages);
    gbl_kernel_add_macro(spec, "LAYERS", plan->layers);
    gbl_kernel_add_macro(spec, "CLUSTER", plan->cluster);
    gbl_kernel_add_macro(spec, "SKEW", plan->skew);
    gbl_kernel_add_macro(spec, "HOW_A", plan->how_a);
    gbl_kernel_add_macro(spec, "HOW_B", plan->how_b);
    gbl_kernel_add_macro(spec, "ALIGN_C", plan->align_c);
    gbl_kernel_add_macro(spec, "TWICE", call->twice != 0);
    gbl_kernel_add_macro(spec, "SIZES", call->sizes != NULL);
    gbl_kernel_add_macro(spec, "MIN_GROUPS", plan->resident);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "THROUGH", plan->through);
    if (plan->batch != 0)
        gbl_kernel_add_macro(spec, "BATCH", plan->batch);
}

int gbl_ring_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_ring_plan plan;
    (void)self;
    if (!gbl_ring_plan_nearest(call, params, device, &plan))
        return 0;
    make_spec(call, &plan, specs);
    return 1;
}

/* ---- Launches ---- */

/* A factor, `size` rows of op(A) or columns of op(B) with k terms each, in boxes of so many lines. */
typedef struct factor {
    const void *at;
    int64_t ld, size, apart;
    bool along; /* stored along its rows (columns of op(B)), not along its terms */
} factor;

static gable_status make_map(gable_context *ctx, const gbl_product_call *call,
                             const gbl_ring_plan *plan, factor of, int32_t how, int32_t lines,
                             gbl_tensor_map *map)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype), column_bytes = of.ld * elem;
    const int many = plan->batch != 0; /* the member is one more dimension */
    /* Maps have no stride of 0: a factor that all members share is a single one. Nor a negative one: they begin with the
     * last member then, and so does the kernel. */
    const int64_t members = of.apart != 0 ? call->batch : 1,
                  apart = of.apart < 0 ? -of.apart : of.apart,
                  apart_bytes = members > 1 ? apart * elem : GBL_RING_LINE_BYTES;
    const char *first = of.at;
    if (members > 1 && of.apart < 0)
        first -= (members - 1) * apart_bytes;
    const gbl_tensor_box panels = {.dtype = call->dtype,
                                   .rank = 3 + many,
                                   .address = first,
                                   .dims = {plan->terms, call->k, of.size / plan->terms, members},
                                   .strides = {column_bytes, GBL_RING_LINE_BYTES, apart_bytes},
                                   .box = {plan->terms, plan->terms, lines / plan->terms, 1},
                                   .swizzled = true};
    if (how == GBL_RING_PANELS)
        return gbl_device_tensor_map(ctx->device, &panels, map, &ctx->message);
    const gbl_tensor_box box = {
        .dtype = call->dtype,
        .rank = 2 + many,
        .address = first,
        .dims = {of.along ? of.size : call->k, of.along ? call->k : of.size, members},
        .strides = {column_bytes, apart_bytes},
        .box = {plan->terms, of.along ? plan->terms : lines, 1},
        .swizzled = true};
    return gbl_device_tensor_map(ctx->device, &box, map, &ctx->message);
}

/* C in boxes of 128 bytes of rows and some columns. */
static gable_status make_map_c(gable_context *ctx, const gbl_product_call *call,
                               const gbl_ring_plan *plan, gbl_tensor_map *map)
{
    const gbl_tensor_box box = {.dtype = call->dtype,
                                .rank = 2,
                                .address = call->C,
                                .dims = {call->m, call->n},
                                .strides = {call->ldc * (int64_t)gbl_dtype_bytes(call->dtype)},
                                .box = {plan->terms, gbl_ring_core_of(call->dtype)->kept_columns},
                                .swizzled = true};
    return gbl_device_tensor_map(ctx->device, &box, map, &ctx->message);
}

gable_status gbl_ring_run(gable_context *ctx, const gbl_variant *self, const void *given,
                          const gbl_params *params)
{
    const gbl_product_call *call = given;
    gbl_ring_plan plan;
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    if (!gbl_ring_plan_nearest(call, params, ctx->device, &plan))
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "%s=%s cannot run with these tunables: tiles of %d x %d, %d layers",
                        gbl_ring_many(call) ? "gemm_batched" : "gemm", self->name, (int)plan.rows,
                        (int)plan.columns, (int)plan.layers);
    make_spec(call, &plan, &spec);
    if (ctx->debug_lanes)
        gbl_kernel_add_macro(&spec, "LANES_ARRIVE", 1);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));

    const factor a = {call->A, call->lda, call->m, call->stride_a, call->trans == GABLE_NO_TRANS},
                 b = {call->B, call->ldb, call->n, call->stride_b, call->trans_b != GABLE_NO_TRANS};
    gbl_tensor_map maps[GBL_MAX_MAPS];
    memset(maps, 0, sizeof maps);
    const bool terms = plan.args.of.k > 0; /* else nothing is read */
    if (terms && gbl_ring_boxed(plan.how_a)) {
        TRY(make_map(ctx, call, &plan, a, plan.how_a, plan.rows, &maps[0]));
        if (call->twice)
            TRY(make_map(ctx, call, &plan, a, plan.how_a, plan.columns, &maps[3]));
    }
    if (terms && gbl_ring_boxed(plan.how_b)) {
        TRY(make_map(ctx, call, &plan, b, plan.how_b, plan.columns, &maps[1]));
        if (call->twice)
            TRY(make_map(ctx, call, &plan, b, plan.how_b, plan.rows, &maps[2]));
    }
    const int factor_maps = call->twice ? 4 : 2;
    if (plan.through > 0)
        TRY(make_map_c(ctx, call, &plan, &maps[factor_maps]));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .dynamic_local_bytes = (size_t)plan.local_bytes,
        .cluster = plan.cluster,
        .follows_pointers = call->pointers,
        .buffer_count = 6,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A),
                    gbl_scalar_buffer(&call->beta, call->A), call->A, call->B, call->C,
                    call->sizes != NULL ? (const void *)call->sizes : call->A},
        .map_count = factor_maps + (plan.through > 0),
        .maps = maps,
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- What is known before ---- */

bool gbl_ring_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    (void)self;
    return gbl_ring_core_of(call->dtype) != NULL && device->props.max_tensor_maps > 0 &&
           strcmp(device->info.arch, "sm_90a") == 0 && call->m < MOST_SIZE && call->n < MOST_SIZE &&
           call->k < MOST_SIZE && call->lda * elem < GBL_RING_MOST_STRIDE &&
           call->ldb * elem < GBL_RING_MOST_STRIDE &&
           (double)(call->m / 32 + 1) * (double)(call->n / 32 + 1) < (double)(INT32_MAX / 8) &&
           (!call->twice || (call->zeros == GBL_NO_ZEROS &&
                             (call->trans == GABLE_NO_TRANS) == (call->trans_b != GABLE_NO_TRANS)));
}

/* Buffers of C take the place of stages: whether its bytes are many beside the steps. Smaller tiles were not measured, nor were
 * products that do not read C in other precisions than d; in c compilers spill for triangles. */
static bool through_pays(const gbl_product_call *call, const gbl_ring_plan *plan)
{
    return (call->dtype == GBL_D || !gbl_scalar_zero(&call->beta)) && plan->rows >= 128 &&
           plan->columns >= 64 && (call->dtype != GBL_C || call->part == GBL_ALL) &&
           call->k <= (gbl_dtype_complex(call->dtype) ? FEW_TERMS / 2 : FEW_TERMS);
}

bool gbl_ring_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    gbl_ring_plan plan;
    (void)self;
    if (!gbl_ring_plan_make(call, params, device, &plan))
        return false;
    if (plan.through > 0 && !through_pays(call, &plan))
        return false;
    /* Clusters are for few tiles: groups that follow one another fill their rings anew. */
    if (plan.cluster > 1 &&
        plan.tiles * plan.cluster > (int64_t)device->props.units * plan.resident)
        return false;
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return true;
}
