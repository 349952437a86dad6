/* gemm_ring_cost.c: what a product by rings of stages costs, from its plan.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Cycles of the multiprocessor that works longest, counted as flops of the units that multiply: matrix units in d and
 * z, multiply-adds in s and c; both make UNIT_FLOPS per cycle. A group fills its ring once, then goes from tile to tile:
 * steps along k, then the end of a tile, in which its units idle unless another group of the multiprocessor has steps.
 */
#include <math.h>
#include <string.h>
#include "blas/gemm_ring.h"

#define UNIT_FLOPS 256 /* of a multiprocessor of sm_90 in a cycle: DMMA in double, FFMA in single */
#define STAGE_LINE 128 /* bytes of a row of op(A) and of a column of op(B) in a stage */
#define COPIERS    128 /* work-items that fill stages */
#define NO_PLAN    1e30

/* In cycles of an H200 where no other unit is named; those of s and c stand first, those of d and z second. */
static const struct {
    double share;     /* of the cycles of a step that its multiply-adds take */
    double sustained; /* of the rate that long products keep at the board's power limit */
    double step; /* of a step beside its multiply-adds: signals, first loads from local memory */
} core_of[2] = {{0.86, 0.86, 60}, {0.96, 0.87, 60}};
#define START_CYCLES   1500 /* until the first stage is there */
#define FEED_BYTES     48   /* that a multiprocessor takes from the cache per cycle */
#define COPY_CYCLES    12   /* an element that a work-item copies */
#define END_CYCLES     700  /* of a tile, beside its bytes */
#define STORE_BYTES    16   /* of C that a multiprocessor stores per cycle ... */
#define READ_BYTES     16   /* ... and reads before */
#define LAYER_CYCLES   300  /* to add the sums of layers, beside their bytes ... */
#define LAYER_BYTES    64   /* ... per cycle */
#define CLUSTER_CYCLES 1500 /* to meet the other groups of a cluster twice, beside the sums ... */
#define CLUSTER_BYTES  12   /* ... that come from them per cycle */

/* Cycles of one group. */
typedef struct tile_cycles {
    double busy; /* of the multiplying units, for a tile */
    double tile; /* for a tile from its first step to its last */
    double end;  /* for sums of layers and clusters, and C */
    double mean; /* tiles of this length: of a triangular factor some are shorter */
} tile_cycles;

/* A step along k: the units, the cache and the work-items that copy elements go on side by side. */
static double step_cycles(const gbl_product_call *call, const gbl_ring_plan *plan, double *busy)
{
    const int wide = gbl_dtype_real_bytes(call->dtype) == 8;
    const double flops = gbl_dtype_complex(call->dtype) ? 8 : 2,
                 area = (double)plan->rows * plan->columns,
                 lines = (double)plan->rows + plan->columns;
    const double copied = (plan->how_a == GBL_RING_BOXES ? 0 : plan->rows) +
                          (double)(plan->how_b == GBL_RING_BOXES ? 0 : plan->columns);
    *busy = area * plan->terms * flops / UNIT_FLOPS / core_of[wide].share;
    const double feed = lines * STAGE_LINE / FEED_BYTES,
                 copies = copied * plan->terms / COPIERS * COPY_CYCLES;
    return fmax(*busy + core_of[wide].step / plan->layers, fmax(feed, copies));
}

static tile_cycles cycles_of(const gbl_product_call *call, const gbl_ring_plan *plan)
{
    const double bytes = (double)plan->rows * plan->columns * (double)gbl_dtype_bytes(call->dtype),
                 steps = (double)(plan->steps > 0 ? plan->steps : 1), shared = plan->cluster;
    double busy;
    const double step = step_cycles(call, plan, &busy);
    tile_cycles c = {.busy = steps * busy, .tile = steps * step, .end = END_CYCLES, .mean = 1};
    c.end += bytes / shared / STORE_BYTES;
    if (!gbl_scalar_zero(&call->beta))
        c.end += bytes / shared / READ_BYTES;
    if (plan->layers > 1)
        c.end += LAYER_CYCLES + (plan->layers - 1) * bytes / LAYER_BYTES;
    if (plan->cluster > 1)
        c.end += CLUSTER_CYCLES + (shared - 1) / shared * bytes / CLUSTER_BYTES;
    if (call->zeros != GBL_NO_ZEROS) {
        const bool left = call->zeros == GBL_A_LOWER || call->zeros == GBL_A_UPPER;
        const double across = (double)(left ? plan->rows : plan->columns) / plan->terms / shared;
        c.mean = fmin(1, (steps + across) / (2 * steps));
    }
    return c;
}

/* Cycles of the multiprocessor that works longest. */
static double unit_cycles(const gbl_product_call *call, const gbl_ring_plan *plan, double units)
{
    const tile_cycles c = cycles_of(call, plan);
    const double places = units * plan->resident, groups = (double)plan->groups,
                 tiles = (double)plan->tiles * plan->cluster; /* a group's share of one is one */
    const double rounds = ceil(tiles / fmin(groups, places)), alone = c.tile + c.end,
                 mean = c.mean * c.tile + c.end;
    if (call->zeros !=
        GBL_NO_ZEROS) /* the longest tiles come first, shorter ones fill what is left */
        return fmax(fmax(alone, mean * tiles / fmin(groups, places)),
                    c.mean * c.busy * tiles / fmin(groups, units));
    return fmax(rounds * alone, ceil(tiles / units) * c.busy);
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
    out->launches = 1;
    if (!gbl_ring_plan_make(call, params, device, &plan)) {
        out->flops = NO_PLAN;
        return;
    }
    gbl_gemm_work(call, &work);
    const double all = cycles_of(call, &plan).mean * (double)plan.steps * (double)plan.tiles *
                       plan.cluster,
                 stage = (double)(plan.rows + plan.columns) * STAGE_LINE;
    const double multiplied =
        all * plan.rows * plan.columns * plan.terms * (gbl_dtype_complex(call->dtype) ? 8 : 2);
    const double flops = fmax((START_CYCLES + unit_cycles(call, &plan, units)) * units * UNIT_FLOPS,
                              multiplied / core_of[wide].sustained);
    out->memory_bytes = work.bytes_read + work.bytes_written;
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
