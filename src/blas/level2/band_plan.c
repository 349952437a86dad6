/* band_plan.c: products with band matrices: what gbmv, sbmv and tbmv share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group of band_tile.cl computes some rows of the result from tiles of the band in local memory. Narrow bands are
 * one chunk, and a group takes as many rows as fill the tile. Others are several; then the tile is about
 * square, because a tile along rows needs as many rows as places. Tiles cost a work-item about 15 instructions per
 * element, which is too much where bands are wide: band_n.cl and band_t.cl load these into registers.
 */
#include "blas/level2/band_plan.h"
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "band_args.h"

_Static_assert(sizeof(band_args) == 21 * 8, "host and device must agree");

#define X_LOADS         4  /* of x that a work-item of band_tile.cl has in flight */
#define MOST_UNROLLED   5  /* places for which a kernel of their own is compiled */
#define MOST_OTHERS     16 /* rows, or columns, of a piece for each of its outputs */
#define SAVE_ITEMS      64 /* work-items per group of band_save.cl */
#define MOST_HELPERS    16
#define FEWEST_ROWS     16 /* per group */
#define SHARE_OF_CACHE  4  /* a band that is read twice is at most the cache by this */
#define WALK_VEC        8
#define WIDE            64  /* diagonals from which on a GPU reads a band into registers */
#define MOST_ITEM_BYTES 128 /* that a work-item loads at once: more would not fit its registers */

/* The kernels' groups have `items`, the first tunable, but those of `walk`, which have one work-item. */
enum { TILE_ITEMS, TILE_BYTES, TILE_ROWS };
enum { WIDE_ITEMS, WIDE_WX, WIDE_DEEP, WIDE_COLUMNS };
enum { WALK_ROWS };
static const int32_t items[] = {32, 64, 128, 256, 512};
static const int32_t bytes_an_item[] = {16, 32, 64, 128};
static const int32_t rows[] = {8, 16, 32, 64, 128};
static const int32_t widths[] = {16, 32, 64};
static const int32_t depths[] = {1, 2, 4, 8};
static const int32_t columns[] = {1, 2, 4, 8, 16};
static const int32_t walk_rows[] = {16, 64, 256, 1024};

const gbl_param gbl_band_tile_space[GBL_BAND_TILE_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "bytes", GBL_VALUES(bytes_an_item), .fallback = 64},
    {.name = "rows", GBL_VALUES(rows), .fallback = 32},
};
#define WIDE_SPACE(space, deep, columns_)                                                          \
    const gbl_param space[GBL_BAND_WIDE_PARAMS] = {                                                \
        {.name = "items", GBL_VALUES(items), .fallback = 256},                                     \
        {.name = "wx", GBL_VALUES(widths), .fallback = 32},                                        \
        {.name = "deep", GBL_VALUES(depths), .fallback = deep},                                    \
        {.name = "columns", GBL_VALUES(columns), .fallback = columns_},                            \
    }
WIDE_SPACE(gbl_band_wide_n_space, 2, 8);
WIDE_SPACE(gbl_band_wide_t_space, 4, 4);
const gbl_param gbl_band_walk_space[GBL_BAND_WALK_PARAMS] = {
    {.name = "rows", GBL_VALUES(walk_rows), .fallback = 256},
};

typedef struct band_plan {
    band_args args;
    int64_t groups;
    int32_t items, helpers, unroll, tile, beside, places;
    int32_t wx, deep, columns; /* of wide bands */
    bool together;
    bool in_place; /* band_tile.cl without a copy of x */
} band_plan;

static const gbl_band_routine *routine_of(const gbl_variant *self)
{
    return self->detail;
}

static bool is_walk(const gbl_variant *self)
{
    return self->fits == gbl_band_walk_fits;
}

static bool is_wide(const gbl_variant *self)
{
    return self->fits == gbl_band_wide_n_fits || self->fits == gbl_band_wide_t_fits;
}

