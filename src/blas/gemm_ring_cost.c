/* gemm_ring_cost.c: what a product by rings of stages costs, from its plan.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Cycles of the multiprocessor that works longest, counted as flops of the units that multiply: matrix units in d and
 * z, multiply-adds in s and c; both make UNIT_FLOPS per cycle. A group fills its ring once, then goes from tile to tile:
 * steps along k, then the end of a tile, in which its units idle unless another group of the multiprocessor has steps.
 */
#include <math.h>
#include <string.h>
#include "blas/gemm_batched.h"
#include "blas/gemm_ring.h"

#define UNIT_FLOPS 256 /* of a multiprocessor of sm_90 in a cycle: DMMA in double, FFMA in single */
#define STAGE_LINE 128 /* bytes of a row of op(A) and of a column of op(B) in a stage */
#define COPIERS    128 /* work-items that fill stages */
#define NO_PLAN    1e30

/* Fitted to forced shapes at n = 128 to 8192 and updates of low rank on an H200 (2026-11), in cycles where no other unit
 * is named. Numbers of s and c stand first, those of d and z second. */
static const struct {
    double share;       /* of the cycles of a step that its multiply-adds take */
    double sustained;   /* of the rate that long products keep at the board's power limit */
    double step;        /* of a step beside its multiply-adds */
    double store, read; /* bytes of C that a multiprocessor stores per cycle, and reads before */
    double layer;       /* bytes of the sums of a group's layers that are added per cycle */
} core_of[2] = {
    {.share = 0.83, .sustained = 0.82, .step = 200, .store = 17, .read = 17, .layer = 12},
    {.share = 1.0, .sustained = 0.853, .step = 8, .store = 34, .read = 17, .layer = 37}};
#define FEED_BYTES     36   /* that a multiprocessor takes from the cache per cycle ... */
#define FEED_CYCLES    340  /* ... of a stage at least */
#define END_CYCLES     370  /* of a tile, beside its bytes */
#define BESIDE_STEPS   0.07 /* of C's bytes, while another group of the multiprocessor has steps */
#define CLUSTER_CYCLES 1180 /* to meet the other groups of a cluster ... */
#define CLUSTER_BYTES  10.7 /* ... and of sums that are sent to them per cycle */
#define CLUSTER_ROUND  6000 /* until the next clusters have taken the places of the first */

/* Cycles of one group. */
typedef struct tile_cycles {
    double steps;  /* for a tile from its first step to its last */
    double end;    /* for its end, beside C */
    double memory; /* for C */
    double mean;   /* part of the steps that a tile has: of a triangular factor some have fewer */
} tile_cycles;

/* Cycles of a copy of an element by a work-item; those of 4 bytes meet in the banks. */
static double copy_cycles(gbl_dtype dtype)
{
    return gbl_dtype_bytes(dtype) == 4 ? 207 : 99;
}

/* A step along k: the units, the cache and the work-items that copy elements go on side by side. */
static double step_cycles(const gbl_product_call *call, const gbl_ring_plan *plan)
{
    const int wide = gbl_dtype_real_bytes(call->dtype) == 8;
    const double flops = gbl_dtype_complex(call->dtype) ? 8 : 2,
                 area = (double)plan->rows * plan->columns,
                 lines = (double)plan->rows + plan->columns;
    /* Addresses that the host does not know are taken to be on 16 bytes, which are copied at once. */
    const double at_once = plan->batch == 2 ? 16.0 / (double)gbl_dtype_bytes(call->dtype) : 1;
    const double copied = ((gbl_ring_boxed(plan->how_a) ? 0 : plan->rows) +
                           (double)(gbl_ring_boxed(plan->how_b) ? 0 : plan->columns)) /
                          at_once;
    const double busy =
        area * plan->terms * flops / UNIT_FLOPS / core_of[wide].share + core_of[wide].step;
    const double feed = fmax(lines * STAGE_LINE / FEED_BYTES, FEED_CYCLES),
                 copies = copied * plan->terms / COPIERS * copy_cycles(call->dtype);
    return fmax(busy, fmax(feed, copies));
}

/* Two layers swap halves of their sums; else all sums are shown, and added from there. Then the groups of a cluster send
 * each other what is theirs. */
