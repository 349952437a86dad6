/* sytrd_panel.c: a panel of sytrd by one cooperative launch
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/lapack/sytrd_panel.cl says how. In the upper triangle places are counted backward from
 * the last column on: there the panel of the lower triangle's steps is made.
 */
#include "lapack/sytrd_panel.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "lapack/kept_slots.h"
#include "sytrd_panel_args.h"

_Static_assert(sizeof(sytrd_panel_args) == 4 * 8, "host and device must agree");

#define SLICES        8    /* work-items that share a row */
#define FEW_SLICES    4    /* the same in narrow panels, and where rows are many */
#define FEW_ROWS      1536 /* up to them pieces are shorter, so that more groups have some */
#define MANY_ROWS     6000 /* beyond them blocks have more rows: longer runs of memory */
#define SQUARES_BYTES 24   /* three sums of squares: kernels/level1/norm.h */
#define FEW_SLOTS     3    /* pieces that are kept where rows are few: no team has more */
#define LOCAL_BYTES   6144 /* at most, of local memory beside arrays of elements */
/* Of a column beside its two barriers: sums within groups and over their shares, a root, two
 * quotients, and what is loaded between barriers one behind the other; and of a piece of a team
 * beside its bytes (H200, d, orders 512 to 8192, 2026-11). */
#define COLUMN_STEPS 235
#define PIECE_STEPS  45

/* ---- Plans ---- */

static int64_t lanes_of(const gbl_device *device)
{
    return device->props.simd > 1 ? device->props.simd : 1;
}

/* Of a piece of all teams of a group. */
static int64_t slot_bytes(const gbl_product_call *call, const gbl_sytrd_panels *plan)
{
    return (int64_t)plan->items * plan->deep * plan->columns *
           (int64_t)gbl_dtype_bytes(call->dtype);
}

/* Pieces that a team keeps. */
static int32_t slots_of(const gbl_product_call *call, const gbl_device *device, int32_t wanted,
                        const gbl_sytrd_panels *plan)
{
    const int64_t sums = (int64_t)plan->items * plan->deep, least = 3 * (int64_t)plan->items,
                  beside = (sums > least ? sums : least) + 2 * lanes_of(device) * plan->deep +
                           6 * (int64_t)plan->block;
    if (call->n <= FEW_ROWS && wanted > FEW_SLOTS)
        wanted = FEW_SLOTS;
    if (call->dtype == GBL_Z && plan->deep > 2)
        wanted = 0; /* registers are short */
    return gbl_kept_slots(device, wanted, slot_bytes(call, plan),
                          beside * (int64_t)gbl_dtype_bytes(call->dtype) + LOCAL_BYTES);
}

static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, int32_t most_items, gbl_sytrd_panels *plan)
{
    const bool wide = call->dtype == GBL_Z;
    *plan = (gbl_sytrd_panels){.items = 256,
                               .deep = call->n <= FEW_ROWS            ? 2
                                       : wide || call->n <= MANY_ROWS ? 4
                                                                      : 8,
                               .block = params->value[0],
                               .groups = device->props.units};
    plan->columns = (wide ? 4 : 8) / (plan->deep > 4 ? 2 : 1);
    while (plan->items > most_items && plan->items > 2 * plan->block)
        plan->items /= 2;
    plan->slots = slots_of(call, device, params->value[1], plan);
    /* Registers are short where all pieces are loaded. */
    const bool few = !wide && (plan->block < 32 || (call->n > MANY_ROWS && plan->slots > 0));
    plan->own = plan->items / (few ? FEW_SLICES : SLICES);
    if (plan->own < lanes_of(device))
        plan->own = (int32_t)lanes_of(device);
}

static size_t kept_bytes(const gbl_product_call *call, const gbl_sytrd_panels *plan)
{
    return (size_t)(plan->slots * slot_bytes(call, plan));
}

static int64_t pieces_of(const gbl_sytrd_panels *plan, int64_t lanes, int64_t n)
{
    const int64_t blocks = gbl_parts(n, lanes * plan->deep);
    return lanes * plan->deep / plan->columns * (blocks * (blocks + 1) / 2);
}

/* Groups of a panel with so many rows: a piece for every team. */
static int64_t groups_of(const gbl_sytrd_panels *plan, int64_t lanes, int64_t n)
{
    const int64_t wanted = gbl_some_parts(pieces_of(plan, lanes, n), plan->items / lanes);
    return wanted < plan->groups ? wanted : plan->groups;
}

bool gbl_sytrd_panel_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    (void)self;
    return device->table->build != NULL && device->props.is_gpu && device->props.cooperative &&
           gbl_lanes_exchange(&device->props) && device->props.units > 0 &&
           call->n < INT32_MAX / 256;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    gbl_sytrd_panels *plan = planned;
    (void)self;
    make_plan(call, params, device, most_items, plan);
    gbl_kernel_begin(spec, "sytrd_panel.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->block);
    gbl_kernel_add_macro(spec, "OWN", plan->own);
    gbl_kernel_add_macro(spec, "DEEP", plan->deep);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "SLOTS", plan->slots);
    gbl_kernel_add_macro(spec, "UPPER", call->uplo == GABLE_UPPER);
    return plan->items;
}

int gbl_sytrd_panel_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_sytrd_panels plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

bool gbl_sytrd_panel_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash)
{
    gbl_sytrd_panels plan;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    const int32_t shape[] = {plan.block, plan.slots};
    *hash = gbl_plan_hash(shape, sizeof shape);
    return gbl_group_legal(device, plan.items, 0) && plan.own % lanes_of(device) == 0;
}