static int64_t parts(int64_t whole, int64_t size)
{
    return (whole + size - 1) / size;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void gbl_band_cut(gbl_band *band)
{
    const int64_t ku = least(band->ku, band->n - 1);
    band->before = band->ku - ku;
    band->ku = ku;
    band->kl = least(band->kl, band->m - 1);
}

/* The sum of min(a, b - o) for o = 0 to k, k < b. */
static double diagonals(double a, double b, double k)
{
    double whole = b - a + 1; /* diagonals of a elements */
    whole = whole < 0 ? 0 : whole > k + 1 ? k + 1 : whole;
    return whole * a + (k + 1 - whole) * (2 * b - whole - k) / 2;
}

double gbl_band_elements(const gbl_band *band)
{
    const double m = (double)band->m, n = (double)band->n;
    const double main = m < n ? m : n;
    const double all = diagonals(m, n, (double)band->ku) + diagonals(n, m, (double)band->kl) - main;
    return band->diagonal == GBL_BAND_ONES ? all - main : all;
}

void gbl_band_work(const gbl_matrix_call *call, const gbl_band *band, gbl_work *least_work)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), elements = gbl_band_elements(band);
    const double sums = band->sides == GBL_BAND_BOTH ? 2 : 1;
    *least_work = (gbl_work){.bytes_read = elem * (elements + (double)band->inputs),
                             .bytes_written = elem * (double)band->outputs,
                             .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * sums * elements};
    if (!band->in_place && (call->beta.device != NULL || call->beta.re != 0 || call->beta.im != 0))
        least_work->bytes_read += elem * (double)band->outputs;
}

/* ---- plans ---- */

static int64_t local_bytes(const band_plan *plan, int64_t elem)
{
    return elem * (plan->tile + plan->beside + plan->items);
}

/* Rows of a group, even so that the pitch of a tile is odd. */
static int64_t whole_rows(int64_t count)
{
    return count / 4 * 4;
}

/* Fewer rows per group, down to `fewest`, where groups would not fill the device twice. */
static int64_t enough_groups(int64_t wanted, int64_t fewest, int64_t outputs,
                             const gbl_device *device)
{
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    while (wanted / 2 >= fewest && parts(outputs, wanted) < 2 * units)
        wanted = whole_rows(wanted / 2);
    return wanted;
}

/* Rows and chunks of a group. */
static void plan_tile(const gbl_band *band, const gbl_params *params, const gbl_device *device,
                      band_plan *plan)
{
    band_args *args = &plan->args;
    const int64_t width = band->kl + band->ku + 1, tile = plan->tile, beside = plan->beside;
    if (band->sides == GBL_BAND_BOTH) {
        const int64_t most = whole_rows(least(tile / width - width, beside - 2 * (width - 1)));
        if (most >= FEWEST_ROWS && most >= width / 2) {
            const int64_t fewest = width / 2 > FEWEST_ROWS ? width / 2 : FEWEST_ROWS;
            plan->together = true;
            args->rows = enough_groups(most, fewest, band->outputs, device);
            args->deep = width;
            args->chunks = 1;
            return;
        }
    }
    const bool along_rows = (band->sides & GBL_BAND_ROWS) != 0;
    const int64_t most = whole_rows(least(tile / width - 1, beside - (width - 1)));
    const int64_t fewest = along_rows && width - 1 > FEWEST_ROWS ? width - 1 : FEWEST_ROWS;
    if (most >= fewest) {
        args->rows = enough_groups(most, fewest, band->outputs, device);
        args->deep = width;
        args->chunks = 1;
        return;
    }
    int64_t side = 4; /* of a square tile */
    while ((side + 4) * (side + 5) <= tile)
        side += 4;
    args->rows = along_rows ? side : least(params->value[TILE_ROWS], side);
    args->rows = enough_groups(args->rows, along_rows ? FEWEST_ROWS : 8, band->outputs, device);
    int64_t deep = tile / (args->rows + 1);
    if (along_rows)
        deep = least(deep, args->rows + 1);
    deep = least(deep, beside + 1 - args->rows);
    args->chunks = parts(width, deep);
    args->deep = parts(width, args->chunks);
    /* Chunks are as deep as each other: more rows may have room now. */
    const int64_t more = whole_rows(least(tile / args->deep - 1, beside + 1 - args->deep));
    if (along_rows && more > args->rows)
        args->rows = enough_groups(more, args->rows, band->outputs, device);
}

bool gbl_band_small_rest(int64_t groups, int32_t items_, int32_t item_bytes,
                         const gbl_device *device)
{
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    const int64_t a_unit = (item_bytes <= 64 ? 768 : 512) / items_;
    const int64_t at_once = units * (a_unit > 1 ? a_unit : 1);
    return groups > at_once && 2 * groups < 3 * at_once;
}

