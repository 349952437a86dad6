/* laswp.c: exchanges rows of a matrix as ipiv says
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `moves` turns so many exchanges at a time into one permutation, so that a row is read and written
 * once for all of them (laswp.cl); `omp` is a task of the cpu. In the call m is k2, k is k1 and
 * stride_b is incx.
 */
#include <string.h>
#include "blas/host_cost.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "lapack/laswp.h"
#include "laswp_args.h"

_Static_assert(sizeof(laswp_args) == 8 * 8, "host and device must agree");

#define SECTOR        32 /* bytes that memory moves for one element of a row */
#define GROUPS_A_UNIT 8
#define MOST_HELD     64 /* bytes in registers of a work-item */
/* Of the list of moves, per exchange: two comparisons behind a number from local memory. */
#define SWAP_STEPS 0.5

enum { MOVE_ITEMS, MOVE_SWAPS, MOVE_HELD, MOVE_PARAMS };
static const int32_t items[] = {1, 8, 16, 32, 64, 128, 256};
static const int32_t swaps[] = {8, 16, 32, 64};
static const int32_t held[] = {1, 2, 4, 8};
static const gbl_param space[MOVE_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "swaps", GBL_VALUES(swaps), .fallback = 32},
    {.name = "held", GBL_VALUES(held), .fallback = 4},
};

/* Bytes that a work-item holds of one column: it has one entry, or several where a group has fewer
 * work-items than entries. */
static int64_t column_bytes(const gbl_exchange_plan *plan, gbl_dtype dtype)
{
    const int64_t each = gbl_parts(2 * plan->swaps, plan->items);
    return each * (int64_t)gbl_dtype_bytes(dtype);
}

static void make_plan(const gbl_params *params, gbl_dtype dtype, const gbl_device *device,
                      gbl_exchange_plan *plan)
{
    *plan = (gbl_exchange_plan){.items = params->value[MOVE_ITEMS],
                                .swaps = params->value[MOVE_SWAPS],
                                .held = params->value[MOVE_HELD]};
    if (!device->props.is_gpu && plan->items > 2 * plan->swaps)
        plan->items = 2 * plan->swaps;
    /* Registers: a work-item holds `held` elements of each of its entries. */
    while (plan->swaps > swaps[0] && plan->swaps > plan->items)
        plan->swaps /= 2;
    while (plan->held > 1 && plan->held * column_bytes(plan, dtype) > MOST_HELD)
        plan->held /= 2;
}

static void make_spec(const gbl_exchange_plan *plan, gbl_dtype dtype, gbl_kernel_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    spec->file = "laswp.cl";
    spec->dtype = dtype;
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->swaps);
    gbl_kernel_add_macro(spec, "HELD", plan->held);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    gbl_exchange_plan *plan = planned;
    (void)self, (void)most_items;
    make_plan(params, call->dtype, device, plan);
    make_spec(plan, call->dtype, spec);
    return plan->items;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_exchange_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

/* ---- For laswp and others ---- */

static void plain_plan(gbl_dtype dtype, const gbl_device *device, gbl_exchange_plan *plan)
{
    gbl_params params = {{0}};
    for (int i = 0; i < MOVE_PARAMS; i++)
        params.value[i] = space[i].fallback;
    make_plan(&params, dtype, device, plan);
}

int gbl_exchange_spec(const gbl_device *device, gbl_dtype dtype, gbl_kernel_spec *spec)
{
    gbl_exchange_plan plan;
    if (device->table->build == NULL)
        return 0;
    plain_plan(dtype, device, &plan);
    make_spec(&plan, dtype, spec);
    return 1;
}

gable_status gbl_exchange_prepare(gable_context *ctx, gbl_dtype dtype, gbl_exchange *exchange)
{
    gbl_kernel_spec spec;
    memset(exchange, 0, sizeof *exchange);
    if (gbl_exchange_spec(ctx->device, dtype, &spec) == 0)
        return GABLE_OK;
    plain_plan(dtype, ctx->device, &exchange->plan);
    return gbl_kernel_get(ctx->device, &spec, &exchange->kernel, &ctx->message);
}

