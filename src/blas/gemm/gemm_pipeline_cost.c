/* gemm_pipeline_cost.c: what a product by a pipeline costs, from its plan.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost is the cycles of the multiprocessor that works longest. They are counted as flops of the
 * units that multiply: matrix units in d and z, multiply-adds in s and c. Both make UNIT_FLOPS per
 * cycle. A group fills its pipeline once and then goes from tile to tile. A tile has steps along k
 * and an end. At the end its units idle, unless another group of the multiprocessor has steps.
 * Where the epilogue goes through shared memory, the bytes of C move beside the steps, and the end
 * of a tile touches shared memory only.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "blas/batched/batch_plan.h"
#include "blas/gemm/gemm_pipeline.h"

/* of a multiprocessor of sm_90 in a cycle: DMMA in double, FFMA in single */
#define UNIT_FLOPS 256
#define STAGE_LINE 128 /* bytes of a row of op(A) and of a column of op(B) in a stage */
#define COPIERS    128 /* work-items that fill stages */
/* warps of them that transpose what TMA tiles brought along the terms ... */
#define TRANSPOSERS     3
#define TRANSPOSE_LINES 32 /* ... so many lines at a time (kernels/sm90/gemm_transpose.cuh) */
#define NO_PLAN         1e30

/* Fitted to forced shapes and to default choices at n = 128 to 8192, updates of low rank and level
 * 3 on an H200 (2026-11; docs/model.md tells the errors), in cycles where no other unit is
 * named. */
static const struct {
    double share;       /* of the cycles of a step that its multiply-adds take */
    double sustained;   /* of the rate that long products keep at the board's power limit */
    double step;        /* of a step beside its multiply-adds */
    double turn, apart; /* of a step, per line along the terms: that is transposed, or is not */
    double block;       /* in which a warp of producers transpose TRANSPOSE_LINES lines */
    double copy;        /* of a copy of an element by a work-item */
    double slots;       /* of these, those that multiply-adds beside it wait */
    double load;        /* of a TMA tile of a panel, of which others wait; 0: not seen.
                         * Times say 95 to 110 in z; classes of sizes count too many. */
    double store, read; /* bytes of C that a multiprocessor stores per cycle, and reads before */
    double wide_read;   /* the same of tiles that have more columns than rows */
    double slice;       /* bytes of the sums of a group's slices that are added per cycle */
    /* Where C goes through shared memory: bytes of it that TMA moves per cycle, that the end of a
     * tile touches there per cycle, and how much of the shorter of engine and steps the longer one
     * loses. */
    double engine, touch, beside;
    double fresh; /* of entries of a batch: the same of memory and steps */
} core_of[4] = {[GBL_S] = {.share = 0.878,
                           .sustained = 0.84,
                           .step = 313,
                           .turn = 1.2,
                           .apart = 7.2,
                           .block = 1650,
                           .copy = 60,
                           .slots = 15,
                           .store = 17.5,
                           .read = 15,
                           .wide_read = 5.8,
                           .slice = 41,
                           .engine = 16.5,
                           .touch = 96,
                           .beside = 0.22,
                           .fresh = 0.5},
                [GBL_C] = {.share = 0.806,
                           .sustained = 0.82,
                           .step = 313,
                           .copy = 60,
                           .slots = 5,
                           .store = 17.5,
                           .read = 15,
                           .wide_read = 15,
                           .slice = 41,
                           .engine = 16.5,
                           .touch = 96,
                           .beside = 0.22,
                           .fresh = 0.5},
                [GBL_D] = {.share = 1,
                           .sustained = 0.863,
                           .step = 57,
                           .copy = 40,
                           .slots = 13,
                           .store = 21,
                           .read = 27,
                           .wide_read = 27,
                           .slice = 59,
                           .engine = 18,
                           .touch = 97,
                           .beside = 0.2,
                           .fresh = 0.3},
                [GBL_Z] = {.share = 1,
                           .sustained = 0.846,
                           .step = 57,
                           .copy = 82,
                           .load = 65,
                           .store = 21,
                           .read = 27,
                           .wide_read = 27,
                           .slice = 59,
                           .engine = 18,
                           .touch = 97,
                           .beside = 0.2,
                           .fresh = 0.3}};
