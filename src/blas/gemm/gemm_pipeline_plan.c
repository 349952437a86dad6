/* gemm_pipeline_plan.c: how products by pipelines of stages are cut into tiles: plans of
 * kernels/sm90/gemm_dmma.cu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Large products have tiles of 128 x 128, one group per unit, and groups that go on from tile to
 * tile. Where C has fewer tiles than the device has units, tiles become smaller, slices within a
 * group share their terms, and so do the groups of a cluster; all sums are added in a fixed order,
 * in one launch. Of many products at once (gemm_batched_pipeline.c) groups go over the tiles of all
 * batch entries.
 */
#include <string.h>
#include "blas/gemm/gemm_pipeline_plan.h"

#define PRODUCERS   128 /* work-items of a group that fill stages */
#define MOST_STAGES 8
/* of shared memory, which a unit keeps for itself beside each group */
#define BLOCK_BYTES      1024
#define MOST_SUMS        (256 * 512) /* bytes, of all slices of a group */
#define LEAST_STEPS      4           /* of each slice, where groups share the terms of a tile */
#define STAGED_MBARRIERS 32          /* bytes, of a buffer of C (kernels/sm90/gemm_staged_c.cuh) */
#define RASTER           16          /* 8 to 16 were equally fast (H200, 2026-11) */
#define RASTER_TRIANGLE  8
/* Where C goes through shared memory its bytes count more than those of the factors: groups that
 * run together have longer pieces of the same columns. d 8192 x 8192 x 64 by 128 x 64 in 288 us
 * (16: 300), s 16384 x 16384 x 32 in 637 (646) (H200, 2026-11). */
#define RASTER_STAGED_C 64

enum {
    PIPELINE_ROWS,
    PIPELINE_COLUMNS,
    PIPELINE_SPLIT_K,
    PIPELINE_CLUSTER,
    PIPELINE_STAGES,
    PIPELINE_GROUPS,
    PIPELINE_STAGGER,
    PIPELINE_STAGED_C
};
static const int32_t sides[] = {32, 64, 128, 256};
static const int32_t split_k[] = {1, 2, 4, 8};
static const int32_t clusters[] = {0, 1, 2, 4, 8};        /* 0: as the number of tiles asks */
static const int32_t stages[] = {0, 2, 3, 4, 5, 6, 7, 8}; /* 0: as many as there is room for */
static const int32_t resident[] = {1, 2};
static const int32_t staggers[] = {0, 2, 4};
static const int32_t c_buffers[] = {0, 1, 2};
const gbl_param gbl_pipeline_space[GBL_PIPELINE_PARAMS] = {
    {.name = "rows", GBL_VALUES(sides), .fallback = 128},
    {.name = "columns", GBL_VALUES(sides), .fallback = 128},
    {.name = "split_k", GBL_VALUES(split_k), .fallback = 1},
    {.name = "cluster", GBL_VALUES(clusters), .fallback = 0},
    {.name = "stages", GBL_VALUES(stages), .fallback = 0},
    {.name = "groups", GBL_VALUES(resident), .fallback = 1},
    {.name = "stagger", GBL_VALUES(staggers), .fallback = 0},
    {.name = "staged_c", GBL_VALUES(c_buffers), .fallback = 0},
};

/* Shapes among which the model decides: large products, updates of low rank, small products. Most
 * are of some precisions. */
