/* gemm_tile.c: products of two matrices by tiles in registers: gemm_tile.cl and gemm_finish.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has one tile of C. Where C has fewer tiles than the device has places for groups, several
 * groups share the terms of a tile: each stores its sums in the workspace, and a second launch adds
 * them in a fixed order. Sizes in memory: all is planned for the most. `leave` is not honoured.
 */
#include <math.h>
#include <string.h>
#include "core/kernel_args.h"
#include "blas/batched/batch_plan.h"
#include "blas/gemm/gemm_plan.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

#define SUMS_BYTES  512 /* of a work-item: half of the registers that it can have */
#define SKEW        4   /* as in gemm_tile.h */
#define SPLIT_STEPS 4   /* steps along k that a group makes at least where others share its tile */
#define MOST_SPLITS 64
/* More where each has so many terms. With 1024 64 x 64 x 100000 had 97 groups for 132 units. */
#define LONG_TERMS    256
#define MOST_PIECES   528  /* four for each unit of an H200 */
#define MOST_UNROLLED 1024 /* compilers make poor code of longer steps */
#define MOST_TERMS    ((int64_t)1 << 30)
#define FINISH_ITEMS  64
/* Of a multiprocessor of today's NVIDIA GPUs. */
#define UNIT_REGISTERS   65536
#define UNIT_LOCAL_BYTES 233472
#define REGISTERS_BESIDE 40
/* Fitted to some 300 shapes of tiles at n = 128 to 8192, forced one by one on an H200 (2026-11), in
 * cycles where no other unit is named. Of a step, for a warp of 32 work-items on its scheduler: */
#define STEP_OVERHEAD 50   /* beside what follows */
#define LOAD_CYCLES   0.97 /* a word of either tile that a work-item loads from local memory */
#define COPY_CYCLES   8.7  /* a copy ahead */
#define KEEP_CYCLES   42   /* a vector that goes through registers */
#define PIECE_CYCLES  20   /* a load that is one of several where a vector would do */
#define WIDE_TILE     1.14 /* times as long: with more columns than rows a work-item */
#define SMALL_GROUP   1.04 /* and with one warp a group */
/* Of a step, for a group alone, whose warps wait for each other and for memory: */
#define STEP_LATENCY 1120  /* for memory, in the first round; later ones find the cache filled */
#define STEP_ALONE   260   /* barriers and first loads from local memory */
#define ALONE_MORE   0.375 /* a multiply-add, beside its own */
#define LATE_A       128   /* a vector of A that goes through registers ... */
#define LATE_B       256   /* ... and one of B */
#define LONE_CYCLES  240   /* shared among a unit's groups: all wait for copies at once */
/* Of a group and of a call: */
#define STORE_BYTES  14   /* of C that a group stores a cycle */
#define READ_BYTES   4    /* of C that is read before, per unit and cycle */
#define PART_BYTES   13   /* of sums that go through memory, per unit and cycle */
#define EDGE_LATENCY 1275 /* a wait for elements at an edge */
#define MASKED       1.17 /* times its multiply-adds more: a step at the diagonal of a factor ... */
#define MASKED_UNIT  2.86 /* ... and of one with ones there */
#define BESIDE_PART  0.7  /* of a unit's other groups run beside the longest, in the mean */
#define CPU_FACTOR   8    /* times as slow: work-items that a CPU runs one after the other */

/* Of gbl_gemm_tile_space. */
enum { TILE_WX, TILE_WY, TILE_TM, TILE_TN, TILE_TERMS, TILE_STAGES, TILE_GROUPS, TILE_SPLIT };

typedef struct tile_plan {
    gemm_args args;
    int32_t wx, wy, tm, tn, terms, stages, resident, vec;
    int32_t align_a, align_b, align_c, ragged;
    int64_t tiles;
    int32_t batch; /* as the macro */
} tile_plan;

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