#define FEED_CYCLES    340  /* until the next stage is there, whatever its size */
#define CLUSTER_CYCLES 1080 /* to meet each other group of a cluster ... */
#define CLUSTER_BYTES  4.86 /* ... and of sums that are sent to them per cycle */
#define ENTRY_BYTES    17.5 /* of entries of a batch that memory moves per cycle and unit ... */
#define ENTRY_COPY     150  /* ... a copy of 16 bytes whose address the host does not know ... */
#define ENTRY_SHARE    0.7  /* ... and what then is `fresh` */
#define ENTRY_CYCLES   300  /* until a group goes on to another tile of a batch */
#define SINGLE_BYTES   5    /* of a tile of a batch that is stored 4 bytes at a time, per cycle */
#define KEPT_CYCLES    500  /* until the end of a tile has its buffer, and gives it back */
#define HALF_RATE      1.85 /* times as long, with half as many computing work-items */
/* computing work-items of a unit: two warps for each of its schedulers */
#define COMPUTING     256
#define CLUSTER_ROUND 2500 /* until the next clusters have taken the places of the first */
#define PIECE_BYTES                                                                                \
    192 /* that memory could have moved when it goes on to another column of a tile of C */
#define STAGED_C_BYTES 155 /* the same where TMA does it */

/* Cycles of one group. */
typedef struct tile_cycles {
    double step;
    double end;    /* for the end of a tile, beside C */
    double memory; /* for C */
} tile_cycles;

/* Operands that stand along their terms, and their lines in a stage. */
static int operands_along(const gbl_product_call *call)
{
    return (call->trans != GABLE_NO_TRANS) + (call->trans_b == GABLE_NO_TRANS);
}

static double lines_along(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    return (call->trans == GABLE_NO_TRANS ? 0.0 : plan->rows) +
           (call->trans_b == GABLE_NO_TRANS ? plan->columns : 0.0);
}

/* TMA tiles of a step: one for each panel of which an edge may cut one. */
static double loads_of_step(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const bool a = plan->load_mode_a == GBL_LOAD_TMA && call->trans == GABLE_NO_TRANS,
               b = plan->load_mode_b == GBL_LOAD_TMA && call->trans_b != GABLE_NO_TRANS;
    return (a ? (double)plan->rows / plan->terms : 1) +
           (b ? (double)plan->columns / plan->terms : 1);
}

/* Whether steps may come in TMA tiles or in elements, or as addresses allow it: then nothing is
 * transposed (kernels/sm90/gemm_panels.cuh). */
static bool is_mixed(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    return gbl_load_by_tma(plan->load_mode_a) != gbl_load_by_tma(plan->load_mode_b) ||
           call->triangular != GBL_NOT_TRIANGULAR || call->sizes != NULL || plan->batch == 2;
}

/* A step along k. The units, the producers that turn lines, those that copy elements and TMA go on
 * side by side, but turning takes issue slots, and lines that stay along their terms take more
 * loads. Elements are put where they belong. */
typedef struct step_parts {
    double multiply, turn, copy, feed;
} step_parts;

static step_parts parts_of_step(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const bool mixed = is_mixed(call, plan);
    const int transposers =
        plan->staged_c > 0 ? TRANSPOSERS - 1 : TRANSPOSERS; /* one has C to keep */
    const double flops = gbl_dtype_complex(call->dtype) ? 8 : 2,
                 area = (double)plan->rows * plan->columns;
    /* Addresses that the host does not know are taken to be on 16 bytes, which are copied at
     * once. */
    const double at_once = plan->batch == 2 ? 16.0 / (double)gbl_dtype_bytes(call->dtype) : 1,
                 copy = plan->batch == 2 ? ENTRY_COPY : core_of[call->dtype].copy;
    const double copied = ((gbl_load_by_tma(plan->load_mode_a) ? 0 : plan->rows) +
                           (double)(gbl_load_by_tma(plan->load_mode_b) ? 0 : plan->columns)) /
                          at_once;
    /* Which of two unlike operands it is did not show. */
    const double along = mixed || copied == 0
                             ? operands_along(call) * (plan->rows + plan->columns) / 2.0
                             : 0,
                 blocks = mixed || copied > 0
                              ? 0
                              : ceil(lines_along(call, plan) / TRANSPOSE_LINES / transposers);
    const bool half = (plan->items - COPIERS) * plan->resident < COMPUTING;
    const double slower = half ? HALF_RATE : 1;
    return (step_parts){
        .multiply = slower * area * plan->terms * flops / UNIT_FLOPS / core_of[call->dtype].share +
                    core_of[call->dtype].step +
                    copied * plan->terms / COPIERS * core_of[call->dtype].slots +
                    along * (mixed ? core_of[call->dtype].apart : core_of[call->dtype].turn),
        .turn = blocks * core_of[call->dtype].block,
        .copy = copied * plan->terms / COPIERS * copy,
        .feed = fmax(FEED_CYCLES, core_of[call->dtype].load * loads_of_step(call, plan))};
}