static int64_t tile_of(const gbl_exchange_plan *plan)
{
    const int64_t entries = 2 * plan->swaps;
    return (plan->items < entries ? 1 : plan->items / entries) * plan->held;
}

static int64_t groups_of(const gbl_exchange_plan *plan, int64_t n, const gbl_device *device)
{
    const int64_t tiles = gbl_some_parts(n, tile_of(plan)),
                  most =
                      GROUPS_A_UNIT * (int64_t)(device->props.units > 0 ? device->props.units : 1);
    return tiles < most ? tiles : most;
}

gable_status gbl_exchange_rows(gable_context *ctx, const gbl_exchange *exchange, gbl_dtype dtype,
                               const gbl_cpu_laswp_args *rows)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_slaswp_omp, gbl_cpu_dlaswp_omp,
                                               gbl_cpu_claswp_omp, gbl_cpu_zlaswp_omp};
    if (rows->n <= 0 || rows->count <= 0)
        return GABLE_OK;
    if (exchange->kernel == NULL)
        return gbl_task(ctx, "laswp", tasks[dtype], rows, sizeof *rows);
    const laswp_args args = {.n = rows->n,
                             .lda = rows->lda,
                             .first = rows->first,
                             .count = rows->count,
                             .inc = rows->inc,
                             .backward = rows->backward,
                             .skip = rows->skip,
                             .width = rows->width};
    gbl_launch_spec launch = {
        .groups = {groups_of(&exchange->plan, rows->n, ctx->device), 1},
        .group = {exchange->plan.items, 1},
        .buffer_count = 2,
        .buffers = {rows->A, rows->ipiv},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, exchange->kernel, &launch);
}

void gbl_exchange_cost(const gbl_exchange_plan *plan, gbl_dtype dtype, int64_t n, int64_t count,
                       const gbl_device *device, gbl_cost *cost)
{
    const double elem = (double)gbl_dtype_bytes(dtype), sector = elem > SECTOR ? elem : SECTOR;
    const double moved = 2 * (double)count * (double)n * sector;
    const int64_t tile = tile_of(plan);
    *cost = (gbl_cost){.memory_bytes = 2 * moved,
                       .written_bytes = moved,
                       .launches = 1,
                       .groups = (double)groups_of(plan, n, device),
                       .group_items = plan->items,
                       .bytes_in_flight = sector * 2 * plan->swaps * (double)tile,
                       .steps = SWAP_STEPS * (double)count +
                                (double)gbl_parts(count, plan->swaps) * 3 * GBL_LOCAL_STEPS};
}

void gbl_exchange_plain_cost(gbl_dtype dtype, int64_t n, int64_t count, const gbl_device *device,
                             gbl_cost *cost)
{
    gbl_exchange_plan plan;
    plain_plan(dtype, device, &plan);
    gbl_exchange_cost(&plan, dtype, n, count, device, cost);
}

/* ---- The routine ---- */

static int64_t distance(const gbl_product_call *call)
{
    const int64_t incx = call->stride_b;
    return incx == INT64_MIN ? INT64_MAX : incx < 0 ? -incx : incx;
}

static int64_t count_of(const gbl_product_call *call)
{
    return call->k < 1 ? call->m : call->m - call->k + 1;
}

/* Pivots in front of the last one that is read, and itself; of a distance that the rules refuse
 * any number. */
static int64_t pivots_of(const void *given)
{
    const gbl_product_call *call = given;
    const int64_t count = count_of(call);
    if (count < 1 || distance(call) > INT64_MAX / 16 / count)
        return 0;
    return call->m - count + (count - 1) * distance(call) + 1;
}