/* Groups of the kernels for wide bands. Where they would not fill the device twice, or leave a small rest, a work-item
 * has fewer outputs, and loads more for each. */
static void plan_wide(const gbl_band *band, const gbl_matrix_call *call, const gbl_params *params,
                      const gbl_device *device, band_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    const bool along_rows = band->sides == GBL_BAND_ROWS;
    plan->items = params->value[WIDE_ITEMS];
    plan->wx = (int32_t)least(params->value[WIDE_WX], plan->items);
    plan->deep = params->value[WIDE_DEEP];
    plan->columns = (int32_t)least(params->value[WIDE_COLUMNS], plan->wx);
    while (plan->columns > 1 && plan->deep * plan->columns * elem > MOST_ITEM_BYTES)
        plan->columns /= 2;
    int32_t *const outputs = along_rows ? &plan->deep : &plan->columns;
    int32_t *const others = along_rows ? &plan->columns : &plan->deep;
    const int32_t lanes = along_rows ? plan->wx : plan->items / plan->wx;
    const int32_t most = along_rows && plan->wx < MOST_OTHERS ? plan->wx : MOST_OTHERS;
    while (*outputs > 1) {
        const int64_t groups = parts(band->outputs, (int64_t)*outputs * lanes);
        if (groups >= 2 * units &&
            !gbl_band_small_rest(groups, plan->items, plan->deep * plan->columns * elem, device))
            break;
        *outputs /= 2;
        *others *= 2 * *others <= most ? 2 : 1;
    }
    while (plan->columns > 1 && !along_rows &&
           plan->items * plan->columns * elem > gbl_scratch_bytes(&device->props))
        plan->columns /= 2;
    while (plan->deep > 1 && along_rows &&
           plan->items * plan->deep * elem > gbl_scratch_bytes(&device->props))
        plan->deep /= 2;
    plan->args.rows = (int64_t)*outputs * lanes;
}

static void plan_items(const gbl_band *band, const gbl_matrix_call *call, const gbl_params *params,
                       const gbl_device *device, band_plan *plan)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    const int64_t room = gbl_own_local_bytes(&device->props);
    band_args *args = &plan->args;
    plan->items = params->value[TILE_ITEMS];
    plan->unroll = params->value[TILE_BYTES] / (int32_t)elem;
    for (;; plan->unroll /= 2) {
        plan->tile = plan->items * plan->unroll;
        plan->tile = plan->tile > 64 ? plan->tile : 64;
        plan->beside = (int32_t)least(plan->tile / 2, X_LOADS * plan->items);
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
    /* Several work-items share a row where there are few rows, and enough places for all of them. */
    plan->helpers = 1;
    while (plan->helpers < MOST_HELPERS && plan->items / (2 * plan->helpers) >= args->rows &&
           args->deep >= 4 * plan->helpers)
        plan->helpers *= 2;
}

static void make_plan(const gbl_variant *self, const gbl_matrix_call *call, const gbl_band *band,
                      const gbl_params *params, const gbl_device *device, band_plan *plan)
{
    band_args *args = &plan->args;
    memset(plan, 0, sizeof *plan);
    args->m = band->m;
    args->n = band->n;
    args->kl = band->kl;
    args->ku = band->ku;
    args->lda = call->lda;
    args->incx = band->in_place ? 1 : call->incx;
    args->incy = band->in_place ? call->incx : call->incy;
    args->outputs = band->outputs;
    args->alpha_re = call->alpha.re;
    args->alpha_im = call->alpha.im;
    args->beta_re = call->beta.re;
    args->beta_im = call->beta.im;
    args->alpha_on_device = call->alpha.device != NULL;
    args->beta_on_device = call->beta.device != NULL;
    if (is_walk(self)) {
        plan->items = 1;
        plan->tile = params->value[WALK_ROWS];
        args->rows = enough_groups(plan->tile, FEWEST_ROWS, band->outputs, device);
    } else if (is_wide(self)) {
        plan_wide(band, call, params, device, plan);
    } else {
        plan_items(band, call, params, device, plan);
    }
    plan->groups = parts(band->outputs, args->rows);
}

