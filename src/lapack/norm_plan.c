/* norm_plan.c: norms of matrices: how they are cut into tiles and slices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The largest element and sums of squares leave one number, or a few, per group. Sums of lines
 * leave one per line and group that shares it: columns are shared only where they are few, and so
 * are rows. A symmetric matrix is read in square blocks, each of which leaves sums of its rows and
 * of its columns. What is left is some percent of the matrix, and is added in a fixed order.
 */
#include <string.h>
#include "blas/host_cost.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "lapack/norm_plan.h"
#include "lapack/part_plan.h"
#include "norm_args.h"

_Static_assert(sizeof(norm_args) == 10 * 8, "host and device must agree");

static const int32_t items[] = {1, 32, 64, 128, 256};
static const int32_t columns[] = {1, 2, 4, 8};
static const int32_t groups[] = {2, 4, 8, 16};
const gbl_param gbl_norm_space[NORM_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "columns", GBL_VALUES(columns), .fallback = 4},
    {.name = "groups", GBL_VALUES(groups), .fallback = 8}, /* per unit */
};

#define COLUMN_ROWS 32 /* rows of a tile where columns are summed: a warp loads whole lines */
/* Rows of a block of a symmetric matrix, and elements of it per work-item, at most. Where groups
 * are loops of one core, loads need not be many at a time, and compilers take long for them. */
#define BLOCK_ROWS      64
#define BLOCK_ROWS_HOST 32
#define BLOCK_SHARE     16
#define FEW_TILES       4 /* a line is shared by groups that have so many tiles each, or more */

typedef struct norm_plan {
    norm_args args;
    const char *kernel, *finish;
    int64_t groups_x, groups_y;
    int64_t last_groups; /* of the second launch; several: their results need a third */
    size_t partial_bytes;
    int32_t items, rows, columns;
    bool symmetric, hermitian;
} norm_plan;

static const gbl_norm_routine *routine_of(const gbl_variant *self)
{
    return self->detail;
}

static bool has_sums(const gbl_product_call *call)
{
    return call->norm == GABLE_ONE_NORM || call->norm == GABLE_INF_NORM;
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t ones_of(const gbl_product_call *call)
{
    return call->diag == GABLE_UNIT ? least_of(call->m, call->n) : 0;
}

size_t gbl_norm_element(const void *call)
{
    return gbl_dtype_real_bytes(((const gbl_product_call *)call)->dtype);
}

/* An operation per real number, two for sums of squares and moduli of complex numbers. */
void gbl_norm_work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const bool complex = gbl_dtype_complex(call->dtype);
    const double elements = gbl_part_elements(call) - (double)ones_of(call);
    *least = (gbl_work){.bytes_read = elements * (double)gbl_dtype_bytes(call->dtype),
                        .bytes_written = (double)gbl_norm_element(call),
                        .flops = elements * (complex                              ? 4
                                             : call->norm == GABLE_FROBENIUS_NORM ? 2
                                                                                  : 1)};
}

/* ---- Kernels ---- */

/* Rows of a tile: no more than would be used. */
static int32_t tile_rows(const gbl_product_call *call, int32_t most)
{
    while (most > 1 && most / 2 >= call->m)
        most /= 2;
    return most;
}

static int32_t block_rows(const gbl_device *device, gbl_dtype dtype, int32_t group)
{
    const int64_t real = (int64_t)gbl_dtype_real_bytes(dtype),
                  room = gbl_own_local_bytes(&device->props);
    const int32_t most = device->props.is_gpu ? BLOCK_ROWS : BLOCK_ROWS_HOST;
    int32_t rows = group < most ? group : most;
    while (rows > 1 && ((int64_t)rows * rows > (int64_t)BLOCK_SHARE * group ||
                        ((int64_t)rows * (rows + 1) + 2 * (int64_t)group) * real > room))
        rows /= 2;
    return rows;
}

/* Groups for the lines first, then for what is left of them to share a line. */
static void share_lines(int64_t lines, int64_t along, int64_t most, int64_t *over_lines,
                        int64_t *over_along)
{
    *over_lines = least_of(lines, most);
    *over_along = most_of(1, least_of(most / *over_lines, along / FEW_TILES));
}

static void plan_blocks(const gbl_product_call *call, const gbl_device *device, norm_plan *plan)
{
    plan->rows = block_rows(device, call->dtype, plan->items);
    plan->kernel = "norm_both.cl";
    plan->groups_x = plan->groups_y = plan->args.partials = gbl_parts(call->n, plan->rows);
    plan->args.lines = call->n;
}