static void plan_alignment(const gbl_product_call *call, tile_plan *plan)
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
static bool is_ragged(const gbl_product_call *call, const tile_plan *plan)
{
    return plan->vec > 1 &&
           (call->sizes != NULL || (call->trans == GABLE_NO_TRANS && call->m % plan->vec != 0) ||
            (call->trans_b != GABLE_NO_TRANS && call->n % plan->vec != 0));
}

static int64_t local_bytes(const tile_plan *plan, gbl_dtype dtype)
{
    const int64_t rows = (int64_t)plan->wx * plan->tm, columns = (int64_t)plan->wy * plan->tn;
    const int64_t pairs = plan->stages > 0 ? plan->stages : 2;
    return pairs * plan->terms * (rows + columns + 2 * SKEW) * (int64_t)gbl_dtype_bytes(dtype);
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

/* Pieces in which a work-item loads its part of both tiles per step. Copies ahead are of vectors,
 * or of single elements where the matrix is stored the other way or does not stand on whole
 * vectors. Loads into registers are as wide as the matrix allows. */
static double pieces_of(const gbl_product_call *call, const tile_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), whole = plan->vec * elem;
    const double lanes = (double)plan->wx * plan->wy;
    double a = plan->align_a > elem ? plan->align_a / elem : 1,
           b = plan->align_b > elem ? plan->align_b / elem : 1;
    if (plan->stages > 0) {
        a = call->trans == GABLE_NO_TRANS && plan->align_a == whole ? plan->vec : 1;
        b = call->trans_b != GABLE_NO_TRANS && plan->align_b == whole ? plan->vec : 1;
    }
    return (double)plan->terms *
           ((double)plan->wx * plan->tm / a + (double)plan->wy * plan->tn / b) / lanes;
}

/* Registers of a work-item: sums, two lines of both tiles, vectors on their way, and the rest. */
static double registers_of(const gbl_product_call *call, const tile_plan *plan)
{
    const double words = (double)gbl_dtype_bytes(call->dtype) / 4;
    const double ahead = plan->stages > 0
                             ? pieces_of(call, plan) / 4
                             : words * (double)(plan->wx * plan->tm + plan->wy * plan->tn) *
                                   plan->terms / ((double)plan->wx * plan->wy);
    return words * ((double)plan->tm * plan->tn + 2.0 * (plan->tm + plan->tn)) + ahead +
           REGISTERS_BESIDE;
}

/* Those it can have before compilers spill (NVRTC 13.0, sm_80, sm_90a); complex needs more. */
static double most_registers(const gbl_product_call *call, const tile_plan *plan)
{
    if (gbl_dtype_complex(call->dtype))
        return 180;
    return plan->wx * plan->wy > 128 ? 232 : 236;
}

/* Registers that compilers do without, and spill none, where more groups shall have room. */
static double squeezed(const gbl_product_call *call, const tile_plan *plan)
{
    return call->dtype == GBL_S && plan->stages == 0 && plan->resident > 1 ? 16 : 0;
}

/* The shape of a tile: as asked for, as far as registers and local memory go, not much larger than
 * C: nothing spills. */
