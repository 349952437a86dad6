/* gemm_tile.c: products of two matrices by tiles in registers: gemm_tile.cl and gemm_finish.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has one tile of C. Where C has fewer tiles than the device has places for groups, several
 * groups share the terms of a tile: each stores its sums in the workspace, and a second launch adds
 * them in a fixed order. Sizes in memory: all is planned for the most. `leave` is not honoured.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/batched/batch_plan.h"
#include "blas/gemm/gemm_tile_plan.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

#define SUMS_BYTES  512 /* of a work-item: half of the registers that it can have */
#define SPLIT_STEPS 4   /* steps along k that a group makes at least where others share its tile */
#define MOST_SPLITS 64
/* More where each has so many terms. With 1024 64 x 64 x 100000 had 97 groups for 132 units. */
#define LONG_TERMS    256
#define MOST_PIECES   528  /* four for each unit of an H200 */
#define MOST_UNROLLED 1024 /* compilers make poor code of longer steps */
#define MOST_TERMS    ((int64_t)1 << 30)
#define FINISH_ITEMS  64
#define FINISH_CYCLES 4000 /* of the launch that adds the sums of parts */
#define MOST_ROUNDS   6    /* groups of each unit, where they share tiles */
/* In s work-items with so many sums have too many copies ahead where there are few of them: 2268 x
 * 140 x 2615 took twice its time (H200, 2026-11). */
#define LARGE_SUMS  128
#define LARGE_GROUP 128
#define CPU_FACTOR  8 /* times as slow: work-items that a CPU runs one after the other */
/* Of gbl_gemm_tile_space. */
enum { TILE_WX, TILE_WY, TILE_TM, TILE_TN, TILE_TERMS, TILE_STAGES, TILE_GROUPS, TILE_SPLIT };

/* ---- Plans ---- */

/* Bytes that vectors of a matrix may count on: all columns start on multiples of them. */
static int32_t alignment(const void *at, int64_t ld, int64_t apart, gbl_dtype dtype)
{
    const uint64_t elem = gbl_dtype_bytes(dtype);
    const uint64_t starts = (uintptr_t)at | (uint64_t)ld * elem | (uint64_t)apart * elem;
    int32_t align = GBL_WIDEST_LOAD;
    while (align > (int32_t)gbl_dtype_real_bytes(dtype) && starts % (uint64_t)align != 0)
        align /= 2;
    return align;
}

static void plan_alignment(const gbl_product_call *call, gbl_tile_plan *plan)
{
    const bool many = plan->batch != 0;
    if (plan->batch == 2) { /* where batch entries stand is not known */
        plan->align_a = plan->align_b = plan->align_c = (int32_t)gbl_dtype_real_bytes(call->dtype);
        return;
    }
    plan->align_a = alignment(call->A, call->lda, many ? call->stride_a : 0, call->dtype);
    plan->align_b = alignment(call->B, call->ldb, many ? call->stride_b : 0, call->dtype);
    plan->align_c = alignment(call->C, call->ldc, many ? call->stride_c : 0, call->dtype);
    if (call->two_products && plan->align_a != plan->align_b) /* each is either factor */
        plan->align_a = plan->align_b = (int32_t)gbl_dtype_real_bytes(call->dtype);
}

/* Whether an edge of C cuts vectors of a factor, which go along its columns in memory. */
static bool is_ragged(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    return plan->vec > 1 &&
           (call->sizes != NULL || (call->trans == GABLE_NO_TRANS && call->m % plan->vec != 0) ||
            (call->trans_b != GABLE_NO_TRANS && call->n % plan->vec != 0));
}

static int64_t room_bytes(const gbl_device *device)
{
    return gbl_launch_local_bytes(&device->props);
}

/* So many outputs in whole vectors, one at least. */
static int32_t whole_vectors(int32_t count, int32_t vec)
{
    return count < vec ? vec : count / vec * vec;
}

/* Whether the device copies into local memory without waiting, and elements are aligned. */
static bool copies_ahead(const gbl_product_call *call, const gbl_device *device)
{
    const uintptr_t starts = (uintptr_t)call->A | (uintptr_t)call->B;
    return device->props.max_dynamic_local_bytes > 0 && !call->pointers &&
           starts % gbl_dtype_bytes(call->dtype) == 0;
}

/* Those it can have before compilers spill (NVRTC 13.0, sm_80, sm_90a); complex needs more. */
static double most_registers(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    if (gbl_dtype_complex(call->dtype))
        return 180;
    return plan->wx * plan->wy > 128 ? 232 : 236;
}

