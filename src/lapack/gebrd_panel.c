/* gebrd_panel.c: a panel of gebrd by one cooperative launch
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/lapack/gebrd_panel.cl says how. A group has whole columns in its registers or in local
 * memory, so the kernels are those of some numbers of rows: panels take the one for the fewest rows
 * that has enough. Matrices with more rows than any of them are read twice. GPUs with TMA copy
 * columns to local memory by bulk copies where they start on 16 bytes.
 */
#include "lapack/gebrd_panel.h"
#include "blas/kernel_plan.h"
#include "blas/level3/composed.h"
#include "core/launch.h"
#include "gebrd_panel_args.h"
#include "lapack/sytrd_panel.h"

_Static_assert(sizeof(gebrd_panel_args) == 4 * 8, "host and device must agree");

#define LANES            32 /* that run together, where such launches are */
#define MOST_ITEMS       256
#define MOST_TILE_BYTES  256 /* of a work-item */
#define LEAST_TILE_BYTES 64
#define STAGES           3          /* tiles in local memory: all but one are on their way */
#define EARLY            3          /* of them, before groups meet: bulk copies alone */
#define OWN_LOCAL        (24 << 10) /* at most, of local memory beside them */
#define VEC_BYTES        16
#define LEAST_LOCAL      64 /* bytes of v of a work-item that stand in local memory */
#define LEAST_DEEP       4  /* elements of a column that a work-item has */
#define SLICES           8  /* work-items that share a row, or twice as many */
#define SQUARES_BYTES    24 /* three sums of squares: kernels/level1/norm.h */
/* Of a column beside its two barriers: sums within groups and over their shares, roots, quotients,
 * and what is loaded between barriers one behind the other; and of a tile beside its bytes, which
 * comes by bulk copies or by elements (H200, d, orders 333 to 8192, 2026-11). */
#define COLUMN_STEPS     250
#define BULK_TILE_STEPS  12
#define PLAIN_TILE_STEPS 160

/* ---- Plans ---- */

/* Bytes of a work-item's part of a tile: local memory must take STAGES of them; 0: it does not. */
static int32_t tile_bytes(const gbl_device *device)
{
    const size_t room = device->props.max_dynamic_local_bytes;
    int32_t bytes = MOST_TILE_BYTES;
    while (bytes >= LEAST_TILE_BYTES && (size_t)(STAGES * MOST_ITEMS * bytes) + OWN_LOCAL > room)
        bytes /= 2;
    return bytes >= LEAST_TILE_BYTES ? bytes : 0;
}

/* Elements of a column that a work-item may have. */
static int32_t most_deep(gbl_dtype dtype, const gbl_device *device)
{
    return tile_bytes(device) / (int32_t)gbl_dtype_bytes(dtype);
}

/* Whether columns start on whole vectors: panels start at multiples of 16 rows. */
static bool columns_aligned(const gbl_product_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    return (uintptr_t)call->A % VEC_BYTES == 0 && (size_t)call->lda * elem % VEC_BYTES == 0;
}

static void make_shape(const gbl_product_call *call, const gbl_params *params,
                       const gbl_device *device, int32_t most_items, gbl_gebrd_shape *shape)
{
    const int32_t most = most_deep(call->dtype, device);
    *shape = (gbl_gebrd_shape){
        .items = MOST_ITEMS, .deep = LEAST_DEEP, .stages = STAGES, .block = params->value[0]};
    while (shape->items > most_items && shape->items > 4 * LANES)
        shape->items /= 2;
    while (shape->deep < most && (int64_t)shape->items * shape->deep < call->m)
        shape->deep *= 2;
    shape->twice = (int64_t)shape->items * shape->deep < call->m;
    if (shape->twice && most > LEAST_DEEP)
        shape->deep = most / LEAST_DEEP > 2 ? most / LEAST_DEEP : 2;
    shape->columns = most / shape->deep;
    shape->bulk = !shape->twice && columns_aligned(call) && device->props.max_tensor_maps > 0;
    shape->early = shape->bulk ? EARLY : 0;
    /* Where registers are short v stands in local memory, in the place of a tile. */
    shape->v_local = !shape->twice && !shape->bulk &&
                     shape->deep * (int32_t)gbl_dtype_bytes(call->dtype) >= LEAST_LOCAL;
    if (shape->v_local)
        shape->stages = STAGES - 1;
    shape->vec = columns_aligned(call) && !shape->twice
                     ? VEC_BYTES / (int32_t)gbl_dtype_bytes(call->dtype)
                     : 1;
    shape->most = shape->twice ? INT64_MAX : (int64_t)shape->items * shape->deep;
    shape->own = shape->items / SLICES;
    if ((int64_t)(shape->own / 2) * device->props.units >= shape->most)
        shape->own /= 2; /* so more groups have some */
}