static void plan_shape(const gbl_product_call *call, const gbl_params *params,
                       const gbl_device *device, tile_plan *plan)
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
    while (plan->terms > 8 && local_bytes(plan, call->dtype) > room_bytes(device))
        plan->terms /= 2;
    while (plan->tn > plan->vec && plan->wy * plan->tn / 2 >= call->n)
        plan->tn = whole_vectors(plan->tn / 2, plan->vec);
    while (plan->tm > plan->vec && plan->wx * plan->tm / 2 >= call->m)
        plan->tm = whole_vectors(plan->tm / 2, plan->vec);
    while (device->props.is_gpu && registers_of(call, plan) > most_registers(call, plan) &&
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
static void plan_tiles(const gbl_product_call *call, tile_plan *plan)
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

/* Groups that share the terms of a tile. */
static int64_t plan_splits(const gbl_product_call *call, const gbl_params *params,
                           const gbl_device *device, const tile_plan *plan)
{
    const int64_t steps = gbl_parts(call->k, plan->terms), most = steps / SPLIT_STEPS,
                  places = (int64_t)device->props.units * plan->resident;
    int64_t count = params->value[TILE_SPLIT];
    if (plan->batch != 0 || most < 2)
        return 1;
    if (count == 0)
        count = plan->tiles < places ? places / plan->tiles : 1;
    count = count < most ? count : most;
    const int64_t longer = call->k / LONG_TERMS < MOST_PIECES ? call->k / LONG_TERMS : MOST_PIECES,
                  limit = longer > MOST_SPLITS ? longer : MOST_SPLITS;
    return count < limit ? count : limit;
}

static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, bool batched, tile_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->batch = !batched ? 0 : call->pointers ? 2 : 1;
    plan_alignment(call, plan);
    plan_shape(call, params, device, plan);
    plan->ragged = is_ragged(call, plan);
    gemm_args *args = &plan->args;
    *args = gbl_gemm_args(call);
    plan_tiles(call, plan);
    args->splits = plan_splits(call, params, device, plan);
    const int64_t steps = gbl_parts(call->k, plan->terms);
    args->split_terms = gbl_parts(steps, args->splits) * plan->terms;
    args->splits = call->k > 0 ? gbl_parts(call->k, args->split_terms) : 1;
    if (batched) {
        args->batch = call->batch;
        args->entry_groups = call->batch < GBL_MOST_GROUPS_Y ? call->batch : GBL_MOST_GROUPS_Y;
        args->stride_a = call->stride_a;
        args->stride_b = call->stride_b;
        args->stride_c = call->stride_c;
    }
}

static void make_spec(const gbl_product_call *call, const tile_plan *plan, gbl_kernel_spec *spec)
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
    tile_plan *plan = planned;
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
    tile_plan plan;
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
    tile_plan plan;
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
                                   ? (size_t)local_bytes(&plan, call->dtype)
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

/* Groups that a unit has room for, by registers and local memory. */
static double room_for(const gbl_product_call *call, const tile_plan *plan)
{
    const double warps = (double)plan->wx * plan->wy / 32,
                 copies = plan->stages > 0 ? 2 * pieces_of(call, plan) : 0, /* addresses */
        registers = 8 * ceil((registers_of(call, plan) + copies) / 8);
    /* Each of the four schedulers has its own registers. */
    const double by_registers =
        floor(4 * floor(UNIT_REGISTERS / 128 / (registers < 256 ? registers : 256)) / warps);
    const double by_local = floor(UNIT_LOCAL_BYTES / (double)local_bytes(plan, call->dtype));
    const double room = by_registers < by_local ? by_registers : by_local;
    return room > plan->resident ? room : plan->resident;
}

/* Cycles of a scheduler for a warp's multiply-adds in a step: one each, in double two, and so many
 * more for each. */
static double add_cycles(const gbl_product_call *call, const tile_plan *plan, double more)
{
    const double reals = gbl_dtype_complex(call->dtype) ? 4 : 1,
                 each = gbl_dtype_real_bytes(call->dtype) == 8 ? 2 : 1;
    return reals * plan->tm * plan->tn * plan->terms * (each + more);
}

/* Warps of each of the four schedulers of a unit with so many groups, one at least. */
static double warps_of(const tile_plan *plan, double groups)
{
    const double warps = groups * plan->wx * plan->wy / 128;
    return warps > 1 ? warps : 1;
}

/* Cycles of a unit for one step of `groups` groups side by side: those that its schedulers are
 * busy, or those that a group takes alone where there are not warps enough to fill its waits. */