const gbl_params gbl_pipeline_starts[GBL_PIPELINE_STARTS] = {
    {{128, 128, 1, 0, 0, 1, 4, 0}},
    {{128, 128, 1, 0, 6, 1, 0, 0}},
    {{128, 64, 2, 0, 0, 1, 0, 0}},
    {{128, 64, 1, 0, 0, 2, 0, 0}},
    {{64, 64, 2, 0, 0, 1, 0, 0}},
    {{64, 64, 4, 0, 0, 1, 0, 0}},
    {{64, 32, 2, 0, 0, 1, 0, 0}},
    {{64, 32, 4, 0, 0, 1, 0, 0}},
    {{32, 32, 4, 0, 0, 1, 0, 0}},
    {{32, 32, 8, 0, 0, 1, 0, 0}},
    {{32, 32, 4, 2, 0, 1, 0, 0}},
    {{128, 64, 1, 0, 0, 1, 0, 0}},
    {{64, 128, 1, 0, 0, 1, 0, 0}},
    {{64, 64, 1, 0, 0, 2, 0, 0}},
    {{32, 64, 2, 0, 0, 1, 0, 0}},
    {{32, 64, 1, 0, 0, 2, 0, 0}},
    /* in single precision: */
    {{128, 256, 1, 0, 0, 1, 0, 0}},
    {{256, 128, 1, 0, 0, 1, 0, 0}},
    {{128, 128, 1, 0, 0, 2, 0, 0}},
    {{128, 128, 2, 0, 0, 1, 0, 0}},
    {{128, 64, 4, 0, 0, 1, 0, 0}},
    {{128, 32, 8, 0, 0, 1, 0, 0}},
    {{64, 32, 8, 0, 0, 1, 0, 0}},
    /* of low rank, where C goes through shared memory: */
    {{128, 128, 1, 0, 0, 1, 0, 1}},
    {{128, 64, 1, 0, 6, 1, 4, 1}},
    {{128, 64, 1, 0, 4, 1, 2, 2}},
    {{128, 64, 1, 0, 0, 1, 0, 1}},
    {{256, 128, 1, 0, 0, 1, 0, 1}},
};

/* Shapes for products within factorizations. Clusters are named, so that no shape has two kernels.
 * Of all shapes above those were taken, one after the other, with which the products of potrf,
 * getrf, geqrf, sytrd and gehrd lose least against free choices (n = 512 to 8192, predicted). */
const gbl_shared gbl_pipeline_shared[GBL_PIPELINE_SHARED] = {
    {GBL_BIT_D | GBL_BIT_C, {{128, 128, 1, 1, 0, 1, 0, 0}}},
    {GBL_BIT_D, {{128, 64, 1, 1, 6, 1, 4, 1}}},
    {GBL_BIT_D | GBL_BIT_Z, {{64, 64, 2, 1, 0, 1, 0, 0}}},
    {GBL_BIT_Z, {{128, 64, 1, 1, 0, 1, 0, 1}}},
    {GBL_BIT_Z, {{64, 64, 1, 1, 0, 2, 0, 0}}},
    {GBL_BIT_D | GBL_BIT_Z, {{64, 32, 2, 1, 0, 1, 0, 0}}},
    {GBL_BIT_D | GBL_BIT_Z, {{32, 32, 4, 1, 0, 1, 0, 0}}},
    {GBL_BIT_Z, {{32, 32, 4, 2, 0, 1, 0, 0}}},
    {GBL_BIT_D, {{64, 32, 2, 2, 0, 1, 0, 0}}},
    {GBL_BIT_C, {{64, 64, 4, 1, 0, 1, 0, 0}}},
    {GBL_BIT_S, {{256, 128, 1, 1, 0, 1, 0, 0}}},
    {GBL_BIT_S, {{256, 128, 1, 1, 0, 1, 0, 1}}},
    {GBL_BIT_S, {{128, 128, 1, 1, 0, 2, 0, 0}}},
    {GBL_BIT_S, {{128, 128, 2, 2, 0, 1, 0, 0}}},
    {GBL_BIT_C, {{128, 128, 1, 1, 0, 1, 0, 1}}},
    {GBL_BIT_C, {{128, 64, 1, 1, 0, 2, 0, 0}}},
};

/* ---- Plans ---- */

/* `apart`: elements from batch entry to batch entry. */
static int32_t load_mode(const gbl_product_call *call, const void *at, int64_t ld, int64_t apart)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype),
                  apart_bytes = call->batch > 1 ? (apart < 0 ? -apart : apart) * elem : 0;
    if (call->pointers)
        return GBL_LOAD_BATCH_ENTRY;
    if ((uintptr_t)at % 16 == 0 && ld * elem % 16 == 0 && apart_bytes % 16 == 0 &&
        apart_bytes < GBL_PIPELINE_MOST_STRIDE)
        return GBL_LOAD_TMA;
    return (uintptr_t)at % (uintptr_t)elem == 0 ? GBL_LOAD_ELEMENTS : GBL_LOAD_REALS;
}