/* The rows up to which a smaller shape is taken; 0: there is none. */
static int64_t smaller(const gbl_product_call *call, const gbl_device *device,
                       const gbl_gebrd_shape *shape)
{
    if (shape->twice)
        return (int64_t)shape->items * most_deep(call->dtype, device);
    return shape->deep > LEAST_DEEP ? shape->most / 2 : 0;
}

static size_t ring_bytes(const gbl_product_call *call, const gbl_gebrd_shape *shape)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const int32_t columns = shape->stages * shape->columns + shape->v_local,
                  marks = shape->bulk ? 2 * shape->stages : 0;
    return shape->twice ? 0 : (size_t)(columns * shape->items * shape->deep + marks) * elem;
}

static int64_t groups_of(const gbl_gebrd_shape *shape, int64_t most, int64_t n)
{
    const int64_t wanted = gbl_some_parts(n, shape->columns);
    return wanted < most ? wanted : most;
}

/* What panels see: of a matrix with fewer rows than columns its transpose, which gebrd.c makes in
 * the workspace, with columns that start alike. */
static gbl_product_call tall_of(const gbl_product_call *call)
{
    gbl_product_call tall = *call;
    if (call->m >= call->n)
        return tall;
    tall.m = call->n;
    tall.n = call->m;
    tall.A = NULL;
    tall.lda = gbl_composed_ld(call->dtype, tall.m);
    return tall;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    gbl_gebrd_shape *shape = planned;
    (void)self;
    make_shape(call, params, device, most_items, shape);
    gbl_kernel_begin(spec, "gebrd_panel.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", shape->items);
    gbl_kernel_add_macro(spec, "NB", shape->block);
    gbl_kernel_add_macro(spec, "OWN", shape->own);
    gbl_kernel_add_macro(spec, "DEEP", shape->deep);
    gbl_kernel_add_macro(spec, "COLUMNS", shape->columns);
    gbl_kernel_add_macro(spec, "VEC", shape->vec);
    gbl_kernel_add_macro(spec, "STAGES", shape->stages);
    gbl_kernel_add_macro(spec, "V_LOCAL", shape->v_local);
    gbl_kernel_add_macro(spec, "TWICE", shape->twice);
    gbl_kernel_add_macro(spec, "BULK", shape->bulk);
    gbl_kernel_add_macro(spec, "EARLY", shape->early);
    return shape->items;
}

bool gbl_gebrd_panel_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    return call->m > 0 && call->n > 0 && call->m < INT32_MAX / 256 &&
           gbl_sytrd_panel_fits(self, call, device);
}

int gbl_gebrd_panel_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_product_call call = tall_of(given);
    const int64_t least = call.m - call.n;
    int count = 0;
    while (call.m > least && count < GBL_GEBRD_SHAPES) {
        gbl_gebrd_shape shape;
        plan_kernel(self, &call, params, device, INT32_MAX, &shape, &specs[count++]);
        call.m = smaller(&call, device, &shape);
    }
    return count;
}

bool gbl_gebrd_panel_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call call = tall_of(given);
    gbl_gebrd_shape shape;
    (void)self;
    if (tile_bytes(device) == 0)
        return false;
    make_shape(&call, params, device, INT32_MAX, &shape);
    *hash = gbl_plan_hash(&shape.block, sizeof shape.block);
    return gbl_group_legal(device, shape.items, 0) && device->props.simd == LANES;
}

/* ---- Workspace and launches ---- */

enum { P_ROOM, Q_ROOM, COLUMN, ROW, SHARES, SWEPT, SQUARES, ROOMS };
static void room_bytes(const gbl_product_call *call, int32_t block, int64_t most_groups,
                       size_t bytes[ROOMS])
{
    const size_t elem = gbl_dtype_bytes(call->dtype), m = (size_t)call->m, n = (size_t)call->n,
                 groups = (size_t)most_groups, thin = 2 * (size_t)block;
    bytes[P_ROOM] = m * thin * elem;
    bytes[Q_ROOM] = n * thin * elem;
    bytes[COLUMN] = m * elem;
    bytes[ROW] = n * elem;
    bytes[SHARES] = 2 * groups * thin * elem;
    bytes[SWEPT] = groups * ((m + 3) / 4 * 4) * elem;
    bytes[SQUARES] = groups * SQUARES_BYTES;
}

double gbl_gebrd_panel_bytes(const gbl_product_call *call, const gbl_params *params,
                             const gbl_device *device)
{
    size_t bytes[ROOMS], all = 0;
    room_bytes(call, params->value[0], device->props.units, bytes);
    for (int i = 0; i < ROOMS; i++)
        all += bytes[i];
    return (double)all;
}