static double step_cycles(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const step_parts s = parts_of_step(call, plan);
    return fmax(fmax(s.multiply, s.turn), fmax(s.copy, s.feed));
}

/* Two slices swap halves of their sums; else all sums are shown, and added from there. Then the
 * groups of a cluster send each other what is theirs. */
static double share_cycles(const gbl_product_call *call, const gbl_pipeline_plan *plan,
                           double bytes)
{
    const bool swap =
        plan->split_k == 2 && plan->cluster == 1 && gbl_pipeline_core_of(call->dtype)->swaps_halves;
    const double others = plan->cluster - 1;
    double cycles = 0;
    if (plan->split_k > 1)
        cycles += (swap ? 1 : plan->split_k) * bytes / core_of[call->dtype].slice;
    return cycles + others * CLUSTER_CYCLES + others / plan->cluster * bytes / CLUSTER_BYTES;
}

static tile_cycles cycles_of(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const double bytes = (double)plan->rows * plan->columns * (double)gbl_dtype_bytes(call->dtype);
    const double kept = bytes / plan->cluster, read = plan->columns > plan->rows
                                                          ? core_of[call->dtype].wide_read
                                                          : core_of[call->dtype].read;
    tile_cycles c = {.step = step_cycles(call, plan),
                     .end = share_cycles(call, plan, bytes),
                     .memory = kept / core_of[call->dtype].store};
    if (!gbl_scalar_zero(&call->beta))
        c.memory += kept / read;
    return c;
}

/* ---- Steps ---- */

/* Tiles of a triangular factor have as many steps as its rows (columns) have terms. `tall`: tiles
 * from its shortest row to the longest. Bands of `raster` of these are walked along the other side,
 * and every second round goes backwards (kernels/sm90/gemm_tiles.cuh). */
typedef struct ramp {
    double steps, least; /* of the longest tile and of the shortest */
    int64_t tall, wide;
} ramp;

static ramp ramp_of(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const bool left = call->triangular == GBL_A_LOWER || call->triangular == GBL_A_UPPER;
    const int32_t across = left ? plan->rows : plan->columns;
    ramp r = {.steps = (double)(plan->steps > 0 ? plan->steps : 1),
              .tall = gbl_parts(left ? call->m : call->n, across)};
    r.wide = r.tall > 0 ? plan->tiles / r.tall : 1;
    r.least = fmin(r.steps, (double)across / plan->terms / plan->cluster);
    return r;
}

/* Steps of tile number t. */
static double ramp_steps(const ramp *r, int64_t raster, int64_t t)
{
    const int64_t band = raster * r->wide, first = t / band * raster,
                  width = r->tall - first < raster ? r->tall - first : raster,
                  place = first + t % band % width;
    return fmax(r->least, r->steps * (double)(r->tall - place) / (double)r->tall);
}

/* Steps of the group that has most. */
static double longest(const ramp *r, const gbl_pipeline_plan *plan)
{
    double most = 0;
    for (int64_t group = 0; group < plan->groups; group++) {
        double sum = 0;
        for (int64_t before = 0, t = group; before < plan->tiles; before += plan->groups) {
            const int64_t round = before / plan->groups;
            t = before + (round % 2 ? plan->groups - 1 - group : group);
            sum += t < plan->tiles ? ramp_steps(r, plan->args.raster, t) : 0;
        }
        most = fmax(most, sum);
    }
    return most;
}

/* Steps of all tiles in the mean. */
static double mean_steps(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const ramp r = ramp_of(call, plan);
    return call->triangular == GBL_NOT_TRIANGULAR ? r.steps : (r.steps + r.least) / 2;
}

/* Of all tiles: those that work-items store, because a diagonal cuts them or their columns end
 * within 16 bytes. */
static double stored_share(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const int32_t side = plan->rows > plan->columns ? plan->rows : plan->columns;
    const bool within = call->m * (int64_t)gbl_dtype_bytes(call->dtype) % 16 != 0;
    const double lowest = within ? 1.0 / (double)gbl_parts(call->m, plan->rows) : 0,
                 cut =
                     call->triangle_c == GBL_ALL ? 0 : 2.0 / (double)(gbl_parts(call->m, side) + 1);
    return fmin(lowest + cut, 1);
}