/* A warp's part of a tile, such that a group computes with 256 work-items, or 128 where a unit has
 * two groups. */
static bool dmma_warps(gbl_dtype dtype, gbl_pipeline_plan *plan)
{
    const int32_t warps = plan->resident > 1 ? 4 : 8,
                  area = plan->rows * plan->columns * plan->split_k / warps;
    plan->warp_columns = area >= 1024 ? 32 : 16;
    plan->warp_rows = area / plan->warp_columns;
    plan->items = 32 * warps + PRODUCERS;
    return plan->rows <= 128 && plan->columns <= 128 && plan->warp_rows >= 32 &&
           plan->warp_rows <= (gbl_dtype_complex(dtype) ? 32 : 64) &&
           plan->warp_rows <= plan->rows && plan->warp_columns <= plan->columns;
}

const gbl_pipeline_core gbl_pipeline_dmma = {.file = "gemm_dmma.cu",
                                             .warps = dmma_warps,
                                             .step_slices = true,
                                             .swaps_halves = true,
                                             .pairs = true,
                                             .staged_columns = 16};

const gbl_pipeline_core *gbl_pipeline_core_of(gbl_dtype dtype)
{
    static const gbl_pipeline_core *const cores[4] = {[GBL_S] = &gbl_pipeline_ffma,
                                                      [GBL_D] = &gbl_pipeline_dmma,
                                                      [GBL_C] = &gbl_pipeline_ffma,
                                                      [GBL_Z] = &gbl_pipeline_dmma};
    return cores[dtype];
}

static int64_t sums_bytes(const gbl_pipeline_core *core, const gbl_pipeline_plan *plan,
                          int64_t elem)
{
    if (core->sums != NULL)
        return core->sums(plan);
    if (plan->split_k * plan->cluster == 1)
        return 0;
    if (core->swaps_halves && plan->split_k == 2 && plan->cluster == 1)
        return plan->rows * plan->columns * elem;
    const int64_t shown = (plan->split_k > 1 ? plan->split_k : 0) + (plan->cluster > 1 ? 1 : 0);
    return shown * plan->columns * (plan->rows * elem + 16);
}

/* Stages that fit, at most `wanted` if that is not 0. Slices that take steps in turn have stages of
 * their own: where another slice had a stage last, and has not got it yet, the parity of its
 * mbarrier says that it is full. Each has two at least: it waits for its next stage before it gives
 * one back. */
static bool plan_stages(const gbl_pipeline_core *core, const gbl_device *device, int32_t wanted,
                        int64_t elem, gbl_pipeline_plan *plan)
{
    const int64_t room = ((int64_t)device->props.max_dynamic_local_bytes + BLOCK_BYTES) /
                             plan->resident -
                         BLOCK_BYTES,
                  buffer = (int64_t)plan->rows * plan->columns * elem + STAGED_MBARRIERS,
                  beside = 1024 + sums_bytes(core, plan, elem) + plan->staged_c * buffer,
                  each = (int64_t)(plan->rows + plan->columns) * GBL_PIPELINE_LINE_BYTES + 24;
    const int64_t slices = core->step_slices ? plan->split_k : 1,
                  fit = room > beside ? (room - beside) / each : 0,
                  most = (fit < MOST_STAGES ? fit : MOST_STAGES) / slices * slices;
    plan->stages = (int32_t)(wanted > 0 ? wanted : most);
    plan->local_bytes = beside + plan->stages * each;
    return plan->stages <= fit && plan->stages % slices == 0 && plan->stages >= 2 * slices;
}

