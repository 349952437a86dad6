/* gemm_tf32.c: products in single precision as three of TF32 numbers: plans of
 * kernels/sm90/gemm_tf32.cu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The variant fits calls whose `math` permits it, on GPUs with the matrix units of sm_90a. TMA
 * takes factors that start at multiples of 16 bytes and whose columns do; others are copied to the
 * workspace before (gemm_aligned_copy.c), where the device has room for that.
 */
#include <math.h>
#include <string.h>
#include "core/kernel_args.h"
#include "blas/gemm/gemm_composed.h"
#include "blas/gemm/gemm_tf32.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

/* As in the kernel. */
#define ROWS           128
#define TERMS          32
#define LINE_BYTES     128
#define ITEMS          384
#define MBARRIER_BYTES 24 /* of a stage */
#define WHOLE_BYTES    1024
#define PANEL          32 /* rows of a TMA tile whose lines are terms */
#define LINES          64 /* rows of a TMA tile whose lines are rows */

#define MOST_SIZE   (INT32_MAX / 2) /* coordinates of TMA tiles have 32 bits */
#define LEAST_TERMS 128 /* fewer: the error of plain sums may be smaller (docs/numerics.md) */
#define TRUNCATED_TERMS                                                                            \
    256 /* from here on a factor that is truncated, not rounded, does not show either */
#define LEAST_SIDE 64 /* thinner products leave most of a tile empty */
/* Of a multiprocessor: multiply-adds of TF32 numbers a cycle (NVIDIA H100 whitepaper), three for
 * each of the call; and cycles in which nothing is multiplied, estimated: a tile's first step, and
 * its stores. */
#define RATE 1024.0
/* Times as long as at that rate, on an H200 (2026-11) at n = 2048, 4096 and 8192; all of a step
 * goes through shared memory, and of narrow tiles more. */
#define STEP_SLOWER   1.40
#define NARROW_SLOWER 1.91
#define FIRST_CYCLES  2500
#define STORE_BYTES   16.0 /* of C a cycle */
#define READ_BYTES    8.0

enum { TF32_COLUMNS, TF32_STAGES, TF32_RASTER, TF32_STAYS };
static const int32_t widths[] = {64, 128};
static const int32_t stages[] = {3, 4, 6};
static const int32_t bands[] = {4, 8, 16};
static const int32_t truncated[] = {0, 1};
const gbl_param gbl_gemm_tf32_space[GBL_GEMM_TF32_PARAMS] = {
    {.name = "columns", GBL_VALUES(widths), .fallback = 128},
    {.name = "stages", GBL_VALUES(stages), .fallback = 4},
    {.name = "raster", GBL_VALUES(bands), .fallback = 8},
    {.name = "stays", GBL_VALUES(truncated), .fallback = 0},
};

typedef struct tf32_plan {
    gemm_args args;
    int32_t columns, stages, raster, two_products, stays;
    int64_t tiles;
} tf32_plan;

/* ---- Which calls ---- */

bool gbl_gemm_tf32_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    (void)self;
    return call->math == GABLE_MATH_TF32X3 && call->dtype == GBL_S &&
           device->table->build != NULL && strcmp(device->info.arch, "sm_90a") == 0 &&
           device->props.max_tensor_maps >= 2 && call->sizes == NULL && call->m < MOST_SIZE &&
           call->n < MOST_SIZE && call->k > 0 && call->k < MOST_SIZE &&
           !gbl_scalar_zero(&call->alpha) &&
           (double)(call->m / ROWS + 1) * (double)(call->n / 64 + 1) < (double)MOST_SIZE &&
           !(call->two_products && call->triangular != GBL_NOT_TRIANGULAR) &&
           ((uintptr_t)call->A | (uintptr_t)call->B | (uintptr_t)call->C) % sizeof(float) == 0 &&
           (gbl_gemm_align_bytes(call) == 0 || gbl_gemm_align_fits(call, device));
}