static gbl_cpu_laswp_args rows_of(const gbl_product_call *call)
{
    return (gbl_cpu_laswp_args){.n = call->n,
                                .lda = call->lda,
                                .first = call->k - 1,
                                .count = count_of(call),
                                .inc = distance(call),
                                .skip = call->n,
                                .backward = call->stride_b < 0,
                                .A = call->A,
                                .ipiv = call->ipiv};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const gbl_cpu_laswp_args rows = rows_of(call);
    gbl_exchange exchange;
    TRY(gbl_plan_kernel(ctx, self, call, params, MOVE_ITEMS, plan_kernel, &exchange.plan,
                        &exchange.kernel));
    return gbl_exchange_rows(ctx, &exchange, call->dtype, &rows);
}

static gable_status run_omp(gable_context *ctx, const gbl_variant *self, const void *given,
                            const gbl_params *params)
{
    const gbl_product_call *call = given;
    const gbl_cpu_laswp_args rows = rows_of(call);
    const gbl_exchange exchange = {.kernel = NULL};
    (void)self, (void)params;
    return gbl_exchange_rows(ctx, &exchange, call->dtype, &rows);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double bytes =
        2 * (double)count_of(call) * (double)call->n * (double)gbl_dtype_bytes(call->dtype);
    *least = (gbl_work){.bytes_read = bytes, .bytes_written = bytes};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    gbl_exchange_plan plan;
    (void)self;
    make_plan(params, call->dtype, device, &plan);
    gbl_exchange_cost(&plan, call->dtype, call->n, count_of(call), device, out);
}

static void cost_omp(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *out)
{
    const gbl_host_walk walk = gbl_host_vectors();
    gbl_work least;
    (void)self, (void)params;
    work(call, &least);
    gbl_host_cost(&least, &walk, device, out);
}

static bool legal(const gbl_variant *self, const void *given, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *call = given;
    gbl_exchange_plan plan;
    (void)self;
    make_plan(params, call->dtype, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return (!device->props.is_gpu || column_bytes(&plan, call->dtype) <= 2 * MOST_HELD) &&
           gbl_group_legal(device, plan.items, plan.held * (int64_t)gbl_dtype_bytes(call->dtype));
}

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL;
}

static bool fits_omp(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->props.is_host;
}

static const gbl_variant variants[] = {
    {.name = "moves",
     .deterministic = true,
     .fits = fits,
     .run = run,
     .cost = cost,
     .space = space,
     .space_count = MOVE_PARAMS,
     .legal = legal,
     .kernels = "laswp.cl",
     .specs = specs},
    {.name = "omp", .deterministic = true, .fits = fits_omp, .run = run_omp, .cost = cost_omp}};

#define K1_ARGUMENT   5
#define INCX_ARGUMENT 8

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    const int64_t incx = call->stride_b;
    if (gbl_call_empty(&gbl_laswp_op, call))
        return GABLE_OK;
    CHECK_ARG(ctx, call->k >= 1, K1_ARGUMENT, "k1", "is %lld; it must be at least 1",
              (long long)call->k);
    /* So that the distance from the first pivot to the last one can be told. */
    return gbl_pitch_check(ctx, INCX_ARGUMENT, "incx", "ipiv", call->m, incx, 1, sizeof(int64_t));
}

static bool idle(const void *given)
{
    const gbl_product_call *call = given;
    return count_of(call) < 1 || call->stride_b == 0;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "k2"),
    {.name = "k1", .kind = GBL_ANY, .at = PRODUCT_AT(k)},
    {.name = "k2", .kind = GBL_SIZE, .at = PRODUCT_AT(m)},
    {.name = "ipiv",
     .kind = GBL_NUMBERS,
     .access = GBL_READ,
     .at = PRODUCT_AT(ipiv),
     .rows = pivots_of,
     .element = gbl_info_element},
    {.name = "incx", .kind = GBL_ANY, .at = PRODUCT_AT(stride_b)},
};

const gbl_op gbl_laswp_op = {
    .stem = "laswp",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .idle = idle,
    .rules = rules,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_laswp(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_laswp_op, call);
}