/* Registers that compilers do without, and spill none, where more groups shall have room. */
static double squeezed(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    return call->dtype == GBL_S && plan->stages == 0 && plan->resident > 1 ? 16 : 0;
}

/* The shape of a tile: as asked for, as far as registers and local memory go, not much larger than
 * C: nothing spills. */
static void plan_shape(const gbl_product_call *call, const gbl_params *params,
                       const gbl_device *device, gbl_tile_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    plan->vec = GBL_WIDEST_LOAD / elem;
    plan->wx = params->value[TILE_WX];
    plan->wy = params->value[TILE_WY];
    plan->tm = params->value[TILE_TM];
    plan->tn = params->value[TILE_TN];
    plan->terms = params->value[TILE_TERMS];
    plan->resident = params->value[TILE_GROUPS];
    plan->stages = params->value[TILE_STAGES];
    if (plan->stages == 1)
        plan->stages = elem > 4 ? 2 : 0;
    if (!copies_ahead(call, device))
        plan->stages = 0;
    plan->tm = whole_vectors(plan->tm, plan->vec);
    plan->tn = whole_vectors(plan->tn, plan->vec);
    while (plan->tm * plan->tn * elem > SUMS_BYTES &&
           (plan->tm > plan->vec || plan->tn > plan->vec)) {
        if (plan->tm >= plan->tn)
            plan->tm = whole_vectors(plan->tm / 2, plan->vec);
        else
            plan->tn = whole_vectors(plan->tn / 2, plan->vec);
    }
    while (plan->terms > 8 && gbl_tile_local_bytes(plan, call->dtype) > room_bytes(device))
        plan->terms /= 2;
    while (plan->tn > plan->vec && plan->wy * plan->tn / 2 >= call->n)
        plan->tn = whole_vectors(plan->tn / 2, plan->vec);
    while (plan->tm > plan->vec && plan->wx * plan->tm / 2 >= call->m)
        plan->tm = whole_vectors(plan->tm / 2, plan->vec);
    while (device->props.is_gpu && gbl_tile_registers(call, plan) > most_registers(call, plan) &&
           (plan->tm > plan->vec || plan->tn > plan->vec)) {
        if (plan->tm > plan->tn)
            plan->tm = whole_vectors(plan->tm / 2, plan->vec);
        else
            plan->tn = whole_vectors(plan->tn / 2, plan->vec);
    }
    while (plan->wy > 4 && plan->wy * plan->tn / 2 >= call->n)
        plan->wy /= 2;
    while (plan->wx > 8 && plan->wx * plan->tm / 2 >= call->m)
        plan->wx /= 2;
}

/* Tiles of C, all of it or a triangle (kernels/gemm/gemm_tile.cl). */
static void plan_tiles(const gbl_product_call *call, gbl_tile_plan *plan)
{
    const int64_t rows = (int64_t)plan->wx * plan->tm, columns = (int64_t)plan->wy * plan->tn,
                  side = rows > columns ? rows : columns;
    gemm_args *args = &plan->args;
    args->tile_rows = gbl_some_parts(call->m, call->triangle_c == GBL_ALL ? rows : side);
    args->tile_columns = gbl_some_parts(call->n, call->triangle_c == GBL_ALL ? columns : side);
    plan->tiles = args->tile_rows * args->tile_columns;
    if (call->triangle_c != GBL_ALL)
        plan->tiles =
            args->tile_rows * (args->tile_rows + 1) / 2 * (side / rows) * (side / columns);
}

/* At most so many groups share the terms of a tile. */
static int64_t most_splits(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    const int64_t steps = gbl_parts(call->k, plan->terms), most = steps / SPLIT_STEPS;
    const int64_t longer = call->k / LONG_TERMS < MOST_PIECES ? call->k / LONG_TERMS : MOST_PIECES,
                  limit = longer > MOST_SPLITS ? longer : MOST_SPLITS;
    if (plan->batch != 0 || most < 2)
        return 1;
    return most < limit ? most : limit;
}

/* Groups share the terms of a tile in whole steps, and each has some. */
static void set_splits(const gbl_product_call *call, int64_t splits, gbl_tile_plan *plan)
{
    const int64_t steps = gbl_parts(call->k, plan->terms);
    plan->args.split_terms = gbl_parts(steps, splits) * plan->terms;
    plan->args.splits = call->k > 0 ? gbl_parts(call->k, plan->args.split_terms) : 1;
}

static double units_of(const gbl_device *device)
{
    return device->props.units > 0 ? device->props.units : 1;
}

/* As many as the units have places for, or so many that every unit has up to MOST_ROUNDS groups:
 * what takes least. With 48 tiles 132 units are all at work in the second round only. */