static double step_cycles(const gbl_product_call *call, const tile_plan *plan, double groups,
                          bool first_round)
{
    const double bytes = (double)gbl_dtype_bytes(call->dtype), terms = plan->terms;
    const double a_vectors = terms * plan->tm / (plan->vec * plan->wy),
                 b_vectors = terms * plan->tn / (plan->vec * plan->wx),
                 vectors = a_vectors + b_vectors, pieces = pieces_of(call, plan);
    const double loads = LOAD_CYCLES * terms * (plan->tm + plan->tn) * bytes / 4;
    const double copies = plan->stages > 0
                              ? COPY_CYCLES * pieces
                              : KEEP_CYCLES * vectors + PIECE_CYCLES * (pieces - vectors);
    double busy = (add_cycles(call, plan, 0) + loads + copies + STEP_OVERHEAD) *
                  warps_of(plan, groups) * (plan->tn > plan->tm ? WIDE_TILE : 1) *
                  (plan->wx * plan->wy <= 32 ? SMALL_GROUP : 1);
    double alone = add_cycles(call, plan, ALONE_MORE) + STEP_ALONE;
    if (plan->stages > 0)
        busy += LONE_CYCLES / fmin(groups, 4);
    else
        alone += LATE_A * a_vectors + LATE_B * b_vectors;
    if (first_round)
        alone = fmax(alone, STEP_LATENCY / (plan->stages > 2 ? plan->stages - 1.0 : 1.0));
    return fmax(busy, alone);
}

typedef struct tile_steps {
    double mean, longest;         /* of a group */
    double mean_met, longest_met; /* of these, those that meet a triangular factor's diagonal */
} tile_steps;

/* Half of the terms of a triangular factor count. Only one of the groups has its diagonal. */
static tile_steps steps_of(const gbl_product_call *call, const tile_plan *plan)
{
    const double k = (double)(call->k > 0 ? call->k : 1) * (call->two_products ? 2 : 1),
                 shared = (double)plan->args.splits;
    const double across = call->triangular == GBL_A_LOWER || call->triangular == GBL_A_UPPER
                              ? (double)plan->wx * plan->tm
                              : (double)plan->wy * plan->tn;
    const double met = fmin(across, k), all = ceil(k / plan->terms) / shared;
    if (call->triangular == GBL_NOT_TRIANGULAR)
        return (tile_steps){.mean = all, .longest = all};
    return (tile_steps){.mean = ceil((k + met) / 2 / plan->terms) / shared,
                        .longest = all,
                        .mean_met = met / plan->terms / shared,
                        .longest_met = fmin(met / plan->terms, all)};
}

/* Cycles of the steps of groups with the same terms: rounds of as many as there is room for, and a
 * last one. */
static double even_cycles(const gbl_product_call *call, const tile_plan *plan, double groups,
                          double units, double *rounds)
{
    const double room = room_for(call, plan), full = floor(groups / (units * room)),
                 last = ceil((groups - full * units * room) / units);
    double cycles = last > 0 ? step_cycles(call, plan, last, full == 0) : 0;
    if (full > 0)
        cycles += step_cycles(call, plan, room, true);
    if (full > 1)
        cycles += (full - 1) * step_cycles(call, plan, room, false);
    *rounds = full + (last > 0);
    return steps_of(call, plan).mean * cycles;
}

/* The same with different terms: the longest groups come first, shorter ones fill the gaps. */
static double uneven_cycles(const gbl_product_call *call, const tile_plan *plan, double groups,
                            double units, double *rounds)
{
    const double room = room_for(call, plan), others = fmin(ceil(groups / units), room) - 1,
                 beside = 1 + BESIDE_PART * others;
    const double met =
        (call->diag == GABLE_UNIT ? MASKED_UNIT : MASKED) * add_cycles(call, plan, 0);
    const tile_steps steps = steps_of(call, plan);
    *rounds = groups / (units * room);
    const double all = steps.mean * (fmin(*rounds, 1) * step_cycles(call, plan, room, true) +
                                     fmax(*rounds - 1, 0) * step_cycles(call, plan, room, false)) +
                       *rounds * steps.mean_met * met * warps_of(plan, room);
    const double longest = steps.longest * step_cycles(call, plan, beside, true) +
                           steps.longest_met * met * warps_of(plan, beside);
    return fmax(all, longest);
}

