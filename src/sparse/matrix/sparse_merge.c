/* sparse_merge.c: Y := alpha A X + beta Y, A in compressed rows: groups divide rows and entries
 * alike, so that rows may have any length.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A second launch adds the parts of rows that lie in several groups; one group has none.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/arguments.h"
#include "core/launch.h"
#include "sparse/matrix/sparse_plan.h"
#include "sparse_merge_args.h"

_Static_assert(sizeof(sparse_merge_args) == 12 * 8, "host and device must agree");

#define FINISH_ITEMS 128
#define FINISH_WIDE  32 /* work-items for the parts of a row */
/* Loads that follow each other, and what takes as long: H200, 2026-11, d, 10^6 rows of 7 entries:
 * a wave of groups takes 16 us. What the groups on a multiprocessor do is not hidden by each other:
 * looking for rows, places, sums, scan. */
#define FIND_WAITS   16
#define COLUMN_WAITS 6
#define SCAN_STEPS   12 /* of a group: exchanges within teams, and over them */

typedef struct merge_plan {
    sparse_merge_args args;
    int64_t passes;
    int32_t items, per, columns;
} merge_plan;

static void make_plan(const gbl_sparse_args *call, const gbl_params *params,
                      const gbl_device *device, merge_plan *plan)
{
    const gbl_sparse_layout *A = &call->A;
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[SPARSE_ITEMS];
    plan->per = params->value[SPARSE_UNROLL];
    /* Products and ends of rows; a sum and a flag for each work-item. */
    const int64_t room = gbl_scratch_bytes(&device->props) - plan->items * (elem + 8) - 64;
    while (plan->per > 1 && plan->items * plan->per * (elem + 4) > room)
        plan->per /= 2;
    plan->columns = params->value[SPARSE_COLUMNS];
    while (plan->columns / 2 >= call->k)
        plan->columns /= 2;
    plan->passes = gbl_some_parts(call->k, plan->columns);
    plan->args = (sparse_merge_args){
        .rows = A->rows,
        .entries = A->entries,
        .columns = call->k,
        .ldx = call->ldx,
        .ldy = call->ldy,
        .shares = gbl_some_parts(A->rows + A->entries, (int64_t)plan->items * plan->per),
        .scalars = gbl_scalars(&call->alpha, &call->beta),
    };
}

static int32_t plan_steps(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, int32_t most_items, void *planned,
                          gbl_kernel_spec *spec)
{
    const gbl_sparse_args *call = given;
    merge_plan *plan = planned;
    (void)self;
    (void)most_items;
    make_plan(call, params, device, plan);
    gbl_kernel_begin(spec, "sparse_merge.cl", call->dtype);
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * call->A.index_bytes);
    gbl_kernel_add_macro(spec, "CONJ", call->conj && gbl_dtype_complex(call->dtype));
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "PER", plan->per);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    return plan->items;
}

static void finish_spec(const gbl_sparse_args *call, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "sparse_merge_finish.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", FINISH_ITEMS);
    gbl_kernel_add_macro(spec, "WIDE", FINISH_WIDE);
}

int gbl_sparse_merge_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs)
{
    merge_plan plan;
    plan_steps(self, call, params, device, INT32_MAX, &plan, &specs[0]);
    if (plan.args.shares < 2)
        return 1;
    finish_spec(call, &specs[1]);
    return 2;
}

/* What groups leave to the second launch: two numbers for each column, and a row. */
static size_t parts_bytes(const gbl_sparse_args *call, const merge_plan *plan)
{
    return (size_t)plan->args.shares *
           (2 * (size_t)call->k * gbl_dtype_bytes(call->dtype) + sizeof(int64_t));
}

gable_status gbl_sparse_merge_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                  const gbl_params *params)
{
    const gbl_sparse_args *call = given;
    const gbl_sparse_layout *A = &call->A;
    const void *y = call->y;
    merge_plan plan;
    gbl_kernel *kernel, *finish;
    gbl_kernel_spec spec;
    void *parts;
    if (call->k > GBL_SPARSE_MOST_COLUMNS)
        return gbl_sparse_run_pieces(ctx, self, call, params);
    TRY(gbl_plan_kernel(ctx, self, call, params, SPARSE_ITEMS, plan_steps, &plan, &kernel));
    TRY(gbl_arena_take(ctx->arena, ctx->device, parts_bytes(call, &plan), &parts, &ctx->message));
    const size_t each = (size_t)(plan.args.shares * call->k) * gbl_dtype_bytes(call->dtype);
    char *const rows = parts, *const heads = rows + (size_t)plan.args.shares * sizeof(int64_t),
                *const tails = heads + each;
    const void *alpha = gbl_scalar_buffer(&call->alpha, y),
               *beta = gbl_scalar_buffer(&call->beta, y);
    gbl_launch_spec launch = {
        .groups = {plan.args.shares, plan.passes},
        .group = {plan.items, 1},
        .buffer_count = 10,
        .buffers = {alpha, beta, A->start, gbl_sparse_array(A->column, y),
                    gbl_sparse_array(A->value, y), gbl_sparse_array(call->x, y), y, heads, tails,
                    rows},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    TRY(gbl_launch(ctx, kernel, &launch));
    if (plan.args.shares < 2)
        return GABLE_OK;
    finish_spec(call, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &finish, &ctx->message));
    gbl_launch_spec end = {
        .groups = {gbl_some_parts(plan.args.shares, FINISH_ITEMS / FINISH_WIDE), call->k},
        .group = {FINISH_ITEMS, 1},
        .buffer_count = 6,
        .buffers = {alpha, beta, heads, tails, rows, y},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, finish, &end);
}

bool gbl_sparse_merge_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                            const gbl_device *device, uint64_t *hash)
{
    const gbl_sparse_args *call = given;
    merge_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           plan.per *
                               (2 * (int64_t)gbl_dtype_bytes(call->dtype) + call->A.index_bytes));
}

void gbl_sparse_merge_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out)
{
    const gbl_sparse_args *call = given;
    const gbl_sparse_layout *A = &call->A;
    const double elem = (double)gbl_dtype_bytes(call->dtype), k = (double)call->k;
    merge_plan plan;
    gbl_work least;
    (void)self;
    make_plan(call, params, device, &plan);
    gbl_sparse_work(call, &least);
    const double shares = (double)plan.args.shares, passes = (double)plan.passes;
    memset(out, 0, sizeof *out);
    out->workspace_bytes = (double)parts_bytes(call, &plan);
    out->memory_bytes = least.bytes_read + least.bytes_written;
    out->cache_bytes = (passes - 1) * gbl_sparse_matrix_bytes(A) +
                       elem * k * (double)A->entries /* x, for each entry */ +
                       4 * out->workspace_bytes;
    out->flops = least.flops;
    out->launches = plan.args.shares > 1 ? 2 : 1;
    out->groups = shares * passes;
    out->group_items = plan.items;
    if (!device->props.is_gpu) {
        out->group_items = 0; /* as in sparse_plan.c */
        return;
    }
    out->bytes_in_flight = (double)plan.items * plan.per * (elem + A->index_bytes) / 2;
    out->local_bytes = 2 * (elem + 4) * k * ((double)A->entries + (double)A->rows);
    const double columns = plan.columns < k ? plan.columns : k;
    out->steps = columns * (SCAN_STEPS + plan.per);
    out->waits = FIND_WAITS + COLUMN_WAITS * columns;
    out->in_waves = true;
}