/* ---- Workspace and launches ---- */

/* Bytes of the numbers that groups leave to each other, in the order of the buffers. */
enum { COLUMN, SHARES, ROW_SUMS, COLUMN_SUMS, ENERGY, SQUARES, ROOMS };
static void room_bytes(const gbl_product_call *call, const gbl_sytrd_panels *plan, int64_t lanes,
                       size_t bytes[ROOMS])
{
    const size_t elem = gbl_dtype_bytes(call->dtype),
                 groups = (size_t)groups_of(plan, lanes, call->n),
                 tall = (size_t)(lanes * plan->deep),
                 blocks = (size_t)gbl_parts(call->n, (int64_t)tall);
    bytes[COLUMN] = (size_t)call->n * elem;
    bytes[SHARES] = groups * 2 * (size_t)plan->block * elem;
    bytes[ROW_SUMS] = (groups + blocks) * tall * elem;
    bytes[COLUMN_SUMS] = (size_t)(pieces_of(plan, lanes, call->n) * plan->columns) * elem;
    bytes[ENERGY] = groups * elem;
    bytes[SQUARES] = groups * SQUARES_BYTES;
}

double gbl_sytrd_panel_bytes(const gbl_product_call *call, const gbl_params *params,
                             const gbl_device *device)
{
    gbl_sytrd_panels plan;
    size_t bytes[ROOMS], all = 0;
    make_plan(call, params, device, INT32_MAX, &plan);
    room_bytes(call, &plan, lanes_of(device), bytes);
    for (int i = 0; i < ROOMS; i++)
        all += bytes[i];
    return (double)all;
}

gable_status gbl_sytrd_panels_prepare(gable_context *ctx, const gbl_variant *self,
                                      const gbl_product_call *call, const gbl_params *params,
                                      gbl_sytrd_panels *panels)
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
    void **const rooms[ROOMS] = {&panels->column,      &panels->shares, &panels->row_sums,
                                 &panels->column_sums, &panels->energy, &panels->squares};
    room_bytes(call, panels, lanes_of(ctx->device), bytes);
    for (int i = 0; i < ROOMS; i++)
        TRY(gbl_arena_take(ctx->arena, ctx->device, bytes[i], rooms[i], &ctx->message));
    return GABLE_OK;
}

gable_status gbl_sytrd_panel(gable_context *ctx, const gbl_sytrd_panels *panels,
                             const gbl_product_call *call, void *W, int64_t ldw, int64_t first,
                             int64_t count)
{
    const gbl_dtype t = call->dtype;
    const bool lower = call->uplo == GABLE_LOWER;
    /* The panel's first column, in its direction; e and tau of the upper one stand before it. */
    const int64_t at = lower ? first : first + count - 1, rows = lower ? call->n - first : at + 1,
                  before = lower || at == 0 ? at : at - 1;
    const size_t real = gbl_dtype_real_bytes(t);
    const sytrd_panel_args args = {.n = rows, .count = count, .lda = call->lda, .ldw = ldw};
    void *counter;
    TRY(gbl_arena_counter(ctx->arena, ctx->queue, &counter, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {groups_of(panels, lanes_of(ctx->device), rows), 1},
        .group = {panels->items, 1},
        .cooperative = true,
        .dynamic_local_bytes = kept_bytes(call, panels),
        .buffer_count = 12,
        .buffers = {gbl_element(t, call->A, call->lda, at, at),
                    gbl_element(t, W, ldw, at, lower ? 0 : count - 1),
                    (char *)call->d + (size_t)at * real,
                    call->n > 1 ? (char *)call->e + (size_t)before * real : call->d,
                    call->n > 1 ? gbl_element(t, call->tau, 0, before, 0) : call->A, panels->column,
                    panels->shares, panels->row_sums, panels->column_sums, panels->energy,
                    panels->squares, counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, panels->kernel, &launch);
}

/* ---- Costs ---- */

/* A panel in the mean, whose squares are those of all. Its columns read the triangle once each, but
 * for what stays in local memory, V and W, and the shares of all groups. */
int gbl_sytrd_panel_parts(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts, int count)
{
    gbl_sytrd_panels plan;
    make_plan(call, params, device, INT32_MAX, &plan);
    const int64_t lanes = lanes_of(device), mean = (int64_t)(0.577 * (double)call->n) + 1;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)mean,
                 columns = (double)(plan.block < call->n ? plan.block : call->n),
                 groups = (double)groups_of(&plan, lanes, mean),
                 pieces = (double)pieces_of(&plan, lanes, mean) * (double)lanes /
                          (groups * (double)plan.items),
                 triangle = elem * n * (n + 1) / 2, thin = elem * n * columns,
                 room = groups * (double)kept_bytes(call, &plan),
                 kept = room < triangle ? room : triangle;
    const gbl_cost cost = {
        .memory_bytes = columns * (triangle - GBL_KEPT_GAIN * kept),
        .cache_bytes = columns * (thin + 2 * triangle / (double)(lanes * plan.deep) +
                                  elem * groups * groups * columns / 2),
        .written_bytes = 2 * thin,
        .flops = gbl_lapack_flops(call, columns * (n * n + 3 * n * columns)),
        .launches = 1,
        .barriers = 2 * columns,
        .steps = columns * (COLUMN_STEPS + PIECE_STEPS * pieces),
        .groups = groups,
        .group_items = plan.items,
        .bytes_in_flight = elem * groups * plan.items * plan.deep * plan.columns};
    return gbl_composed_kernel(parts, count, &cost, (double)gbl_parts(call->n, plan.block));
}