static bool is_forced(const gable_context *ctx, const gbl_variant *variant)
{
    for (int i = 0; i < ctx->choices.forced_count; i++)
        if (ctx->choices.forced[i].variant == variant)
            return true;
    return false;
}

gbl_product_call gbl_gemm_permitted(const gable_context *ctx, const gbl_variant *variant,
                                    const gbl_product_call *call)
{
    gbl_product_call permitted = *call;
    permitted.math = (uint8_t)ctx->math;
    if (!(variant->fits(variant, &permitted, ctx->device) &&
          ((call->k >= LEAST_TERMS && call->m >= LEAST_SIDE && call->n >= LEAST_SIDE) ||
           is_forced(ctx, variant))))
        permitted.math = GABLE_MATH_PLAIN;
    return permitted;
}

/* ---- Plans ---- */

static int64_t stage_bytes(const tf32_plan *plan)
{
    return (int64_t)(ROWS + 2 * plan->columns) * LINE_BYTES;
}

static int64_t local_bytes(const tf32_plan *plan)
{
    return plan->stages * (stage_bytes(plan) + MBARRIER_BYTES) + WHOLE_BYTES;
}

static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, tf32_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->columns = params->value[TF32_COLUMNS];
    plan->stages = params->value[TF32_STAGES];
    plan->raster = params->value[TF32_RASTER];
    plan->two_products = call->two_products != 0;
    plan->stays = params->value[TF32_STAYS] && call->trans_b == GABLE_NO_TRANS &&
                  call->triangular <= GBL_A_UPPER && call->k >= TRUNCATED_TERMS;
    while (plan->stages > 3 && local_bytes(plan) > (int64_t)device->props.max_dynamic_local_bytes)
        plan->stages--;
    gemm_args *args = &plan->args;
    *args = gbl_gemm_args(call);
    args->tile_rows = gbl_some_parts(call->m, ROWS);
    args->tile_columns = gbl_some_parts(call->n, plan->columns);
    plan->tiles = call->triangle_c == GBL_ALL
                      ? args->tile_rows * args->tile_columns
                      : args->tile_rows * (args->tile_rows + 1) / 2 * (ROWS / plan->columns);
}

static void make_spec(const gbl_product_call *call, const tf32_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "gemm_tf32.cu", call->dtype);
    gbl_gemm_macros(call, spec);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "STAGES", plan->stages);
    gbl_kernel_add_macro(spec, "RASTER", plan->raster);
    gbl_kernel_add_macro(spec, "TWO_PRODUCTS", plan->two_products);
    gbl_kernel_add_macro(spec, "STAYS", plan->stays);
}

int gbl_gemm_tf32_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs)
{
    tf32_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    make_spec(call, &plan, specs);
    return 1;
}

bool gbl_gemm_tf32_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, uint64_t *hash)
{
    tf32_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return local_bytes(&plan) <= (int64_t)device->props.max_dynamic_local_bytes &&
           gbl_group_legal(device, ITEMS, 0);
}

/* ---- Launches ---- */

/* A factor as it is stored. */
typedef struct factor {
    const void *at;
    int64_t rows, columns, ld;
    bool along; /* rows of op(A), or columns of op(B), lie side by side */
} factor;

static factor left_of(const gbl_product_call *call)
{
    return (factor){.at = call->A,
                    .rows = gbl_product_a_rows(call),
                    .columns = gbl_product_a_columns(call),
                    .ld = call->lda,
                    .along = call->trans == GABLE_NO_TRANS};
}

static factor right_of(const gbl_product_call *call)
{
    return (factor){.at = call->B,
                    .rows = gbl_product_b_rows(call),
                    .columns = gbl_product_b_columns(call),
                    .ld = call->ldb,
                    .along = call->trans_b != GABLE_NO_TRANS};
}

