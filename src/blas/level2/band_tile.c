/* band_tile.c: narrow bands by tiles in local memory: plans of band_tile.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group computes some rows of the result from tiles of the band in local memory. Narrow bands are
 * one chunk, and a group takes as many rows as fill the tile. Others are several; then the tile is
 * about square, because a tile along rows needs as many rows as places. Tiles cost a work-item
 * about 15 instructions per element, which is too much where bands are wide: band_wide.c loads
 * these into registers.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "blas/level2/band_plan.h"
#include "blas/level2/band_variants.h"
#include "band_args.h"

#define X_LOADS        4 /* of x that a work-item has in flight */
#define MOST_UNROLLED  5 /* places for which a kernel of their own is compiled */
#define MOST_HELPERS   16
#define FEWEST_ROWS    16 /* per group */
#define SHARE_OF_CACHE 4  /* a band that is read twice is at most the cache by this */

enum { TILE_ITEMS, TILE_BYTES, TILE_ROWS };
static const int32_t items[] = {32, 64, 128, 256, 512};
static const int32_t bytes_an_item[] = {16, 32, 64, 128};
static const int32_t rows[] = {8, 16, 32, 64, 128};
const gbl_param gbl_band_tile_space[GBL_BAND_TILE_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "bytes", GBL_VALUES(bytes_an_item), .fallback = 64},
    {.name = "rows", GBL_VALUES(rows), .fallback = 32},
};

typedef struct tile_plan {
    band_args args;
    int64_t groups;
    int32_t items, helpers, unroll, tile, beside, places;
    bool together;
    bool in_place; /* without a copy of x */
} tile_plan;

static int64_t local_bytes(const tile_plan *plan, int64_t elem)
{
    return elem * (plan->tile + plan->beside + plan->items);
}

/* Rows and chunks of a group. */
static void plan_tile(const gbl_band *band, const gbl_params *params, const gbl_device *device,
                      tile_plan *plan)
{
    band_args *args = &plan->args;
    const int64_t width = band->kl + band->ku + 1, tile = plan->tile, beside = plan->beside;
    if (band->sides == GBL_BAND_BOTH) {
        const int64_t most =
            gbl_band_whole_rows(gbl_band_least(tile / width - width, beside - 2 * (width - 1)));
        if (most >= FEWEST_ROWS && most >= width / 2) {
            const int64_t fewest = width / 2 > FEWEST_ROWS ? width / 2 : FEWEST_ROWS;
            plan->together = true;
            args->rows = gbl_band_enough_groups(most, fewest, band->outputs, device);
            args->deep = width;
            args->chunks = 1;
            return;
        }
    }
    const bool along_rows = (band->sides & GBL_BAND_ROWS) != 0;
    const int64_t most =
        gbl_band_whole_rows(gbl_band_least(tile / width - 1, beside - (width - 1)));
    const int64_t fewest = along_rows && width - 1 > FEWEST_ROWS ? width - 1 : FEWEST_ROWS;
    if (most >= fewest) {
        args->rows = gbl_band_enough_groups(most, fewest, band->outputs, device);
        args->deep = width;
        args->chunks = 1;
        return;
    }
    int64_t side = 4; /* of a square tile */
    while ((side + 4) * (side + 5) <= tile)
        side += 4;
    args->rows = along_rows ? side : gbl_band_least(params->value[TILE_ROWS], side);
    args->rows =
        gbl_band_enough_groups(args->rows, along_rows ? FEWEST_ROWS : 8, band->outputs, device);
    int64_t deep = tile / (args->rows + 1);
    if (along_rows)
        deep = gbl_band_least(deep, args->rows + 1);
    deep = gbl_band_least(deep, beside + 1 - args->rows);
    args->chunks = gbl_parts(width, deep);
    args->deep = gbl_parts(width, args->chunks);
    /* Chunks are as deep as each other: more rows may have room now. */
    const int64_t more =
        gbl_band_whole_rows(gbl_band_least(tile / args->deep - 1, beside + 1 - args->deep));
    if (along_rows && more > args->rows)
        args->rows = gbl_band_enough_groups(more, args->rows, band->outputs, device);
}

static void plan_items(const gbl_band *band, const gbl_matrix_call *call, const gbl_params *params,
                       const gbl_device *device, tile_plan *plan)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    const int64_t room = gbl_own_local_bytes(&device->props);
    band_args *args = &plan->args;
    plan->items = params->value[TILE_ITEMS];
    plan->unroll = params->value[TILE_BYTES] / (int32_t)elem;
    for (;; plan->unroll /= 2) {
        plan->tile = plan->items * plan->unroll;
        plan->tile = plan->tile > 64 ? plan->tile : 64;
        plan->beside = (int32_t)gbl_band_least(plan->tile / 2, X_LOADS * plan->items);
        plan->beside = plan->beside > 32 ? plan->beside : 32;
        if (plan->unroll == 1 || local_bytes(plan, elem) <= room)
            break;
    }
    plan_tile(band, params, device, plan);
    plan->in_place = band->in_place && args->chunks == 1 && band->outputs <= INT32_MAX;
    args->before = (band->sides == GBL_BAND_ROWS) == (band->kl > 0);
    /* Two addresses of x take the registers that a known width would. */
    if (args->chunks == 1 && args->deep <= MOST_UNROLLED && !plan->in_place)
        plan->places = (int32_t)args->deep;
    args->step_columns = plan->items / args->deep;
    args->step_places = plan->items % args->deep;
    /* Several work-items share a row where there are few rows, and enough places for all of
     * them. */
    plan->helpers = 1;
    while (plan->helpers < MOST_HELPERS && plan->items / (2 * plan->helpers) >= args->rows &&
           args->deep >= 4 * plan->helpers)
        plan->helpers *= 2;
}