static void choose_splits(const gbl_product_call *call, const gbl_device *device,
                          gbl_tile_plan *plan)
{
    const double units = units_of(device);
    const int64_t most = most_splits(call, plan);
    int64_t last = 1, best = 1;
    set_splits(call, 1, plan);
    double least = gbl_tile_cycles(call, plan, 1, units);
    for (int64_t round = 1; round <= MOST_ROUNDS && last < most; round++) {
        const int64_t fit = round * (int64_t)units / plan->tiles, count = fit < most ? fit : most;
        if (count <= last)
            continue;
        last = count;
        set_splits(call, count, plan);
        const double cycles = gbl_tile_cycles(call, plan, 1, units) + FINISH_CYCLES;
        if (cycles < least) {
            least = cycles;
            best = count;
        }
    }
    set_splits(call, best, plan);
}

static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, bool batched, gbl_tile_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->batch = !batched ? 0 : call->pointers ? 2 : 1;
    plan_alignment(call, plan);
    plan_shape(call, params, device, plan);
    plan->ragged = is_ragged(call, plan);
    gemm_args *args = &plan->args;
    *args = gbl_gemm_args(call);
    plan_tiles(call, plan);
    const int64_t asked = params->value[TILE_SPLIT], most = most_splits(call, plan);
    if (asked == 0 && most > 1)
        choose_splits(call, device, plan);
    else
        set_splits(call, asked > 1 && most > 1 ? (asked < most ? asked : most) : 1, plan);
    if (batched) {
        args->batch = call->batch;
        args->entry_groups = call->batch < GBL_MOST_GROUPS_Y ? call->batch : GBL_MOST_GROUPS_Y;
        args->stride_a = call->stride_a;
        args->stride_b = call->stride_b;
        args->stride_c = call->stride_c;
    }
}

static void make_spec(const gbl_product_call *call, const gbl_tile_plan *plan,
                      gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "gemm_tile.cl", call->dtype);
    gbl_gemm_macros(call, spec);
    gbl_gemm_two_products(call, spec);
    gbl_kernel_add_macro(spec, "WX", plan->wx);
    gbl_kernel_add_macro(spec, "WY", plan->wy);
    gbl_kernel_add_macro(spec, "TM", plan->tm);
    gbl_kernel_add_macro(spec, "TN", plan->tn);
    gbl_kernel_add_macro(spec, "TERMS", plan->terms);
    gbl_kernel_add_macro(spec, "STAGES", plan->stages);
    gbl_kernel_add_macro(spec, "VEC", plan->vec);
    gbl_kernel_add_macro(spec, "ALIGN_A", plan->align_a);
    gbl_kernel_add_macro(spec, "ALIGN_B", plan->align_b);
    gbl_kernel_add_macro(spec, "ALIGN_C", plan->align_c);
    gbl_kernel_add_macro(spec, "RAGGED", plan->ragged);
    gbl_kernel_add_macro(spec, "MIN_GROUPS", plan->resident);
    gbl_kernel_add_macro(spec, "SPLIT", plan->args.splits > 1);
    gbl_kernel_add_macro(spec, "BATCH", plan->batch);
    gbl_gemm_sizes(call, spec);
}

static void make_finish(const gbl_product_call *call, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "gemm_finish.cl", call->dtype);
    gbl_product_call plain = *call;
    plain.trans = plain.trans_b = GABLE_NO_TRANS;
    gbl_gemm_macros(&plain, spec);
    gbl_kernel_add_macro(spec, "ITEMS", FINISH_ITEMS);
    gbl_gemm_sizes(call, spec);
}

static bool is_batched(const gbl_variant *self)
{
    return self->detail != NULL;
}

static int32_t plan_kernel(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    gbl_tile_plan *plan = planned;
    gbl_params narrower = *params;
    while (narrower.value[TILE_WX] * narrower.value[TILE_WY] > most_items &&
           narrower.value[TILE_WY] > 4)
        narrower.value[TILE_WY] /= 2;
    make_plan(call, &narrower, device, is_batched(self), plan);
    make_spec(call, plan, spec);
    return plan->wx * plan->wy;
}

int gbl_gemm_tile_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_tile_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    if (plan.args.splits <= 1)
        return 1;
    make_finish(call, &specs[1]);
    return 2;
}

/* ---- Launches ---- */