static double share_cycles(const gbl_product_call *call, const gbl_ring_plan *plan, double bytes)
{
    const int wide = gbl_dtype_real_bytes(call->dtype) == 8;
    const bool swap =
        plan->layers == 2 && plan->cluster == 1 && gbl_ring_core_of(call->dtype)->swaps_halves;
    double cycles = 0;
    if (plan->layers > 1)
        cycles += (swap ? 1 : plan->layers) * bytes / core_of[wide].layer;
    if (plan->cluster > 1)
        cycles += CLUSTER_CYCLES + bytes / CLUSTER_BYTES;
    return cycles;
}

static tile_cycles cycles_of(const gbl_product_call *call, const gbl_ring_plan *plan)
{
    const double bytes = (double)plan->rows * plan->columns * (double)gbl_dtype_bytes(call->dtype),
                 steps = (double)(plan->steps > 0 ? plan->steps : 1), shared = plan->cluster;
    const int wide = gbl_dtype_real_bytes(call->dtype) == 8;
    tile_cycles c = {.steps = steps * step_cycles(call, plan),
                     .end = END_CYCLES + share_cycles(call, plan, bytes),
                     .memory = bytes / shared / core_of[wide].store,
                     .mean = 1};
    if (!gbl_scalar_zero(&call->beta))
        c.memory += bytes / shared / core_of[wide].read;
    if (call->zeros != GBL_NO_ZEROS) {
        const bool left = call->zeros == GBL_A_LOWER || call->zeros == GBL_A_UPPER;
        const double across = (double)(left ? plan->rows : plan->columns) / plan->terms / shared;
        c.mean = fmin(1, (steps + across) / (2 * steps));
    }
    return c;
}

/* Cycles of the multiprocessor that works longest: rounds of as many tiles as it has groups. */
static double unit_cycles(const gbl_product_call *call, const gbl_ring_plan *plan, double units)
{
    const tile_cycles c = cycles_of(call, plan);
    const double groups = fmin((double)plan->groups, units * plan->resident),
                 tiles = (double)plan->tiles * plan->cluster; /* a group's share of one is one */
    const double beside = fmin(plan->resident, ceil(groups / units)), rounds = tiles / groups,
                 memory = beside * c.memory * (beside > 1 ? 1 - BESIDE_STEPS : 1);
    const double steps = beside * c.steps; /* they share units and feed */
    /* Groups of a cluster have one tile each: every round of them begins anew. */
    const double end = c.end + memory, anew = plan->cluster > 1 ? CLUSTER_ROUND : 0;
    if (call->zeros == GBL_NO_ZEROS)
        return ceil(rounds) * (steps + end) + (ceil(rounds) - 1) * anew;
    /* The longest tiles come first, shorter ones fill what is left. */
    return fmax(steps + end, rounds * (c.mean * steps + end + anew));
}

void gbl_ring_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                   const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const bool wide = gbl_dtype_real_bytes(call->dtype) == 8;
    const double units = device->props.units > 0 ? device->props.units : 1;
    gbl_ring_plan plan;
    gbl_work work;
    (void)self;
    memset(out, 0, sizeof *out);
    if (gbl_ring_many(call))
        gbl_gemm_batched_work(call, &work);
    else
        gbl_gemm_work(call, &work);
    out->launches = 1;
    out->memory_bytes = work.bytes_read + work.bytes_written;
    if (!gbl_ring_plan_nearest(call, params, device, &plan)) {
        out->groups = out->group_items = 1;
        out->flops = NO_PLAN;
        return;
    }
    const double all = cycles_of(call, &plan).mean * (double)plan.steps * (double)plan.tiles *
                       plan.cluster,
                 stage = (double)(plan.rows + plan.columns) * STAGE_LINE;
    const double multiplied =
        all * plan.rows * plan.columns * plan.terms * (gbl_dtype_complex(call->dtype) ? 8 : 2);
    const double flops = fmax(unit_cycles(call, &plan, units) * units * UNIT_FLOPS,
                              multiplied / core_of[wide].sustained);
    out->cache_bytes = all * stage;
    out->local_bytes = 2 * all * stage;
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight = plan.stages * stage;
    if (wide)
        out->matrix_flops = flops;
    else
        out->flops = flops;
}
