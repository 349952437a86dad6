/* gehrd_panel.c: a panel of gehrd by one cooperative launch
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/lapack/gehrd_panel.cl says how.
 */
#include "lapack/gehrd_panel.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "gehrd_panel_args.h"
#include "lapack/kept_slots.h"

_Static_assert(sizeof(gehrd_panel_args) == 6 * 8, "host and device must agree");

#define LANES         32         /* that run together, where such launches are */
#define SLICES        4          /* work-items that share a row; twice as many where rows are few */
#define FEW_ROWS      3000       /* up to them blocks have fewer rows and more columns */
#define MANY_ROWS     6000       /* beyond them local memory leaves the cache to loads in flight */
#define MANY_SLOTS    2          /* pieces of a team that stay there */
#define TILE          32         /* elements of a lane's piece; fewer where they are wide */
#define MOST_TRIANGLE (32 << 10) /* bytes of T in local memory */
#define SQUARES_BYTES 24         /* three sums of squares: kernels/level1/norm.h */
#define LOCAL_BYTES   6144       /* at most, of local memory beside arrays of elements */
/* Of a column beside its three barriers: sums within groups and over their shares, a root, two
 * quotients, products with T, and what is loaded between barriers one behind the other; and of a
 * piece of a team beside its bytes (H200, d, orders 1024 to 8192, 2026-11). */
#define COLUMN_STEPS 155
#define PIECE_STEPS  20

/* ---- Plans ---- */

/* Of a piece of all teams of a group. */
static int64_t slot_bytes(const gbl_product_call *call, const gbl_gehrd_panels *plan)
{
    return (int64_t)plan->items * plan->deep * plan->columns *
           (int64_t)gbl_dtype_bytes(call->dtype);
}

/* Pieces that a team keeps. */
static int32_t slots_of(const gbl_product_call *call, const gbl_device *device, int32_t wanted,
                        const gbl_gehrd_panels *plan)
{
    const int64_t block = plan->block, sums = (int64_t)plan->items * plan->deep,
                  least = 3 * (int64_t)plan->items,
                  beside = (sums > least ? sums : least) + block * block + 4 * block;
    if (call->dtype == GBL_Z)
        wanted = 0; /* registers are short */
    if (call->n > MANY_ROWS && wanted > MANY_SLOTS)
        wanted = MANY_SLOTS;
    return gbl_kept_slots(device, wanted, slot_bytes(call, plan),
                          beside * (int64_t)gbl_dtype_bytes(call->dtype) + LOCAL_BYTES);
}

static size_t kept_bytes(const gbl_product_call *call, const gbl_gehrd_panels *plan)
{
    return (size_t)(plan->slots * slot_bytes(call, plan));
}

static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, int32_t most_items, gbl_gehrd_panels *plan)
{
    const bool wide = call->dtype == GBL_Z;
    *plan = (gbl_gehrd_panels){.items = 256,
                               .deep = call->n <= FEW_ROWS ? 2 : 4,
                               .block = params->value[0],
                               .groups = device->props.units};
    plan->columns = (wide ? TILE / 2 : TILE) / plan->deep;
    while (plan->items > most_items && plan->items > 4 * LANES)
        plan->items /= 2;
    /* Rows are few where every group has them at once even so; wide elements and panels take
     * registers. */
    const bool few = wide || plan->block > 32 || call->n <= plan->groups * LANES;
    plan->own = plan->items / (few ? 2 * SLICES : SLICES);
    if (plan->own < LANES)
        plan->own = LANES;
    plan->slots = slots_of(call, device, params->value[1], plan);
}

static int64_t tall_of(const gbl_gehrd_panels *plan)
{
    return (int64_t)LANES * plan->deep;
}

/* Groups of a panel with so many rows: every team has two pieces, if there are as many. */
static int64_t groups_of(const gbl_gehrd_panels *plan, int64_t n)
{
    const int64_t blocks = gbl_some_parts(n, tall_of(plan)),
                  each = (int64_t)plan->items / LANES * plan->columns * 2,
                  wanted = blocks * gbl_some_parts(n, each);
    return wanted < plan->groups ? wanted : plan->groups;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    gbl_gehrd_panels *plan = planned;
    (void)self;
    make_plan(call, params, device, most_items, plan);
    gbl_kernel_begin(spec, "gehrd_panel.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->block);
    gbl_kernel_add_macro(spec, "OWN", plan->own);
    gbl_kernel_add_macro(spec, "DEEP", plan->deep);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "SLOTS", plan->slots);
    return plan->items;
}

int gbl_gehrd_panel_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_gehrd_panels plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

bool gbl_gehrd_panel_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *product = call;
    gbl_gehrd_panels plan;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    const int32_t shape[] = {plan.block, plan.slots};
    *hash = gbl_plan_hash(shape, sizeof shape);
    /* T stands in local memory: large panels of z have no room there. */
    const int64_t triangle = plan.block * plan.block * (int64_t)gbl_dtype_bytes(product->dtype);
    return gbl_group_legal(device, plan.items, 0) && triangle <= MOST_TRIANGLE &&
           device->props.simd == LANES;
}