static gable_status make_map(gable_context *ctx, const factor *of, gbl_tensor_map *map)
{
    const gbl_tensor_map_spec box = {.dtype = GBL_S,
                                     .rank = 2,
                                     .address = of->at,
                                     .dims = {of->rows, of->columns},
                                     .strides = {of->ld * (int64_t)sizeof(float)},
                                     .box = {TERMS, of->along ? PANEL : LINES},
                                     .swizzled = true};
    _Static_assert(TERMS == PANEL, "TMA tiles are as wide either way");
    return gbl_device_tensor_map(ctx->device, &box, map, &ctx->message);
}

gable_status gbl_gemm_tf32_run(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    gbl_product_call aligned = *(const gbl_product_call *)given, *const call = &aligned;
    gbl_tensor_map maps[2];
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    tf32_plan plan;
    (void)self;
    make_plan(call, params, ctx->device, &plan);
    make_spec(call, &plan, &spec);
    if (ctx->debug_lanes)
        gbl_kernel_add_macro(&spec, "LANES_ARRIVE", 1);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    TRY(gbl_gemm_align(ctx, &aligned));
    const factor left = left_of(call), right = right_of(call);
    TRY(make_map(ctx, &left, &maps[0]));
    TRY(make_map(ctx, &right, &maps[1]));
    plan.args.lda = left.ld;
    plan.args.ldb = right.ld;
    const int64_t units = (int64_t)ctx->device->props.units - call->reserved_units,
                  places = units > 1 ? units : 1;
    gbl_launch_spec launch = {
        .groups = {plan.tiles < places ? plan.tiles : places, 1},
        .group = {ITEMS, 1},
        .dynamic_local_bytes = (size_t)local_bytes(&plan),
        .not_early = call->reserved_units > 0,
        .map_count = 2,
        .maps = maps,
        .buffer_count = 5,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->C),
                    gbl_scalar_buffer(&call->beta, call->C), left.at, right.at, call->C},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- The model ---- */

void gbl_gemm_tf32_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double units = device->props.units > 0 ? device->props.units : 1;
    tf32_plan plan;
    gbl_work work;
    (void)self;
    make_plan(call, params, device, &plan);
    gbl_gemm_work(call, &work);
    memset(out, 0, sizeof *out);
    const double tiles = (double)plan.tiles, elements = (double)ROWS * plan.columns,
                 rounds = ceil(tiles / units), copied = 2 * gbl_gemm_align_bytes(call);
    double steps = ceil((double)call->k / TERMS) * (1 + plan.two_products);
    if (call->triangular != GBL_NOT_TRIANGULAR) /* half of the terms, the longest tiles first */
        steps = ceil(steps / 2 + ROWS / 2.0 / TERMS);
    const double step_cycles =
        3 * elements * TERMS / RATE * (plan.columns < 128 ? NARROW_SLOWER : STEP_SLOWER);
    double cycles = rounds * (steps * step_cycles + FIRST_CYCLES + 4 * elements / STORE_BYTES);
    if (!gbl_scalar_zero(&call->beta))
        cycles += rounds * 4 * elements / READ_BYTES;
    if (call->triangular != GBL_NOT_TRIANGULAR)
        cycles *= 1 - 0.5 / rounds * (rounds > 1); /* short tiles fill the last round */
    out->memory_bytes = work.bytes_read + work.bytes_written + copied;
    out->written_bytes = work.bytes_written + copied / 2;
    out->cache_bytes = 4 * tiles * steps * TERMS * (ROWS + plan.columns);
    out->matrix_flops = 2 * RATE * units * cycles;
    out->launches = 1 + (copied > 0);
    out->groups = tiles < units ? tiles : units;
    out->group_items = ITEMS;
    out->bytes_in_flight = (double)((plan.stages - 2) * (ROWS + plan.columns) * LINE_BYTES);
    /* Few terms are for plain sums: the mode promises no larger errors. */
    if (call->k < LEAST_TERMS)
        out->matrix_flops *= 1000;
}