/* Groups that share a tile: while there are units left, and terms for each. */
static int32_t plan_cluster(const gbl_product_call *call, const gbl_device *device,
                            const gbl_pipeline_plan *plan)
{
    const int64_t places = (int64_t)device->props.units * plan->resident;
    int32_t cluster = 1;
    /* A cluster stays within one of the device's parts, whose units are not a multiple of four: 32
     * clusters of four did not run at once on 132 units (H200, 2026-11). */
    while (call->reserved_units == 0 && plan->batch == 0 &&
           2 * cluster <= device->props.max_cluster && cluster < 8 &&
           2 * cluster * plan->tiles <= (cluster > 1 ? places * 3 / 4 : places) &&
           plan->steps >= (int64_t)2 * cluster * LEAST_STEPS * plan->split_k)
        cluster *= 2;
    return cluster;
}

static void plan_tiles(const gbl_product_call *call, gbl_pipeline_plan *plan)
{
    const int64_t down = gbl_parts(call->m, plan->rows), across = gbl_parts(call->n, plan->columns);
    plan->tiles = down * across;
    const int64_t raster = plan->staged_c > 0 ? RASTER_STAGED_C : RASTER;
    plan->args.raster = down < raster ? down : raster;
    if (call->triangular == GBL_B_LOWER || call->triangular == GBL_B_UPPER)
        plan->args.raster = across < RASTER ? across : RASTER;
    if (call->triangle_c != GBL_ALL) {
        const int64_t side = plan->rows > plan->columns ? plan->rows : plan->columns,
                      blocks = gbl_parts(call->m, side);
        plan->tiles = blocks * (blocks + 1) / 2 * (side / plan->rows) * (side / plan->columns);
        plan->args.raster = RASTER_TRIANGLE;
    }
    plan->steps = gbl_parts(plan->args.of.k, plan->terms) * (call->two_products ? 2 : 1);
    if (plan->batch != 0) {
        plan->tiles *= call->batch;
        plan->args.of.batch = call->batch;
        plan->args.of.stride_a = call->stride_a;
        plan->args.of.stride_b = call->stride_b;
        plan->args.of.stride_c = call->stride_c;
    }
}

/* Whether tiles of C can go through shared memory: TMA takes whole columns of them, and one of the
 * work-items that copy elements or share a tile has no time for it. In c a work-item has neighbours
 * of a column if A is stored along its rows. */
static bool staged_c_fits(const gbl_product_call *call, const gbl_pipeline_plan *plan,
                          bool elements)
{
    return plan->staged_c == 0 ||
           (!elements && plan->batch == 0 && plan->align_c == 16 && plan->split_k == 1 &&
            plan->resident == 1 &&
            call->ldc * (int64_t)gbl_dtype_bytes(call->dtype) < GBL_PIPELINE_MOST_STRIDE &&
            (call->dtype != GBL_C || call->trans == GABLE_NO_TRANS));
}

/* Registers. What compilers spill (NVRTC 13.0) is not planned; tests/nvrtc looks for more. */

static bool both_transposed(const gbl_product_call *call)
{
    return call->trans != GABLE_NO_TRANS && call->trans_b != GABLE_NO_TRANS;
}

/* Whether the groups of a cluster lack registers: producers of elements want more of them there,
 * and the largest sums do not leave them. Slices leave fewest sums where there are eight. */
static bool clusters_spill(const gbl_product_call *call, const gbl_pipeline_plan *plan,
                           bool elements)
{
    const int64_t sums =
        (int64_t)plan->rows * plan->columns * plan->split_k * (int64_t)gbl_dtype_bytes(call->dtype);
    return elements &&
           (gbl_dtype_real_bytes(call->dtype) == 8 ? sums >= MOST_SUMS : plan->split_k < 8);
}

/* Forms that spill in any cluster: both factors are transposed there. */
static bool spills(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const bool masked = call->triangular != GBL_NOT_TRIANGULAR;
    if (!both_transposed(call) || gbl_dtype_real_bytes(call->dtype) == 8)
        return false;
    if (call->dtype == GBL_C)
        return (masked && plan->rows * plan->columns >= 128 * 128) ||
               (call->triangle_c != GBL_ALL && plan->resident > 1);
    return plan->split_k == 4 && (masked || call->pointers); /* or elements come in three ways */
}