static gable_status finish(gable_context *ctx, const gbl_product_call *call, const void *parts,
                           gemm_args args)
{
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    make_finish(call, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    args.column_groups = call->n < GBL_MOST_GROUPS_Y ? call->n : GBL_MOST_GROUPS_Y;
    gbl_launch_spec launch = {
        .groups = {gbl_some_parts(call->m, FINISH_ITEMS), args.column_groups},
        .group = {FINISH_ITEMS, 1},
        .buffer_count = call->sizes != NULL ? 5 : 4,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A),
                    gbl_scalar_buffer(&call->beta, call->A), parts, call->C, call->sizes},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

gable_status gbl_gemm_tile_run(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    const gbl_product_call *call = given;
    gbl_tile_plan plan;
    gbl_kernel *kernel;
    void *target = call->C;
    TRY(gbl_plan_kernel(ctx, self, call, params, TILE_WY, plan_kernel, &plan, &kernel));
    const bool split = plan.args.splits > 1;
    if (split)
        TRY(gbl_arena_take(ctx->arena, ctx->device,
                           (size_t)(plan.args.splits * call->m * call->n) *
                               gbl_dtype_bytes(call->dtype),
                           &target, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {plan.tiles, split             ? plan.args.splits
                               : plan.batch != 0 ? plan.args.entry_groups
                                                 : 1},
        .group = {plan.wx * plan.wy, 1},
        .dynamic_local_bytes = ctx->device->props.max_dynamic_local_bytes > 0
                                   ? (size_t)gbl_tile_local_bytes(&plan, call->dtype)
                                   : 0,
        .follows_pointers = plan.batch == 2,
        .buffer_count = call->sizes != NULL ? 6 : 5,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A),
                    gbl_scalar_buffer(&call->beta, call->A), call->A, call->B, target, call->sizes},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    TRY(gbl_launch(ctx, kernel, &launch));
    return split ? finish(ctx, call, target, plan.args) : GABLE_OK;
}

/* ---- What is known before ---- */

bool gbl_gemm_tile_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    /* Thin entries of a batch leave most of a tile empty. */
    if (is_batched(self) && (call->m < 8 || call->n < 4))
        return false;
    /* Tiles of 16 x 8 elements at least, and terms, are counted in 31 bits. */
    return device->table->build != NULL && call->k < MOST_TERMS &&
           (double)(call->m / 16 + 1) * (double)(call->n / 8 + 1) < (double)INT32_MAX;
}

void gbl_gemm_tile_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), units = units_of(device);
    gbl_tile_plan plan;
    gbl_work work;
    make_plan(call, params, device, is_batched(self), &plan);
    gbl_gemm_work(call, &work);
    memset(out, 0, sizeof *out);
    const double rows = (double)plan.wx * plan.tm, columns = (double)plan.wy * plan.tn,
                 entries = is_batched(self) ? (double)call->batch : 1,
                 groups = (double)plan.tiles * (double)plan.args.splits * entries;
    const double parts = gbl_tile_part_bytes(call, &plan),
                 steps = gbl_tile_steps(call, &plan) * (double)plan.terms;
    out->memory_bytes = entries * (work.bytes_read + work.bytes_written);
    out->cache_bytes = elem * groups * steps * (rows + columns) + parts;
    out->flops =
        gbl_tile_cycles(call, &plan, entries, units) * units *
        (gbl_dtype_real_bytes(call->dtype) == 8 ? 128 : 256) *
        (device->props.is_gpu ? gbl_gemm_batched_slower(call, plan.wx * plan.wy) : CPU_FACTOR);
    out->launches = plan.args.splits > 1 ? 2 : 1;
    out->workspace_bytes = parts / 2;
    out->groups = groups;
    out->group_items = (double)plan.wx * plan.wy;
    out->bytes_in_flight =
        elem * plan.terms * (rows + columns) * (plan.stages > 1 ? plan.stages : 1);
}

bool gbl_gemm_tile_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *call = given;
    gbl_tile_plan plan;
    make_plan(call, params, device, is_batched(self), &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    const int64_t items = (int64_t)plan.wx * plan.wy;
    const double registers = gbl_tile_registers(call, &plan);
    const double words = call->dtype == GBL_C
                             ? 4
                             : (double)gbl_dtype_bytes(call->dtype) / 4; /* in c multiply-adds */
    const double unrolled = (double)plan.tm * plan.tn * plan.terms * words;
    return gbl_tile_local_bytes(&plan, call->dtype) <= room_bytes(device) &&
           gbl_group_legal(device, items, 0) && unrolled <= MOST_UNROLLED &&
           (call->dtype != GBL_S || items >= LARGE_GROUP || plan.tm * plan.tn < LARGE_SUMS) &&
           (plan.terms == 8 || plan.stages > 0 || !device->props.is_gpu) &&
           (!device->props.is_gpu ||
            (registers <= most_registers(call, &plan) &&
             (registers - squeezed(call, &plan)) * (double)(items * plan.resident) <=
                 GBL_UNIT_REGISTERS));
}