/* In which TMA brings and takes a tile of C. */
static double moved_cycles(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    return (gbl_scalar_zero(&call->beta) ? 1 : 2) * (double)plan->rows * plan->columns *
           (double)gbl_dtype_bytes(call->dtype) / core_of[call->dtype].engine;
}

/* Cycles of a group's tiles that go through shared memory. Parts of a buffer are sent and filled
 * again one by one, so one is as good as two. The last tile's new C goes beside nothing. */
static double staged_c_cycles(const gbl_product_call *call, const gbl_pipeline_plan *plan,
                              tile_cycles c, double steps, double rounds)
{
    const double bytes = (double)plan->rows * plan->columns * (double)gbl_dtype_bytes(call->dtype),
                 ways = gbl_scalar_zero(&call->beta) ? 1 : 2, moved = moved_cycles(call, plan);
    /* With a stagger half of the work-items end while the others multiply. */
    const double behind = call->dtype == GBL_D && plan->stagger > 0 ? 2 : 1,
                 end = c.end + (ways * bytes / core_of[call->dtype].touch + KEPT_CYCLES) / behind;
    const double tile = steps * c.step + end,
                 each = fmax(tile, moved) + core_of[call->dtype].beside * fmin(tile, moved),
                 stored = stored_share(call, plan);
    return ceil(rounds) * ((1 - stored) * each + stored * (steps * c.step + c.end + c.memory)) +
           moved / ways;
}

/* Cycles of `beside` groups' tiles of entries of a batch. Batch entries share nothing, so all their
 * bytes come from memory or go there, beside the steps for the most part. */
static double entry_cycles(const gbl_product_call *call, const gbl_pipeline_plan *plan,
                           tile_cycles c, double steps, double beside)
{
    gbl_work work;
    gbl_gemm_batched_work(call, &work);
    const double bytes = (work.bytes_read + work.bytes_written) / (double)plan->tiles,
                 moved = beside * bytes / ENTRY_BYTES,
                 area = (double)plan->rows * plan->columns * (double)gbl_dtype_bytes(call->dtype),
                 singles = plan->align_c == 4 ? beside * area / SINGLE_BYTES : 0,
                 tile = beside * steps * c.step + c.end + singles,
                 share = plan->batch == 2 ? ENTRY_SHARE : core_of[call->dtype].fresh;
    return fmax(tile, moved) + share * fmin(tile, moved) + ENTRY_CYCLES;
}

/* Cycles of the multiprocessor that works longest: rounds of as many tiles as it has groups. */
static double unit_cycles(const gbl_product_call *call, const gbl_pipeline_plan *plan, double units)
{
    const tile_cycles c = cycles_of(call, plan);
    const double groups = fmin((double)plan->groups, units * plan->resident),
                 tiles = (double)plan->tiles * plan->cluster; /* a group's share of one is one */
    const double beside = fmin(plan->resident, ceil(groups / units)), rounds = tiles / groups;
    const double step = beside * c.step,
                 end = c.end + beside * c.memory; /* they share units and ways to memory */
    const ramp r = ramp_of(call, plan);
    /* Groups of a cluster have one tile each: every round of them begins anew. */
    const double anew = plan->cluster > 1 ? CLUSTER_ROUND : 0;
    if (plan->staged_c > 0)
        return staged_c_cycles(call, plan, c, r.steps, rounds);
    if (plan->batch != 0)
        return ceil(rounds) * entry_cycles(call, plan, c, r.steps, beside);
    if (call->triangular == GBL_NOT_TRIANGULAR)
        return ceil(rounds) * (r.steps * step + end) + (ceil(rounds) - 1) * anew;
    if (plan->cluster > 1 || rounds > GBL_PIPELINE_FEW_ROUNDS)
        return fmax(r.steps * step + end, rounds * (mean_steps(call, plan) * step + end + anew));
    return longest(&r, plan) * step + ceil(rounds) * end;
}

/* What memory misses between the columns of C's tiles. */
static double piece_bytes(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    const double ways = gbl_scalar_zero(&call->beta) ? 1 : 2;
    return ways * (plan->staged_c > 0 ? STAGED_C_BYTES : PIECE_BYTES) * (double)plan->tiles *
           plan->columns;
}

/* Of whole tiles. */
static double multiplied_flops(const gbl_product_call *call, const gbl_pipeline_plan *plan)
{
    return mean_steps(call, plan) * (double)plan->tiles * plan->cluster * plan->rows *
           plan->columns * plan->terms * (gbl_dtype_complex(call->dtype) ? 8 : 2);
}

