/* gemm_ladder.c: the variants of gemm that climb from the naive product to the one in use.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One plan serves all: a group has so many work-items and computes so many rows and columns of C.
 * What they cost says why each is faster than the one before (docs/gemm.md): fewer bytes through
 * the cache, fewer through local memory, fewer waits one after the other. All take C := alpha A B +
 * beta C without `part` and `zeros`, in all precisions: the studies that they come from transpose
 * nothing.
 */
#include <math.h>
#include <string.h>
#include "gemm_ladder.h"
#include "blas/gemm/gemm_plan.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

#define VOLKOV_COLUMNS 16 /* of C per group: sums in registers ... */
#define VOLKOV_DEPTH   16 /* ... and terms of a block in local memory, as in the paper of 2008 */
#define SECTOR_BYTES   32 /* that a GPU's cache brings at least for one element */
#define BANK_BYTES     4  /* that a bank of local memory gives in a cycle */
#define WARP           32 /* work-items that a GPU runs together */
/* A load that the cache answers takes about 260 cycles on an H100 by public microbenchmarks, 0.15
 * us: a quarter of the roof that the first bytes of a launch are, 0.68 us on an H200. */
#define CACHE_WAIT 0.25
/* A core of today's CPUs multiplies and adds in vectors of 16 bytes at least, and has so many of
 * them in flight: four cycles of latency on four pipes (Arm Neoverse V1). */
#define CORE_VECTOR_BYTES 16
#define CORE_IN_FLIGHT    16

/* What a rung does: the `detail` of its variant. */
typedef enum rung_kind {
    RUNG_UNCOALESCED, /* neighbours a column apart */
    RUNG_TILED,       /* tiles in local memory */
    RUNG_UNROLLED,    /* the same, their terms written out */
    RUNG_OUTPUTS,     /* the same, several elements of C per work-item */
    RUNG_VOLKOV       /* one factor straight into registers */
} rung_kind;

static const rung_kind uncoalesced = RUNG_UNCOALESCED, tiled = RUNG_TILED, unrolled = RUNG_UNROLLED,
                       several = RUNG_OUTPUTS, volkov = RUNG_VOLKOV;

/* items: work-items per group; tile: rows and columns of tiles; outputs: elements of C per
 * work-item; rows: of C per group. The first tunable of each decides how large its groups are. */
enum { FIRST, OUTPUTS, OUTPUTS_PARAMS };
static const int32_t items[] = {1, 16, 32, 64, 128, 256}, tiles[] = {4, 8, 12, 16, 32},
                     wide_tiles[] = {16, 32}, outputs[] = {2, 4, 8}, rows[] = {64};
static const gbl_param uncoalesced_space[1] = {
    {.name = "items", GBL_VALUES(items), .fallback = 128}};
static const gbl_param tiled_space[1] = {{.name = "tile", GBL_VALUES(tiles), .fallback = 16}};
static const gbl_param outputs_space[OUTPUTS_PARAMS] = {
    {.name = "tile", GBL_VALUES(wide_tiles), .fallback = 16},
    {.name = "outputs", GBL_VALUES(outputs), .fallback = 4}};
static const gbl_param volkov_space[1] = {{.name = "rows", GBL_VALUES(rows), .fallback = 64}};

typedef struct rung_plan {
    int32_t items;         /* per group */
    int32_t rows, columns; /* of C, per group */
    int32_t depth;         /* terms between barriers; 0: there are none */
    int32_t outputs;       /* elements of C per work-item */
} rung_plan;

static rung_kind kind_of(const gbl_variant *self)
{
    return *(const rung_kind *)self->detail;
}

/* The largest tile up to the one asked for whose group has at most so many work-items, and of which
 * local memory holds two. */
static int32_t tile_within(int32_t asked, int32_t each, int32_t most_items, int64_t most_elements)
{
    int32_t tile = tiles[0];
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++)
        if (tiles[i] <= asked && tiles[i] % each == 0 && tiles[i] * tiles[i] / each <= most_items &&
            2 * tiles[i] * tiles[i] <= most_elements)
            tile = tiles[i];
    return tile;
}