bool gbl_pipeline_plan_make(const gbl_product_call *call, const gbl_params *params,
                            const gbl_device *device, gbl_pipeline_plan *plan)
{
    const gbl_pipeline_core *core = gbl_pipeline_core_of(call->dtype);
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    memset(plan, 0, sizeof *plan);
    if (core == NULL)
        return false;
    plan->args.of = gbl_gemm_args(call);
    plan->terms = (int32_t)(GBL_PIPELINE_LINE_BYTES / elem);
    plan->rows = params->value[PIPELINE_ROWS];
    plan->columns = params->value[PIPELINE_COLUMNS];
    plan->split_k = params->value[PIPELINE_SPLIT_K];
    plan->resident = params->value[PIPELINE_GROUPS];
    plan->stagger = params->value[PIPELINE_STAGGER];
    plan->staged_c = params->value[PIPELINE_STAGED_C];
    plan->batch = !gbl_pipeline_many(call) ? 0 : call->pointers ? 2 : 1;
    plan->load_mode_a = load_mode(call, call->A, call->lda, call->stride_a);
    plan->load_mode_b = load_mode(call, call->B, call->ldb, call->stride_b);
    if (plan->load_mode_a == GBL_LOAD_TMA && call->trans == GABLE_NO_TRANS &&
        call->m % plan->terms == 0)
        plan->load_mode_a = GBL_LOAD_TMA_PANELS;
    if (plan->load_mode_b == GBL_LOAD_TMA && call->trans_b != GABLE_NO_TRANS &&
        call->n % plan->terms == 0)
        plan->load_mode_b = GBL_LOAD_TMA_PANELS;
    plan->align_c = load_mode(call, call->C, call->ldc, call->stride_c) == GBL_LOAD_TMA
                        ? 16
                        : (int32_t)gbl_dtype_real_bytes(call->dtype);
    plan_tiles(call, plan);
    const bool elements = !gbl_load_by_tma(plan->load_mode_a) ||
                          !gbl_load_by_tma(plan->load_mode_b) ||
                          call->triangular != GBL_NOT_TRIANGULAR || call->sizes != NULL;
    const bool crowded = clusters_spill(call, plan, elements);
    plan->cluster = params->value[PIPELINE_CLUSTER];
    if (plan->cluster == 0)
        plan->cluster = crowded || plan->staged_c > 0 ? 1 : plan_cluster(call, device, plan);
    if (spills(call, plan))
        return false;
    if ((plan->batch != 0 || plan->staged_c > 0) && plan->cluster > 1)
        return false;
    if ((crowded && plan->cluster > 1) || !staged_c_fits(call, plan, elements) ||
        !core->warps(call->dtype, plan) ||
        !plan_stages(core, device, params->value[PIPELINE_STAGES], elem, plan))
        return false;
    const int64_t together = core->step_slices ? plan->split_k : 1;
    plan->steps = gbl_parts(plan->steps, plan->cluster * together) * together;
    const int64_t units = device->props.units - call->reserved_units,
                  places = (units > 1 ? units : 1) * plan->resident;
    plan->groups = plan->cluster > 1      ? plan->tiles * plan->cluster
                   : plan->tiles < places ? plan->tiles
                                          : places;
    /* Tiles of a triangular factor in the order of their lengths, where groups have few of them. In
     * bands that many share in the cache a group may get two long ones. */
    if (call->triangular != GBL_NOT_TRIANGULAR &&
        plan->tiles <= GBL_PIPELINE_FEW_ROUNDS * plan->groups)
        plan->args.raster = 1;
    /* Of few groups: others crowd where units become free (kernels/README.md). */
    plan->args.early = call->reserved_units == 0 &&
                       2 * plan->groups <= (int64_t)device->props.units * plan->resident;
    if (plan->resident > 1 &&
        (elements || !core->pairs)) /* producers would not have registers enough */
        return false;
    return (plan->cluster == 1 || call->reserved_units == 0) &&
           plan->cluster <= device->props.max_cluster &&
           (plan->stagger == 0 ||
            (plan->split_k == 1 && plan->resident == 1 && plan->stagger < plan->stages - 1));
}