static void make_spec(const gbl_variant *self, const gbl_matrix_call *call, const gbl_band *band,
                      const band_plan *plan, gbl_kernel_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    spec->file = is_walk(self) || is_wide(self) ? self->kernels : "band_tile.cl";
    spec->dtype = call->dtype;
    gbl_kernel_add_macro(spec, "SIDES", band->sides);
    gbl_kernel_add_macro(spec, "CONJ", band->conj);
    gbl_kernel_add_macro(spec, "DIAGONAL", band->diagonal);
    gbl_kernel_add_macro(spec, "SCALED", !band->in_place);
    if (is_walk(self)) {
        gbl_kernel_add_macro(spec, "ROWS", plan->tile);
        gbl_kernel_add_macro(spec, "VEC", WALK_VEC);
        return;
    }
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    if (is_wide(self)) {
        gbl_kernel_add_macro(spec, "WX", plan->wx);
        gbl_kernel_add_macro(spec, "DEEP", plan->deep);
        gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
        return;
    }
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
    band_plan *plan = planned;
    (void)most_items;
    routine_of(self)->form(call, &band);
    make_plan(self, call, &band, params, device, plan);
    make_spec(self, call, &band, plan, spec);
    return plan->items;
}

/* Elements of x that groups save for their neighbours, before any of them is changed. */
static int64_t saved_elements(const band_plan *plan, const gbl_band *band)
{
    return plan->in_place ? plan->groups * (band->kl + band->ku) : 0;
}

void gbl_band_save_kernel(gbl_dtype dtype, gbl_kernel_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    spec->file = "band_save.cl";
    spec->dtype = dtype;
    gbl_kernel_add_macro(spec, "ITEMS", SAVE_ITEMS);
}

int gbl_band_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_band band;
    band_plan plan;
    routine_of(self)->form(call, &band);
    plan_kernel(self, call, params, device, INT32_MAX, &plan, &specs[0]);
    if (saved_elements(&plan, &band) == 0)
        return 1;
    gbl_band_save_kernel(((const gbl_matrix_call *)call)->dtype, &specs[1]);
    return 2;
}

/* ---- the variants' functions ---- */

static bool is_gpu(const gbl_device *device)
{
    return device->table->build != NULL && device->props.is_gpu;
}

/* For narrow bands. Both halves of a wide symmetric one are read one after the other: the second reading should find
 * it in the cache. */
bool gbl_band_tile_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    gbl_params params;
    band_plan plan;
    if (!is_gpu(device) || call->lda > GBL_BAND_MOST_LDA || gbl_band_flat_fits(self, call, device))
        return false;
    routine_of(self)->form(call, &band);
    if (band.sides != GBL_BAND_BOTH)
        return band.kl + band.ku + 1 < WIDE;
    gbl_params_fallback(self, &params);
    make_plan(self, call, &band, &params, device, &plan);
    const double bytes = (double)gbl_dtype_bytes(call->dtype) * gbl_band_elements(&band);
    return plan.together || SHARE_OF_CACHE * bytes <= (double)device->props.cache_bytes;
}

static bool wide_fits(const gbl_variant *self, const gbl_matrix_call *call,
                      const gbl_device *device, int sides)
{
    gbl_band band;
    routine_of(self)->form(call, &band);
    return is_gpu(device) && band.sides == sides &&
           (band.kl + band.ku + 1 >= WIDE || call->lda > GBL_BAND_MOST_LDA) &&
           !gbl_band_flat_fits(self, call, device);
}

bool gbl_band_wide_n_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return wide_fits(self, call, device, GBL_BAND_ROWS);
}

bool gbl_band_wide_t_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return wide_fits(self, call, device, GBL_BAND_COLUMNS);
}

bool gbl_band_walk_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    (void)self;
    (void)given;
    return device->table->build != NULL && !device->props.is_gpu;
}

/* A contiguous copy of all of x. */
static gable_status copy_x(gable_context *ctx, const gbl_variant *self, const gbl_matrix_call *call,
                           const gbl_band *band, void **x)
{
    const size_t bytes = (size_t)band->inputs * gbl_dtype_bytes(call->dtype);
    TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, x, &ctx->message));
    const gbl_vector_call copy = {.dtype = call->dtype,
                                  .n = band->inputs,
                                  .x = call->x,
                                  .incx = call->incx,
                                  .y = *x,
                                  .incy = 1};
    return gbl_copy(ctx, routine_of(self)->matrix.stem, &copy);
}