static void make_plan(const gbl_variant *self, const gbl_product_call *call,
                      const gbl_params *params, const gbl_device *device, int32_t most_items,
                      rung_plan *plan)
{
    const rung_kind kind = kind_of(self);
    const int32_t first = params->value[FIRST];
    memset(plan, 0, sizeof *plan);
    plan->outputs = kind == RUNG_OUTPUTS ? params->value[OUTPUTS] : 1;
    if (kind == RUNG_UNCOALESCED || kind == RUNG_VOLKOV) {
        plan->items = first < most_items ? first : most_items;
        plan->rows = kind == RUNG_VOLKOV ? plan->items : 1;
        plan->columns = kind == RUNG_VOLKOV ? VOLKOV_COLUMNS : plan->items;
        plan->depth = kind == RUNG_VOLKOV ? VOLKOV_DEPTH : 0;
        plan->outputs = kind == RUNG_VOLKOV ? VOLKOV_COLUMNS : 1;
        return;
    }
    plan->rows = plan->columns = plan->depth =
        tile_within(first, plan->outputs, most_items,
                    gbl_own_local_bytes(&device->props) / (int64_t)gbl_dtype_bytes(call->dtype));
    plan->items = plan->rows * plan->columns / plan->outputs;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    const rung_kind kind = kind_of(self);
    rung_plan *plan = planned;
    make_plan(self, call, params, device, most_items, plan);
    memset(spec, 0, sizeof *spec);
    spec->file = self->kernels;
    spec->dtype = call->dtype;
    gbl_gemm_macros(call, spec);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    if (kind == RUNG_VOLKOV) {
        gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
        gbl_kernel_add_macro(spec, "DEPTH", plan->depth);
    } else if (kind != RUNG_UNCOALESCED) {
        gbl_kernel_add_macro(spec, "TILE", plan->rows);
        gbl_kernel_add_macro(spec, "UNROLL", kind != RUNG_TILED);
    }
    return plan->items;
}

static int rung_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, gbl_kernel_spec *specs)
{
    rung_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gable_status rung_run(gable_context *ctx, const gbl_variant *self, const void *given,
                             const gbl_params *params)
{
    const gbl_product_call *call = given;
    const bool turned = kind_of(self) == RUNG_UNCOALESCED; /* groups stand along columns */
    rung_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, FIRST, plan_kernel, &plan, &kernel));
    const int64_t down = gbl_some_parts(call->m, plan.rows),
                  across = gbl_some_parts(call->n, plan.columns);
    const int64_t others = turned ? down : across;
    gemm_args args = gbl_gemm_args(call);
    args.column_groups = others < GBL_MOST_GROUPS_Y ? others : GBL_MOST_GROUPS_Y;
    gbl_launch_spec launch = {
        .groups = {turned ? across : down, args.column_groups},
        .group = {plan.items, 1},
        .buffer_count = 5,
        .buffers = GBL_GEMM_BUFFERS(call),
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static bool rung_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    (void)self;
    return device->table->build != NULL && gbl_gemm_whole(call) && call->trans == GABLE_NO_TRANS &&
           call->trans_b == GABLE_NO_TRANS;
}

/* ---- What they cost ---- */

/* Elements that lanes get from local memory for one multiply-add: one of A, shared by the outputs
 * of a work-item, and one of B. */
static double local_reads(rung_kind kind, const rung_plan *plan)
{
    if (kind == RUNG_UNCOALESCED)
        return 0;
    return kind == RUNG_VOLKOV ? 1 : 1.0 / plan->outputs + 1;
}

/* Bytes of the banks for the same. Neighbours have an element of A each. They share that of B: it
 * takes a bank's time whatever its size, and where the terms are written out several come at
 * once. */
static double bank_reads(rung_kind kind, const rung_plan *plan, gbl_dtype dtype)
{
    const double elem = (double)gbl_dtype_bytes(dtype), at_once = GBL_WIDEST_LOAD / elem;
    switch (kind) {
    case RUNG_TILED:
        return elem + BANK_BYTES;
    case RUNG_UNROLLED:
    case RUNG_OUTPUTS:
        return elem / plan->outputs + BANK_BYTES / at_once;
    case RUNG_VOLKOV:
        return BANK_BYTES / at_once;
    case RUNG_UNCOALESCED:
        break;
    }
    return 0;
}

/* Bytes through the cache for one multiply-add. A neighbour a column apart takes a sector of its
 * own. */
static double cache_reads(rung_kind kind, const rung_plan *plan, gbl_dtype dtype)
{
    const double elem = (double)gbl_dtype_bytes(dtype);
    if (kind == RUNG_UNCOALESCED)
        return SECTOR_BYTES > elem ? SECTOR_BYTES : elem;
    return elem / plan->columns + elem / plan->rows;
}