static void make_plan(const gbl_matrix_call *call, const gbl_band *band, const gbl_params *params,
                      const gbl_device *device, tile_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    gbl_band_arguments(call, band, &plan->args);
    plan_items(band, call, params, device, plan);
    plan->groups = gbl_parts(band->outputs, plan->args.rows);
}

static void make_spec(const gbl_matrix_call *call, const gbl_band *band, const tile_plan *plan,
                      gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "band_tile.cl", call->dtype);
    gbl_band_macros(band, spec);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "HELPERS", plan->helpers);
    gbl_kernel_add_macro(spec, "UNROLL", plan->unroll);
    gbl_kernel_add_macro(spec, "TILE", plan->tile);
    gbl_kernel_add_macro(spec, "BESIDE", plan->beside);
    gbl_kernel_add_macro(spec, "PLACES", plan->places);
    gbl_kernel_add_macro(spec, "TOGETHER", plan->together);
    gbl_kernel_add_macro(spec, "IN_PLACE", plan->in_place);
}

static int32_t plan_kernel(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    gbl_band band;
    tile_plan *plan = planned;
    (void)most_items;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, plan);
    make_spec(call, &band, plan, spec);
    return plan->items;
}

int gbl_band_tile_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_band band;
    tile_plan plan;
    gbl_band_routine_of(self)->form(call, &band);
    plan_kernel(self, call, params, device, INT32_MAX, &plan, &specs[0]);
    if (!plan.in_place || band.kl + band.ku == 0)
        return 1;
    gbl_band_save_kernel(((const gbl_matrix_call *)call)->dtype, &specs[1]);
    return 2;
}

/* For narrow bands. Both halves of a wide symmetric one are read one after the other: the second
 * reading should find it in the cache. */
bool gbl_band_tile_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    gbl_params params;
    tile_plan plan;
    if (!gbl_band_gpu(device) || call->lda > GBL_BAND_MOST_LDA ||
        gbl_band_flat_fits(self, call, device))
        return false;
    gbl_band_routine_of(self)->form(call, &band);
    if (band.sides != GBL_BAND_BOTH)
        return band.kl + band.ku + 1 < GBL_BAND_WIDE;
    gbl_params_fallback(self, &params);
    make_plan(call, &band, &params, device, &plan);
    const double bytes = (double)gbl_dtype_bytes(call->dtype) * gbl_band_elements(&band);
    return plan.together || SHARE_OF_CACHE * bytes <= (double)device->props.cache_bytes;
}

gable_status gbl_band_tile_run(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    tile_plan plan;
    gbl_kernel *kernel;
    gbl_band_routine_of(self)->form(call, &band);
    TRY(gbl_plan_kernel(ctx, self, call, params, TILE_ITEMS, plan_kernel, &plan, &kernel));
    const gbl_band_groups groups = {.kernel = kernel,
                                    .args = &plan.args,
                                    .groups = plan.groups,
                                    .items = plan.items,
                                    .saves = plan.in_place};
    return gbl_band_launch(ctx, self, call, &band, &groups);
}

void gbl_band_tile_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_band band;
    tile_plan plan;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, &plan);
    gbl_band_cost(call, &band, plan.groups, plan.items, out);
    const bool both = band.sides == GBL_BAND_BOTH;
    const double rows_ = (double)plan.args.rows, width = (double)(band.kl + band.ku + 1),
                 stored = elem * gbl_band_elements(&band);
    const double steps = (double)plan.args.chunks * (both && !plan.together ? 2 : 1);
    const double tile = rows_ * (double)plan.args.deep, at_once = plan.items * plan.unroll;
    if (both) /* the second reading, or the columns beside the rows of a group */
        out->cache_bytes += plan.together ? stored * width / (2 * rows_) : stored;
    out->cache_bytes += steps * out->groups * elem * rows_;
    out->local_bytes = 3 * stored;
    out->steps = steps * GBL_LOCAL_STEPS + (plan.helpers > 1 ? GBL_LOCAL_STEPS + plan.helpers : 0);
    out->overlapped = steps > 1;
    out->bytes_in_flight = elem * (tile < at_once ? tile : at_once);
}

bool gbl_band_tile_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    gbl_band band;
    tile_plan plan;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items, plan.unroll * elem) &&
           local_bytes(&plan, elem) <= gbl_own_local_bytes(&device->props);
}