/* What groups need of their neighbours' elements: a copy of all of x would be half of the time of a narrow band. */
gable_status gbl_band_save(gable_context *ctx, const gbl_matrix_call *call, const gbl_band *band,
                           const struct band_args *args, int64_t groups, void **x)
{
    const int64_t saved = groups * (band->kl + band->ku);
    void *const first = *x;
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    if (saved == 0)
        return GABLE_OK; /* x stays an address that is not read */
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)saved * gbl_dtype_bytes(call->dtype), x,
                       &ctx->message));
    gbl_band_save_kernel(call->dtype, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {.groups = {parts(saved, SAVE_ITEMS), 1},
                              .group = {SAVE_ITEMS, 1},
                              .buffer_count = 2,
                              .buffers = {first, *x},
                              .args = args,
                              .args_bytes = sizeof *args};
    return gbl_launch(ctx, kernel, &launch);
}

gable_status gbl_band_run(gable_context *ctx, const gbl_variant *self, const void *given,
                          const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    gbl_band band;
    band_plan plan;
    gbl_kernel *kernel;
    routine_of(self)->form(call, &band);
    TRY(gbl_plan_kernel(ctx, self, call, params, TILE_ITEMS, plan_kernel, &plan, &kernel));
    void *x = gbl_first_element(call->x, band.inputs, call->incx, call->dtype);
    void *y = band.in_place ? x : gbl_first_element(call->y, band.outputs, call->incy, call->dtype);
    if (plan.in_place)
        TRY(gbl_band_save(ctx, call, &band, &plan.args, plan.groups, &x));
    else if (band.in_place)
        TRY(copy_x(ctx, self, call, &band, &x));
    const char *A = (const char *)call->A + (size_t)band.before * elem;
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = 5,
        .buffers = {call->alpha.device != NULL ? call->alpha.device : call->A,
                    call->beta.device != NULL ? call->beta.device : call->A, A, x, y},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

void gbl_band_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                   const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_band band;
    band_plan plan;
    gbl_work work;
    routine_of(self)->form(call, &band);
    make_plan(self, call, &band, params, device, &plan);
    gbl_band_work(call, &band, &work);
    memset(out, 0, sizeof *out);
    const bool both = band.sides == GBL_BAND_BOTH;
    const double groups = (double)plan.groups, rows_ = (double)plan.args.rows;
    const double width = (double)(band.kl + band.ku + 1), stored = elem * gbl_band_elements(&band);
    out->memory_bytes = work.bytes_read + work.bytes_written;
    out->flops = work.flops;
    out->launches = band.in_place ? 2 : 1;
    out->groups = groups;
    out->group_items = plan.items;
    out->cache_bytes = elem * groups * width;
    if (is_walk(self)) {
        out->cache_bytes += both ? stored : 0;
        out->bytes_in_flight = elem * WALK_VEC;
        return;
    }
    if (is_wide(self)) {
        out->steps = gbl_reduce_steps(device, plan.items);
        out->bytes_in_flight = elem * plan.items * plan.deep * plan.columns;
        return;
    }
    const double steps = (double)plan.args.chunks * (both && !plan.together ? 2 : 1);
    const double tile = rows_ * (double)plan.args.deep, at_once = plan.items * plan.unroll;
    if (both) /* the second reading, or the columns beside the rows of a group */
        out->cache_bytes += plan.together ? stored * width / (2 * rows_) : stored;
    out->cache_bytes += steps * groups * elem * rows_;
    out->local_bytes = 3 * stored;
    out->steps = steps * GBL_LOCAL_STEPS + (plan.helpers > 1 ? GBL_LOCAL_STEPS + plan.helpers : 0);
    out->overlapped = steps > 1;
    out->bytes_in_flight = elem * (tile < at_once ? tile : at_once);
}

bool gbl_band_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    gbl_band band;
    band_plan plan;
    if (self->space == gbl_band_flat_space)
        return gbl_band_flat_legal(self, call, params, device, hash);
    if (self->space == NULL)
        return true;
    routine_of(self)->form(call, &band);
    make_plan(self, call, &band, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    if (is_walk(self))
        return true;
    if (is_wide(self))
        return plan.items >= plan.wx &&
               gbl_group_legal(device, plan.items, (int64_t)plan.deep * plan.columns * elem);
    return gbl_group_legal(device, plan.items, plan.unroll * elem) &&
           local_bytes(&plan, elem) <= gbl_own_local_bytes(&device->props);
}