/* How many times the arithmetic is slower than it could be. A GPU leaves lanes empty where a group
 * does not fill its last warp. A CPU runs work-items one after the other: one sum is one lane of a
 * vector, and its multiply-adds wait for each other; the sums of Volkov's form are vectors. */
static double idle_factor(rung_kind kind, const rung_plan *plan, gbl_dtype dtype,
                          const gbl_device *device)
{
    const double lanes = CORE_VECTOR_BYTES / (double)gbl_dtype_real_bytes(dtype);
    const double reals = gbl_dtype_complex(dtype) ? 2 : 1;
    if (device->props.is_gpu)
        return (double)gbl_parts(plan->items, WARP) * WARP / plan->items;
    const double sums = plan->outputs * reals;
    if (kind == RUNG_VOLKOV)
        return fmax(CORE_IN_FLIGHT / (sums / lanes), 1);
    return lanes * fmax(CORE_IN_FLIGHT / sums, 1);
}

/* A group waits for its tiles one after the other: a load, which the cache answers, and an exchange
 * through local memory for each; in Volkov's form a load of each factor. Without tiles every term
 * is a load that is waited for. */
static void add_waits(rung_kind kind, const rung_plan *plan, int64_t k, gbl_cost *out)
{
    const double blocks = plan->depth > 0 ? (double)gbl_parts(k, plan->depth) : (double)k;
    out->waits = CACHE_WAIT * blocks * (kind == RUNG_VOLKOV ? 2 : 1);
    out->steps = plan->depth > 0 ? blocks * GBL_LOCAL_STEPS : 0;
    out->overlapped = out->in_waves = true;
}

static void rung_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                      const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const rung_kind kind = kind_of(self);
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_work work;
    rung_plan plan;
    gbl_gemm_work(call, &work);
    make_plan(self, call, params, device, INT32_MAX, &plan);
    memset(out, 0, sizeof *out);
    const double down = (double)gbl_some_parts(call->m, plan.rows),
                 across = (double)gbl_some_parts(call->n, plan.columns);
    /* Tiles past an edge are multiplied, too. */
    const double terms = down * plan.rows * across * plan.columns * (double)call->k;
    const double idle = idle_factor(kind, &plan, call->dtype, device);
    out->memory_bytes = work.bytes_read + work.bytes_written;
    out->cache_bytes = terms * cache_reads(kind, &plan, call->dtype);
    out->local_bytes = terms * elem * local_reads(kind, &plan);
    out->bank_bytes =
        device->props.is_gpu ? terms * bank_reads(kind, &plan, call->dtype) * idle : 0;
    out->flops = terms * gbl_product_flops(call->dtype) * idle;
    out->launches = 1;
    out->groups = down * across;
    out->group_items = plan.items;
    out->bytes_in_flight = elem * plan.items * (plan.depth > 0 ? 2 * plan.outputs : 2);
    if (kind == RUNG_VOLKOV)
        out->bytes_in_flight = elem * (plan.items * plan.depth + plan.depth * plan.columns);
    if (device->props.is_gpu)
        add_waits(kind, &plan, call->k, out);
}

/* ---- The table ---- */

#define RUNG(name_, detail_, space_, count_, file_)                                                \
    {                                                                                              \
        .name = name_, .deterministic = true, .fits = rung_fits, .run = rung_run,                  \
        .cost = rung_cost, .space = space_, .space_count = count_, .detail = detail_,              \
        .kernels = file_, .specs = rung_specs, .rung = true                                        \
    }
static const gbl_variant rungs[] = {
    RUNG("uncoalesced", &uncoalesced, uncoalesced_space, 1, "gemm_uncoalesced.cl"),
    RUNG("tiled", &tiled, tiled_space, 1, "gemm_local.cl"),
    RUNG("unrolled", &unrolled, tiled_space, 1, "gemm_local.cl"),
    RUNG("outputs", &several, outputs_space, OUTPUTS_PARAMS, "gemm_local.cl"),
    RUNG("volkov", &volkov, volkov_space, 1, "gemm_volkov.cl"),
};

bool gemm_ladder_add(void)
{
    return gbl_op_extend(&gbl_gemm_op, rungs, sizeof rungs / sizeof rungs[0]);
}