void gbl_pipeline_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double units = device->props.units > 0 ? device->props.units : 1;
    gbl_pipeline_plan plan;
    gbl_work work;
    (void)self;
    memset(out, 0, sizeof *out);
    if (gbl_pipeline_many(call))
        gbl_gemm_batched_work(call, &work);
    else
        gbl_gemm_work(call, &work);
    out->launches = 1;
    out->memory_bytes = work.bytes_read + work.bytes_written;
    if (!gbl_pipeline_plan_nearest(call, params, device, &plan)) {
        out->groups = out->group_items = 1;
        out->flops = NO_PLAN;
        return;
    }
    const double all = mean_steps(call, &plan) * (double)plan.tiles * plan.cluster,
                 stage = (double)(plan.rows + plan.columns) * STAGE_LINE;
    const double flops = fmax(unit_cycles(call, &plan, units) * units * UNIT_FLOPS,
                              multiplied_flops(call, &plan) / core_of[call->dtype].sustained);
    out->missed_bytes = piece_bytes(call, &plan);
    out->cache_bytes = all * stage;
    out->local_bytes = 2 * all * stage;
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight = plan.stages * stage;
    if (gbl_dtype_real_bytes(call->dtype) == 8)
        out->matrix_flops = flops;
    else
        out->flops = flops;
}

/* ---- In words ---- */

static const char *step_text(const step_parts *s, bool wide)
{
    if (s->copy > fmax(s->multiply, fmax(s->turn, s->feed)))
        return "copies of single elements";
    if (s->turn > fmax(s->multiply, s->feed))
        return "lines that are transposed";
    if (s->feed > s->multiply)
        return "the next stage";
    return wide ? "the matrix units" : "multiply-adds";
}

void gbl_pipeline_tell(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, char *text, size_t text_bytes)
{
    const gbl_product_call *call = given;
    const double units = device->props.units > 0 ? device->props.units : 1;
    const bool wide = gbl_dtype_real_bytes(call->dtype) == 8;
    gbl_pipeline_plan plan;
    (void)self;
    text[0] = '\0';
    if (!gbl_pipeline_plan_nearest(call, params, device, &plan))
        return;
    const tile_cycles c = cycles_of(call, &plan);
    const step_parts s = parts_of_step(call, &plan);
    const double steps = mean_steps(call, &plan), tile = steps * c.step + c.end + c.memory,
                 rounds = (double)plan.tiles * plan.cluster / (double)plan.groups;
    int used =
        snprintf(text, text_bytes, "%lld tile%s of %d x %d in %.2f rounds", (long long)plan.tiles,
                 plan.tiles == 1 ? "" : "s", (int)plan.rows, (int)plan.columns, rounds);
    if (plan.cluster > 1 && used > 0 && (size_t)used < text_bytes)
        used += snprintf(text + used, text_bytes - (size_t)used, ", %d groups share each",
                         (int)plan.cluster);
    if (plan.staged_c > 0 && used > 0 && (size_t)used < text_bytes)
        used +=
            snprintf(text + used, text_bytes - (size_t)used,
                     "; %.0f steps of %d terms each, which wait for %s and take %.0f cycles; "
                     "beside them C goes through %d buffer%s in %.0f",
                     steps, (int)plan.terms, step_text(&s, wide), steps * c.step,
                     (int)plan.staged_c, plan.staged_c == 1 ? "" : "s", moved_cycles(call, &plan));
    else if (used > 0 && (size_t)used < text_bytes)
        used +=
            snprintf(text + used, text_bytes - (size_t)used,
                     "; %.0f steps of %d terms each, which wait for %s; of a tile's time %.0f %% "
                     "are steps, %.0f %% sums of slices and clusters, %.0f %% C",
                     steps, (int)plan.terms, step_text(&s, wide), 100 * steps * c.step / tile,
                     100 * c.end / tile, 100 * c.memory / tile);
    const double multiplied = multiplied_flops(call, &plan) / core_of[call->dtype].sustained;
    if (multiplied > unit_cycles(call, &plan, units) * units * UNIT_FLOPS && used > 0 &&
        (size_t)used < text_bytes)
        snprintf(text + used, text_bytes - (size_t)used,
                 "; at the board's power limit they keep %.0f %% of their rate",
                 100 * core_of[call->dtype].sustained);
}