static void plan_tiles(const gbl_product_call *call, int64_t most, norm_plan *plan)
{
    const bool one = call->norm == GABLE_ONE_NORM, inf = call->norm == GABLE_INF_NORM;
    norm_args *args = &plan->args;
    plan->rows = tile_rows(call, one && plan->items > COLUMN_ROWS ? COLUMN_ROWS : plan->items);
    const int64_t over = gbl_parts(call->n, plan->items / plan->rows * (int64_t)plan->columns),
                  down = gbl_parts(call->m, plan->rows);
    if (inf)
        share_lines(down, over, most, &args->parts, &args->strips);
    else
        share_lines(over, down, most, &args->strips, &args->parts);
    plan->kernel = one                            ? "norm_columns.cl"
                   : inf                          ? "norm_rows.cl"
                   : call->norm == GABLE_MAX_NORM ? "norm_max.cl"
                                                  : "norm_frobenius.cl";
    plan->groups_x = args->strips * args->parts;
    plan->groups_y = 1;
    args->lines = one ? call->n : call->m;
    args->partials = one ? args->parts : inf ? args->strips : plan->groups_x;
}

static void make_plan(const gbl_variant *self, const gbl_product_call *call,
                      const gbl_params *params, const gbl_device *device, norm_plan *plan)
{
    const int64_t units = device->props.units;
    const size_t real = gbl_norm_element(call);
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[NORM_ITEMS];
    plan->columns = params->value[NORM_COLUMNS];
    plan->symmetric = routine_of(self)->symmetric;
    plan->hermitian = plan->symmetric && call->conj;
    plan->args = (norm_args){
        .m = call->m,
        .n = call->n,
        .lda = call->lda,
        .first = call->uplo == GABLE_LOWER ? call->diag == GABLE_UNIT : -call->n,
        .last = call->uplo == GABLE_UPPER ? -(int64_t)(call->diag == GABLE_UNIT) : call->m,
        .ones = ones_of(call)};
    if (plan->symmetric && has_sums(call))
        plan_blocks(call, device, plan);
    else
        plan_tiles(call, units * params->value[NORM_GROUPS], plan);
    if (has_sums(call)) {
        plan->finish = "norm_sums_finish.cl";
        plan->last_groups = least_of(gbl_parts(plan->args.lines, plan->items), 2 * units);
        plan->partial_bytes = (size_t)(plan->args.partials * plan->args.lines) * real;
    } else {
        const bool max = call->norm == GABLE_MAX_NORM;
        plan->finish = max ? "norm_max_finish.cl" : "norm_frobenius_finish.cl";
        plan->last_groups = 1;
        /* Sums of squares: one in double for s and c, three for d and z (kernels/level1/norm.h). */
        plan->partial_bytes = (size_t)plan->args.partials * (max ? real : real == 4 ? 8 : 24);
    }
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    norm_plan *plan = planned;
    (void)most_items;
    make_plan(self, call, params, device, plan);
    gbl_kernel_begin(spec, plan->kernel, call->dtype);
    gbl_kernel_add_macro(spec, "WX", plan->items);
    gbl_kernel_add_macro(spec, "ROWS", plan->rows);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "SYMMETRIC", plan->symmetric);
    gbl_kernel_add_macro(spec, "HERMITIAN", plan->hermitian);
    gbl_kernel_add_macro(spec, "BY_PARTS", call->by_parts);
    return plan->items;
}

static void finish_spec(const char *file, const gbl_product_call *call, int32_t group,
                        gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, file, call->dtype);
    gbl_kernel_add_macro(spec, "WX", group);
}

int gbl_norm_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    norm_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, &specs[0]);
    finish_spec(plan.finish, call, plan.items, &specs[1]);
    if (plan.last_groups > 1)
        finish_spec("norm_max_finish.cl", call, plan.items, &specs[2]);
    return plan.last_groups > 1 ? 3 : 2;
}

bool gbl_norm_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL;
}

static gable_status finish(gable_context *ctx, const gbl_product_call *call, const norm_plan *plan,
                           const char *file, int64_t count, const void *from, void *to)
{
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    finish_spec(file, call, plan->items, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {.groups = {count, 1},
                              .group = {plan->items, 1},
                              .buffer_count = 2,
                              .buffers = {from, to},
                              .args = &plan->args,
                              .args_bytes = sizeof plan->args};
    return gbl_launch(ctx, kernel, &launch);
}

gable_status gbl_norm_run(gable_context *ctx, const gbl_variant *self, const void *given,
                          const gbl_params *params)
{
    const gbl_product_call *call = given;
    norm_plan plan;
    gbl_kernel *kernel;
    void *partials, *results = call->C;
    TRY(gbl_plan_kernel(ctx, self, call, params, NORM_ITEMS, plan_kernel, &plan, &kernel));
    TRY(gbl_arena_take(ctx->arena, ctx->device, plan.partial_bytes, &partials, &ctx->message));
    gbl_launch_spec launch = {.groups = {plan.groups_x, plan.groups_y},
                              .group = {plan.items, 1},
                              .buffer_count = 2,
                              .buffers = {call->A, partials},
                              .args = &plan.args,
                              .args_bytes = sizeof plan.args};
    TRY(gbl_launch(ctx, kernel, &launch));
    if (plan.last_groups > 1)
        TRY(gbl_arena_take(ctx->arena, ctx->device,
                           (size_t)plan.last_groups * gbl_norm_element(call), &results,
                           &ctx->message));
    TRY(finish(ctx, call, &plan, plan.finish, plan.last_groups, partials, results));
    if (plan.last_groups == 1)
        return GABLE_OK;
    plan.args.partials = plan.last_groups;
    return finish(ctx, call, &plan, "norm_max_finish.cl", 1, results, call->C);
}

void gbl_norm_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                   const gbl_device *device, gbl_cost *cost)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    norm_plan plan;
    gbl_work least;
    gbl_norm_work(call, &least);
    make_plan(self, call, params, device, &plan);
    const double partials = (double)plan.partial_bytes;
    const bool blocks = plan.symmetric && has_sums(call);
    *cost =
        (gbl_cost){.memory_bytes = least.bytes_read + least.bytes_written + 2 * partials,
                   .written_bytes = least.bytes_written + partials,
                   .flops = least.flops,
                   .launches = plan.last_groups > 1 ? 3 : 2,
                   .steps = 2 * 8 * GBL_LOCAL_STEPS, /* two sums over groups of 2^8 */
                   .groups = (double)plan.groups_x * (double)(blocks ? plan.groups_y + 1 : 2) / 2,
                   .group_items = plan.items,
                   .bytes_in_flight = elem * (blocks ? (double)plan.rows * plan.rows
                                                     : (double)plan.items * (double)plan.columns),
                   .workspace_bytes = partials};
}

