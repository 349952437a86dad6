/* gemm_pipeline.c: kernels and launches of products by a multistage pipeline.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/gemm/gemm_pipeline.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

#define MOST_SIZE ((int64_t)1 << 30)
/* Of real products whose C goes through shared memory: with so many that gained 7 % in d, 10 % in s
 * (H200, 2026-11-17). */
#define FEW_TERMS 256

static void make_spec(const gbl_product_call *call, const gbl_pipeline_plan *plan,
                      gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, gbl_pipeline_core_of(call->dtype)->file, call->dtype);
    gbl_gemm_macros(call, spec);
    gbl_kernel_add_macro(spec, "ROWS", plan->rows);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "WARP_ROWS", plan->warp_rows);
    gbl_kernel_add_macro(spec, "WARP_COLUMNS", plan->warp_columns);
    gbl_kernel_add_macro(spec, "STAGES", plan->stages);
    gbl_kernel_add_macro(spec, "SPLIT_K", plan->split_k);
    gbl_kernel_add_macro(spec, "CLUSTER", plan->cluster);
    gbl_kernel_add_macro(spec, "STAGGER", plan->stagger);
    gbl_kernel_add_macro(spec, "LOAD_MODE_A", plan->load_mode_a);
    gbl_kernel_add_macro(spec, "LOAD_MODE_B", plan->load_mode_b);
    gbl_kernel_add_macro(spec, "ALIGN_C", plan->align_c);
    gbl_kernel_add_macro(spec, "TWO_PRODUCTS", call->two_products != 0);
    gbl_kernel_add_macro(spec, "SIZES", call->sizes != NULL);
    gbl_kernel_add_macro(spec, "MIN_GROUPS", plan->resident);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "STAGED_C", plan->staged_c);
    if (plan->batch != 0)
        gbl_kernel_add_macro(spec, "BATCH", plan->batch);
}

int gbl_pipeline_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_pipeline_plan plan;
    (void)self;
    if (!gbl_pipeline_plan_nearest(call, params, device, &plan))
        return 0;
    make_spec(call, &plan, specs);
    return 1;
}

/* ---- Launches ---- */

/* A factor, `size` rows of op(A) or columns of op(B) with k terms each, in TMA tiles of so many
 * lines. */
typedef struct factor {
    const void *at;
    int64_t ld, size, apart;
    bool along; /* stored along its rows (columns of op(B)), not along its terms */
} factor;

static gable_status make_map(gable_context *ctx, const gbl_product_call *call,
                             const gbl_pipeline_plan *plan, factor of, int32_t load_mode,
                             int32_t lines, gbl_tensor_map *map)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype), column_bytes = of.ld * elem;
    const int many = plan->batch != 0; /* the batch entry is one more dimension */
    /* Maps have no stride of 0: a factor that all batch entries share is a single one. Nor a
     * negative one: they begin with the last batch entry then, and so does the kernel. */
    const int64_t entries = of.apart != 0 ? call->batch : 1,
                  apart = of.apart < 0 ? -of.apart : of.apart,
                  apart_bytes = entries > 1 ? apart * elem : GBL_PIPELINE_LINE_BYTES;
    const char *first = of.at;
    if (entries > 1 && of.apart < 0)
        first -= (entries - 1) * apart_bytes;
    const gbl_tensor_map_spec panels = {
        .dtype = call->dtype,
        .rank = 3 + many,
        .address = first,
        .dims = {plan->terms, call->k, of.size / plan->terms, entries},
        .strides = {column_bytes, GBL_PIPELINE_LINE_BYTES, apart_bytes},
        .box = {plan->terms, plan->terms, lines / plan->terms, 1},
        .swizzled = true};
    if (load_mode == GBL_LOAD_TMA_PANELS)
        return gbl_device_tensor_map(ctx->device, &panels, map, &ctx->message);
    const gbl_tensor_map_spec box = {
        .dtype = call->dtype,
        .rank = 2 + many,
        .address = first,
        .dims = {of.along ? of.size : call->k, of.along ? call->k : of.size, entries},
        .strides = {column_bytes, apart_bytes},
        .box = {plan->terms, of.along ? plan->terms : lines, 1},
        .swizzled = true};
    return gbl_device_tensor_map(ctx->device, &box, map, &ctx->message);
}

/* C in TMA tiles of 128 bytes of rows and some columns. */
static gable_status make_map_c(gable_context *ctx, const gbl_product_call *call,
                               const gbl_pipeline_plan *plan, gbl_tensor_map *map)
{
    const gbl_tensor_map_spec box = {
        .dtype = call->dtype,
        .rank = 2,
        .address = call->C,
        .dims = {call->m, call->n},
        .strides = {call->ldc * (int64_t)gbl_dtype_bytes(call->dtype)},
        .box = {plan->terms, gbl_pipeline_core_of(call->dtype)->staged_columns},
        .swizzled = true};
    return gbl_device_tensor_map(ctx->device, &box, map, &ctx->message);
}