/* ---- Workspace and launches ---- */

/* Bytes of the numbers that groups leave to each other, in the order of the buffers. */
enum { COLUMN, SHARES, SWEPT, SQUARES, ROOMS };
static void room_bytes(const gbl_product_call *call, const gbl_gehrd_panels *plan, int64_t rows,
                       size_t bytes[ROOMS])
{
    const size_t elem = gbl_dtype_bytes(call->dtype), groups = (size_t)plan->groups,
                 tall = (size_t)tall_of(plan), n = (size_t)rows;
    bytes[COLUMN] = n * elem;
    bytes[SHARES] = 2 * groups * (size_t)plan->block * elem;
    bytes[SWEPT] = (groups * tall > n ? groups * tall : n) * elem;
    bytes[SQUARES] = groups * SQUARES_BYTES;
}

double gbl_gehrd_panel_bytes(const gbl_product_call *call, const gbl_params *params,
                             const gbl_device *device, int64_t order)
{
    gbl_gehrd_panels plan;
    size_t bytes[ROOMS], all = 0;
    make_plan(call, params, device, INT32_MAX, &plan);
    room_bytes(call, &plan, order, bytes);
    for (int i = 0; i < ROOMS; i++)
        all += bytes[i];
    return (double)all;
}

gable_status gbl_gehrd_panels_prepare(gable_context *ctx, const gbl_variant *self,
                                      const gbl_product_call *call, const gbl_params *params,
                                      int64_t rows, gbl_gehrd_panels *panels)
{
    size_t bytes[ROOMS];
    int64_t resident;
    TRY(gbl_plan_kernel(ctx, self, call, params, 0, plan_kernel, panels, &panels->kernel));
    gbl_launch_spec launch = {.groups = {1, 1},
                              .group = {panels->items, 1},
                              .cooperative = true,
                              .dynamic_local_bytes = kept_bytes(call, panels)};
    TRY(gbl_launch_resident(ctx, panels->kernel, &launch, &resident));
    if (resident > 0 && resident < panels->groups)
        panels->groups = resident;
    void **const rooms[ROOMS] = {&panels->column, &panels->shares, &panels->swept,
                                 &panels->squares};
    room_bytes(call, panels, rows, bytes);
    for (int i = 0; i < ROOMS; i++)
        TRY(gbl_arena_take(ctx->arena, ctx->device, bytes[i], rooms[i], &ctx->message));
    return GABLE_OK;
}

gable_status gbl_gehrd_panel(gable_context *ctx, const gbl_gehrd_panels *panels,
                             const gbl_product_call *call, const gbl_gehrd_room *room,
                             int64_t first)
{
    const gbl_dtype t = call->dtype;
    const gbl_reflectors *h = &room->panel;
    const gehrd_panel_args args = {
        .n = h->m, .count = h->k, .lda = call->lda, .ldv = h->ldv, .ldy = room->ldy, .ldt = h->ldt};
    void *counter;
    TRY(gbl_arena_counter(ctx->arena, ctx->queue, &counter, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {groups_of(panels, h->m), 1},
        .group = {panels->items, 1},
        .cooperative = true,
        .dynamic_local_bytes = kept_bytes(call, panels),
        .buffer_count = 10,
        .buffers = {gbl_element(t, call->A, call->lda, first + 1, first), h->V, room->Y, h->T,
                    gbl_element(t, call->tau, 1, first, 0), panels->column, panels->shares,
                    panels->swept, panels->squares, counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, panels->kernel, &launch);
}

/* ---- Costs ---- */

/* A panel in the mean, whose squares are those of all. Its columns read the rest once each, but for
 * what stays in local memory, V twice, Y, and the shares of all groups. */
int gbl_gehrd_panel_parts(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device, int64_t order, gbl_part_call *parts, int count)
{
    gbl_gehrd_panels plan;
    make_plan(call, params, device, INT32_MAX, &plan);
    const int64_t mean = (int64_t)(0.577 * (double)order) + 1;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)mean,
                 columns = (double)(plan.block < order ? plan.block : order),
                 groups = (double)groups_of(&plan, mean), rest = elem * n * n,
                 thin = elem * n * columns, room = groups * (double)kept_bytes(call, &plan),
                 kept = room < rest ? room : rest;
    const double pieces =
        n / (double)tall_of(&plan) * (n / plan.columns) / (groups * plan.items / LANES);
    const gbl_cost cost = {
        .memory_bytes = columns * (rest - GBL_KEPT_GAIN * kept),
        .cache_bytes = columns * (1.5 * thin + elem * groups * groups * columns / 2),
        .written_bytes = 3 * thin,
        .flops = gbl_lapack_flops(call, columns * (n * n + 3 * n * columns)),
        .launches = 1,
        .barriers = 3 * columns,
        .steps = columns * (COLUMN_STEPS + PIECE_STEPS * pieces),
        .groups = groups,
        .group_items = plan.items,
        .bytes_in_flight = elem * groups * plan.items * plan.deep * plan.columns};
    return gbl_composed_kernel(parts, count, &cost, (double)gbl_parts(order, plan.block));
}