bool gbl_norm_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *call = given;
    norm_plan plan;
    make_plan(self, call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           plan.columns * (int64_t)gbl_dtype_bytes(call->dtype));
}

/* ---- The cpu ---- */

#define SLICE_BYTES 131072.0 /* less is not worth another slice */

/* Contiguous elements whose places do not matter are one column. */
static gbl_cpu_norm_args slices_of(const gbl_norm_routine *routine, const gbl_product_call *call,
                                   const gbl_device *device)
{
    gbl_cpu_norm_args args = {.call = *call,
                              .part = call->uplo == 0 ? GABLE_GENERAL : call->uplo,
                              .symmetric = routine->symmetric,
                              .diagonal_apart = routine->symmetric || call->diag == GABLE_UNIT,
                              .ones = ones_of(call)};
    gbl_work least;
    gbl_norm_work(call, &least);
    const double enough = least.bytes_read / SLICE_BYTES;
    const int64_t most = least_of(GBL_CPU_NORM_SLICES, device->props.units);
    args.slices = enough < 1 ? 1 : enough < (double)most ? (int64_t)enough : most;
    if (args.part != GABLE_GENERAL)
        return args;
    if (call->lda == call->m && !has_sums(call)) {
        args.call.m = call->m * call->n;
        args.call.n = 1;
    }
    args.by_rows = call->norm == GABLE_INF_NORM ? args.call.m >= 64 * args.slices
                                                : args.call.n < 4 * args.slices;
    return args;
}

static size_t room_bytes(const gbl_cpu_norm_args *args)
{
    const gbl_product_call *call = &args->call;
    const bool rows = call->norm == GABLE_INF_NORM && !args->symmetric,
               cut = has_sums(call) && (args->symmetric || rows != args->by_rows);
    return cut ? (size_t)(args->slices * (rows ? call->m : call->n)) * gbl_norm_element(call) : 0;
}

bool gbl_norm_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->props.is_host;
}

gable_status gbl_norm_run_omp(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_snorm_omp, gbl_cpu_dnorm_omp,
                                               gbl_cpu_cnorm_omp, gbl_cpu_znorm_omp};
    const gbl_product_call *call = given;
    gbl_cpu_norm_args args = slices_of(routine_of(self), call, ctx->device);
    const size_t bytes = room_bytes(&args);
    (void)params;
    if (bytes > 0)
        TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &args.room, &ctx->message));
    return gbl_task(ctx, routine_of(self)->stem, tasks[call->dtype], &args, sizeof args);
}

void gbl_norm_cost_omp(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost)
{
    const gbl_cpu_norm_args args = slices_of(routine_of(self), call, device);
    const gbl_host_walk walk = gbl_host_vectors();
    gbl_work least;
    (void)params;
    gbl_norm_work(call, &least);
    gbl_host_cost(&least, &walk, device, cost);
    cost->workspace_bytes = (double)room_bytes(&args);
}

/* ---- The way in ---- */

gable_status gbl_norm_call(gable_context *ctx, const char *name, const gbl_op *op,
                           const gbl_product_call *given)
{
    gbl_result result;
    gbl_product_call call = *given;
    TRY(gbl_enter(ctx, name));
    const size_t bytes = gbl_norm_element(&call);
    if (ctx->depth > 0)
        return gbl_call_empty(op, &call) ? gbl_fill_bytes(ctx, call.C, 0, bytes)
                                         : gbl_op_run(ctx, op, &call);
    TRY(gbl_arguments_check(ctx, op, &call));
    TRY(gbl_result_begin(ctx, gbl_argument_number(op, &call, PRODUCT_AT(C)), "result", call.C,
                         bytes, &result));
    call.C = result.address;
    if (gbl_call_empty(op, &call))
        TRY(gbl_fill_bytes(ctx, call.C, 0, bytes));
    else
        TRY(gbl_op_run(ctx, op, &call));
    return gbl_result_end(ctx, &result);
}