gable_status gbl_pipeline_run(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    const gbl_product_call *call = given;
    gbl_pipeline_plan plan;
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    if (!gbl_pipeline_plan_nearest(call, params, ctx->device, &plan))
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "%s=%s cannot run with these tunables: tiles of %d x %d, %d slices",
                        gbl_pipeline_many(call) ? "gemm_batched" : "gemm", self->name,
                        (int)plan.rows, (int)plan.columns, (int)plan.split_k);
    make_spec(call, &plan, &spec);
    if (ctx->debug_lanes)
        gbl_kernel_add_macro(&spec, "LANES_ARRIVE", 1);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));

    const factor a = {call->A, call->lda, call->m, call->stride_a, call->trans == GABLE_NO_TRANS},
                 b = {call->B, call->ldb, call->n, call->stride_b, call->trans_b != GABLE_NO_TRANS};
    gbl_tensor_map maps[GBL_MAX_MAPS];
    memset(maps, 0, sizeof maps);
    const bool terms = plan.args.of.k > 0; /* else nothing is read */
    if (terms && gbl_load_by_tma(plan.load_mode_a)) {
        TRY(make_map(ctx, call, &plan, a, plan.load_mode_a, plan.rows, &maps[0]));
        if (call->two_products)
            TRY(make_map(ctx, call, &plan, a, plan.load_mode_a, plan.columns, &maps[3]));
    }
    if (terms && gbl_load_by_tma(plan.load_mode_b)) {
        TRY(make_map(ctx, call, &plan, b, plan.load_mode_b, plan.columns, &maps[1]));
        if (call->two_products)
            TRY(make_map(ctx, call, &plan, b, plan.load_mode_b, plan.rows, &maps[2]));
    }
    const int factor_maps = call->two_products ? 4 : 2;
    if (plan.staged_c > 0)
        TRY(make_map_c(ctx, call, &plan, &maps[factor_maps]));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .dynamic_local_bytes = (size_t)plan.local_bytes,
        .cluster = plan.cluster,
        .not_early = call->reserved_units > 0,
        .follows_pointers = call->pointers,
        .buffer_count = 6,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A),
                    gbl_scalar_buffer(&call->beta, call->A), call->A, call->B, call->C,
                    call->sizes != NULL ? (const void *)call->sizes : call->A},
        .map_count = factor_maps + (plan.staged_c > 0),
        .maps = maps,
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- What is known before ---- */

bool gbl_pipeline_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    (void)self;
    return gbl_pipeline_core_of(call->dtype) != NULL && device->props.max_tensor_maps > 0 &&
           strcmp(device->info.arch, "sm_90a") == 0 && call->m < MOST_SIZE && call->n < MOST_SIZE &&
           call->k < MOST_SIZE && call->lda * elem < GBL_PIPELINE_MOST_STRIDE &&
           call->ldb * elem < GBL_PIPELINE_MOST_STRIDE &&
           (double)(call->m / 32 + 1) * (double)(call->n / 32 + 1) < (double)(INT32_MAX / 8) &&
           (!call->two_products ||
            (call->triangular == GBL_NOT_TRIANGULAR &&
             (call->trans == GABLE_NO_TRANS) == (call->trans_b != GABLE_NO_TRANS)));
}

/* Buffers of C take the place of stages: whether its bytes are many beside the steps. Smaller tiles
 * were not measured, nor were products that do not read C in other precisions than d; in c
 * compilers spill for triangles. */
static bool staged_c_pays(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    return (call->dtype == GBL_D || !gbl_scalar_zero(&call->beta)) && plan->rows >= 128 &&
           plan->columns >= 64 && (call->dtype != GBL_C || call->triangle_c == GBL_ALL) &&
           call->k <= (gbl_dtype_complex(call->dtype) ? FEW_TERMS / 2 : FEW_TERMS);
}

bool gbl_pipeline_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, uint64_t *hash)
{
    gbl_pipeline_plan plan;
    (void)self;
    if (!gbl_pipeline_plan_make(call, params, device, &plan))
        return false;
    if (plan.staged_c > 0 && !staged_c_pays(call, &plan))
        return false;
    /* Clusters are for few tiles: groups that follow one another fill their pipelines anew. */
    if (plan.cluster > 1 &&
        plan.tiles * plan.cluster > (int64_t)device->props.units * plan.resident)
        return false;
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return true;
}