/* Cycles of all groups. A step whose terms are not whole waits for its elements, some at a time. */
static double all_cycles(const gbl_product_call *call, const tile_plan *plan, double groups,
                         double units)
{
    const double rows = (double)plan->wx * plan->tm, columns = (double)plan->wy * plan->tn,
                 stored = rows * columns * (double)gbl_dtype_bytes(call->dtype),
                 at_once = 2.0 * plan->vec * plan->wx * plan->wy;
    double rounds, cycles = call->triangular == GBL_NOT_TRIANGULAR
                                ? even_cycles(call, plan, groups, units, &rounds)
                                : uneven_cycles(call, plan, groups, units, &rounds);
    if (call->k % plan->terms != 0)
        cycles += ceil(rounds) * EDGE_LATENCY *
                  (ceil(rows * plan->terms / at_once) + ceil(columns * plan->terms / at_once));
    return cycles + fmax(rounds, 1) * stored / STORE_BYTES;
}

void gbl_gemm_tile_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    tile_plan plan;
    gbl_work work;
    make_plan(call, params, device, is_batched(self), &plan);
    gbl_gemm_work(call, &work);
    memset(out, 0, sizeof *out);
    const double rows = (double)plan.wx * plan.tm, columns = (double)plan.wy * plan.tn,
                 entries = is_batched(self) ? (double)call->batch : 1,
                 units = device->props.units > 0 ? device->props.units : 1;
    const double shared = (double)plan.args.splits, groups = (double)plan.tiles * shared * entries;
    const double steps = steps_of(call, &plan).mean,
                 cycles = all_cycles(call, &plan, groups, units);
    const double parts = shared > 1 ? 2 * elem * shared * (double)call->m * (double)call->n : 0,
                 adding = parts / (units * PART_BYTES);
    const double reading = gbl_scalar_zero(&call->beta) || shared > 1
                               ? 0
                               : elem * groups * rows * columns / (units * READ_BYTES);
    out->memory_bytes = entries * (work.bytes_read + work.bytes_written);
    out->cache_bytes = elem * groups * steps * plan.terms * (rows + columns) + parts;
    out->flops =
        (cycles + adding + reading) * units * (gbl_dtype_real_bytes(call->dtype) == 8 ? 128 : 256) *
        (device->props.is_gpu ? gbl_gemm_batched_slower(call, plan.wx * plan.wy) : CPU_FACTOR);
    out->launches = shared > 1 ? 2 : 1;
    out->workspace_bytes = parts / 2;
    out->groups = groups;
    out->group_items = (double)plan.wx * plan.wy;
    out->bytes_in_flight = elem * plan.terms * (rows + columns) * fmax(plan.stages, 1);
}

bool gbl_gemm_tile_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *call = given;
    tile_plan plan;
    make_plan(call, params, device, is_batched(self), &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    const int64_t items = (int64_t)plan.wx * plan.wy;
    const double registers = registers_of(call, &plan);
    const double unrolled = (double)plan.tm * plan.tn * plan.terms *
                            (double)gbl_dtype_bytes(call->dtype) / 4; /* multiply-adds of a step */
    return local_bytes(&plan, call->dtype) <= room_bytes(device) &&
           gbl_group_legal(device, items, 0) && unrolled <= MOST_UNROLLED &&
           (plan.terms == 8 || plan.stages > 0 || !device->props.is_gpu) &&
           (!device->props.is_gpu ||
            (registers <= most_registers(call, &plan) &&
             (registers - squeezed(call, &plan)) * (double)(items * plan.resident) <=
                 UNIT_REGISTERS));
}