static gable_status prepare_shape(gable_context *ctx, const gbl_variant *self,
                                  const gbl_product_call *call, const gbl_params *params,
                                  gbl_gebrd_panels *panels, gbl_gebrd_shape *shape)
{
    int64_t resident;
    TRY(gbl_plan_kernel(ctx, self, call, params, 0, plan_kernel, shape, &shape->kernel));
    gbl_launch_spec launch = {.groups = {1, 1},
                              .group = {shape->items, 1},
                              .cooperative = true,
                              .dynamic_local_bytes = ring_bytes(call, shape)};
    TRY(gbl_launch_resident(ctx, shape->kernel, &launch, &resident));
    if (resident > 0 && resident < panels->groups)
        panels->groups = resident;
    return GABLE_OK;
}

gable_status gbl_gebrd_panels_prepare(gable_context *ctx, const gbl_variant *self,
                                      const gbl_product_call *call, const gbl_params *params,
                                      gbl_gebrd_panels *panels)
{
    gbl_product_call rows = *call;
    size_t bytes[ROOMS];
    *panels = (gbl_gebrd_panels){.block = params->value[0], .groups = ctx->device->props.units};
    while (rows.m > call->m - call->n && panels->count < GBL_GEBRD_SHAPES) {
        gbl_gebrd_shape *shape = &panels->shapes[panels->count++];
        TRY(prepare_shape(ctx, self, &rows, params, panels, shape));
        rows.m = smaller(&rows, ctx->device, shape);
    }
    void **const rooms[ROOMS] = {&panels->P,      &panels->Q,     &panels->column, &panels->row,
                                 &panels->shares, &panels->swept, &panels->squares};
    room_bytes(call, panels->block, panels->groups, bytes);
    for (int i = 0; i < ROOMS; i++)
        TRY(gbl_arena_take(ctx->arena, ctx->device, bytes[i], rooms[i], &ctx->message));
    return GABLE_OK;
}

gable_status gbl_gebrd_panel(gable_context *ctx, const gbl_gebrd_panels *panels,
                             const gbl_product_call *call, int64_t first, int64_t count)
{
    const gbl_dtype t = call->dtype;
    const size_t real = gbl_dtype_real_bytes(t);
    const gebrd_panel_args args = {
        .m = call->m - first, .n = call->n - first, .count = count, .lda = call->lda};
    const gbl_gebrd_shape *shape = &panels->shapes[0];
    void *counter;
    for (int i = 1; i < panels->count && panels->shapes[i].most >= args.m; i++)
        shape = &panels->shapes[i];
    TRY(gbl_arena_counter(ctx->arena, ctx->queue, &counter, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {groups_of(shape, panels->groups, args.n), 1},
        .group = {shape->items, 1},
        .cooperative = true,
        .dynamic_local_bytes = ring_bytes(call, shape),
        .buffer_count = 13,
        .buffers = {gbl_element(t, call->A, call->lda, first, first), panels->P, panels->Q,
                    (char *)call->d + (size_t)first * real,
                    call->n > 1 ? (char *)call->e + (size_t)first * real : call->d,
                    gbl_element(t, call->tau, 0, first, 0), gbl_element(t, call->taup, 0, first, 0),
                    panels->column, panels->row, panels->shares, panels->swept, panels->squares,
                    counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, shape->kernel, &launch);
}

/* ---- Costs ---- */

/* A panel in the mean, whose products of sizes are those of all. Its columns read the rest once
 * each, or twice, P, Q, and the shares of all groups. */
int gbl_gebrd_panel_parts(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts, int count)
{
    gbl_product_call mean = *call;
    gbl_gebrd_shape shape;
    mean.n = (int64_t)(0.577 * (double)call->n) + 1;
    mean.m = call->m - call->n + mean.n;
    make_shape(&mean, params, device, INT32_MAX, &shape);
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)mean.m,
                 n = (double)mean.n,
                 columns = (double)(shape.block < call->n ? shape.block : call->n),
                 groups = (double)groups_of(&shape, device->props.units, mean.n),
                 rest = elem * m * n, thin = elem * (m + n) * columns,
                 tiles = n / (groups * shape.columns) * (shape.twice ? m / (double)shape.most : 1);
    const gbl_cost cost = {
        .memory_bytes = columns * rest * (shape.twice ? 2 : 1),
        .cache_bytes = columns * (thin + elem * groups * m + elem * groups * groups * columns),
        .written_bytes = 2 * thin + columns * elem * groups * m,
        .flops = gbl_lapack_flops(call, columns * (2 * m * n + 2 * (m + n) * columns)),
        .launches = 1,
        .barriers = 2 * columns,
        .steps =
            columns * (COLUMN_STEPS + (shape.bulk ? BULK_TILE_STEPS : PLAIN_TILE_STEPS) * tiles),
        .groups = groups,
        .group_items = shape.items,
        .bytes_in_flight = (double)tile_bytes(device) * groups * shape.items * (shape.stages - 1)};
    return gbl_composed_kernel(parts, count, &cost, (double)gbl_parts(call->n, shape.block));
}
