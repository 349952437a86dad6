/* sparse_coo.c: Y := alpha A X + beta Y, A as single entries (COO), or as ELL and single entries
 * for the rest (HYB).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * COO takes up to three launches: Y is scaled, groups add the rows that they have whole, and a
 * small kernel adds those that were cut between groups. Of HYB the ELL part scales Y.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/arguments.h"
#include "core/launch.h"
#include "sparse/matrix/sparse_plan.h"
#include "sparse_coo_args.h"

_Static_assert(sizeof(sparse_coo_args) == 13 * 8, "host and device must agree");

#define FINISH_ITEMS 64
#define SCALE_RUN    4  /* rows per work-item of a GPU */
#define SHARES       16 /* per unit of a CPU, at least */
#define SCAN_WAITS   24 /* loads that take as long as a scan */
#define SCAN_STEPS   2  /* exchanges through local memory per doubling */

typedef struct coo_plan {
    sparse_coo_args args;
    int64_t columns;
    int32_t items, per, finish_items;
    bool scales;
} coo_plan;

/* The variants that multiply with the ELL part of HYB. */
static const gbl_variant ell_items = {.name = "ell", .detail = &gbl_rows_items},
                         ell_walk = {.name = "ell", .detail = &gbl_rows_single_item};

static bool is_hybrid(const gbl_sparse_args *call)
{
    return call->A.format == GABLE_HYB;
}

/* Whether one work-item per group goes over entries and rows. */
static bool walks(const gbl_variant *self)
{
    return *(const gbl_rows_form *)self->detail == GBL_ROWS_SINGLE_ITEM;
}

static const gbl_variant *ell_variant(const gbl_variant *self)
{
    return walks(self) ? &ell_walk : &ell_items;
}

static gbl_sparse_args ell_part(const gbl_sparse_args *call)
{
    gbl_sparse_args part = *call;
    part.A.format = GABLE_ELL;
    part.A.longest = call->A.width;
    return part;
}

/* Tunables of the ELL part: those that COO does not have are as they start. */
static gbl_params ell_params(const gbl_params *params)
{
    gbl_params part = *params;
    part.value[SPARSE_UNROLL] = 8;
    part.value[SPARSE_ROWS] = 1;
    part.value[SPARSE_LANES] = 1;
    part.value[SPARSE_STAGE] = 1;
    return part;
}

/* The entries one by one, of either format. */
static gbl_sparse_args coo_part(const gbl_sparse_args *call)
{
    gbl_sparse_args part = *call;
    part.A.format = GABLE_COO;
    if (is_hybrid(call)) {
        part.A.entries = part.A.stored = call->A.rest;
        part.A.row = call->A.rest_row;
        part.A.column = call->A.rest_column;
        part.A.value = call->A.rest_value;
        part.beta = (gbl_scalar){.re = 1};
    }
    return part;
}

static bool is_one(const gbl_scalar *scalar)
{
    return scalar->device == NULL && scalar->re == 1 && scalar->im == 0;
}

/* Of the single entries alone. */
static void make_plan(const gbl_variant *self, const gbl_sparse_args *call,
                      const gbl_params *params, const gbl_device *device, coo_plan *plan)
{
    const gbl_sparse_layout *A = &call->A;
    const int64_t room = (int64_t)gbl_dtype_bytes(call->dtype) + A->index_bytes;
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    memset(plan, 0, sizeof *plan);
    plan->scales = !is_one(&call->beta);
    plan->columns = call->k;
    if (!walks(self)) {
        plan->items = params->value[SPARSE_ITEMS];
        plan->per = params->value[SPARSE_UNROLL];
        /* The scan keeps a sum and a flag per work-item; one entry more stands at either end. */
        const int64_t most = gbl_scratch_bytes(&device->props) -
                             plan->items * ((int64_t)gbl_dtype_bytes(call->dtype) + 8) -
                             2 * A->index_bytes;
        while (plan->per > 1 && plan->items * plan->per * room > most)
            plan->per /= 2;
        plan->args.share = (int64_t)plan->items * plan->per;
        plan->args.run = SCALE_RUN;
        plan->finish_items = FINISH_ITEMS;
    } else {
        const int64_t share = gbl_some_parts(A->entries, SHARES * units);
        plan->items = plan->finish_items = 1;
        plan->args.share = params->value[SPARSE_RUN] < share ? params->value[SPARSE_RUN] : share;
        plan->args.run = gbl_some_parts(A->rows, SHARES * units);
    }
    plan->args.rows = A->rows;
    plan->args.entries = A->entries;
    plan->args.ldx = call->ldx;
    plan->args.ldy = call->ldy;
    plan->args.shares = gbl_parts(A->entries, plan->args.share);
    plan->args.scalars = gbl_scalars(&call->alpha, &call->beta);
}

/* ---- Kernels ---- */

static int32_t plan_scale(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, int32_t most_items, void *plan,
                          gbl_kernel_spec *spec)
{
    coo_plan *made = plan;
    (void)most_items;
    make_plan(self, call, params, device, made);
    gbl_kernel_begin(spec, "sparse_scale.cl", ((const gbl_sparse_args *)call)->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", made->items);
    return made->items;
}

static int32_t plan_entries(const gbl_variant *self, const void *given, const gbl_params *params,
                            const gbl_device *device, int32_t most_items, void *plan,
                            gbl_kernel_spec *spec)
{
    const gbl_sparse_args *call = given;
    coo_plan *made = plan;
    (void)most_items;
    make_plan(self, call, params, device, made);
    gbl_kernel_begin(spec, "sparse_coo.cl", call->dtype);
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * call->A.index_bytes);
    gbl_kernel_add_macro(spec, "CONJ", call->conj && gbl_dtype_complex(call->dtype));
    gbl_kernel_add_macro(spec, "ITEMS", made->items);
    if (!walks(self))
        gbl_kernel_add_macro(spec, "PER", made->per);
    return made->items;
}

static void finish_spec(const gbl_sparse_args *call, const coo_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "sparse_coo_finish.cl", call->dtype);
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * call->A.index_bytes);
    gbl_kernel_add_macro(spec, "ITEMS", plan->finish_items);
}

int gbl_sparse_coo_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_sparse_args *call = given, entries = coo_part(call);
    coo_plan plan;
    int count = 0;
    if (is_hybrid(call)) {
        const gbl_sparse_args ell = ell_part(call);
        const gbl_params inner = ell_params(params);
        count += gbl_sparse_rows_specs(ell_variant(self), &ell, &inner, device, specs);
    } else {
        plan_scale(self, &entries, params, device, INT32_MAX, &plan, &specs[0]);
        count += plan.scales;
    }
    plan_entries(self, &entries, params, device, INT32_MAX, &plan, &specs[count]);
    if (plan.args.shares == 0)
        return count;
    count++;
    if (plan.args.shares > 1)
        finish_spec(&entries, &plan, &specs[count++]);
    return count;
}

static gable_status run_scale(gable_context *ctx, const gbl_variant *self,
                              const gbl_sparse_args *call, const gbl_params *params)
{
    coo_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, SPARSE_ITEMS, plan_scale, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {gbl_some_parts(call->A.rows, plan.items * plan.args.run), plan.columns},
        .group = {plan.items, 1},
        .buffer_count = 2,
        .buffers = {gbl_scalar_buffer(&call->beta, call->y), call->y},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* Adds alpha times the entries. */
static gable_status run_entries(gable_context *ctx, const gbl_variant *self,
                                const gbl_sparse_args *call, const gbl_params *params)
{
    const gbl_sparse_layout *A = &call->A;
    coo_plan plan;
    gbl_kernel *kernel, *finish;
    gbl_kernel_spec spec;
    void *parts;
    if (A->entries == 0)
        return GABLE_OK;
    TRY(gbl_plan_kernel(ctx, self, call, params, SPARSE_ITEMS, plan_entries, &plan, &kernel));
    const size_t bytes =
        2 * (size_t)(plan.args.shares * plan.columns) * gbl_dtype_bytes(call->dtype);
    TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &parts, &ctx->message));
    const void *alpha = gbl_scalar_buffer(&call->alpha, call->y);
    gbl_launch_spec launch = {
        .groups = {plan.args.shares, plan.columns},
        .group = {plan.items, 1},
        .buffer_count = 7,
        .buffers = {alpha, A->row, A->column, A->value, gbl_sparse_array(call->x, call->y), call->y,
                    parts},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    TRY(gbl_launch(ctx, kernel, &launch));
    if (plan.args.shares < 2)
        return GABLE_OK;
    finish_spec(call, &plan, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &finish, &ctx->message));
    gbl_launch_spec end = {
        .groups = {gbl_some_parts(plan.args.shares, plan.finish_items), plan.columns},
        .group = {plan.finish_items, 1},
        .buffer_count = 4,
        .buffers = {alpha, A->row, parts, call->y},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, finish, &end);
}

gable_status gbl_sparse_coo_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                const gbl_params *params)
{
    const gbl_sparse_args *call = given, entries = coo_part(call);
    if (call->k > GBL_SPARSE_MOST_COLUMNS)
        return gbl_sparse_run_pieces(ctx, self, call, params);
    if (is_hybrid(call)) {
        const gbl_sparse_args ell = ell_part(call);
        const gbl_params inner = ell_params(params);
        TRY(gbl_sparse_rows_run(ctx, ell_variant(self), &ell, &inner));
    } else if (!is_one(&call->beta)) {
        TRY(run_scale(ctx, self, &entries, params));
    }
    return run_entries(ctx, self, &entries, params);
}

/* ---- Costs ---- */

static int log2_of(int64_t value)
{
    int result = 0;
    for (; value > 1; value /= 2)
        result++;
    return result;
}

bool gbl_sparse_coo_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, uint64_t *hash)
{
    const gbl_sparse_args entries = coo_part(given);
    const int64_t entry =
        2 * ((int64_t)gbl_dtype_bytes(entries.dtype) + (int64_t)entries.A.index_bytes);
    coo_plan plan;
    uint64_t ell_hash = 0;
    bool legal = true;
    make_plan(self, &entries, params, device, &plan);
    if (is_hybrid(given)) {
        const gbl_sparse_args ell = ell_part(given);
        const gbl_params inner = ell_params(params);
        legal = gbl_sparse_rows_legal(ell_variant(self), &ell, &inner, device, &ell_hash);
    }
    *hash = gbl_plan_hash(&plan, sizeof plan) ^ ell_hash;
    return legal && gbl_group_legal(device, plan.items, plan.per * entry);
}

void gbl_sparse_coo_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, gbl_cost *out)
{
    const gbl_sparse_args *call = given, entries = coo_part(call);
    const double elem = (double)gbl_dtype_bytes(call->dtype), k = (double)call->k;
    coo_plan plan;
    gbl_work least;
    make_plan(self, &entries, params, device, &plan);
    gbl_sparse_work(call, &least);
    memset(out, 0, sizeof *out);
    if (is_hybrid(call)) {
        const gbl_sparse_args ell = ell_part(call);
        const gbl_params inner = ell_params(params);
        gbl_sparse_rows_cost(ell_variant(self), &ell, &inner, device, out);
    } else {
        out->launches = plan.scales;
        out->groups = (double)(plan.args.shares * plan.columns);
        out->group_items = plan.items;
        out->bytes_in_flight =
            (double)(plan.args.share < entries.A.entries ? plan.args.share : entries.A.entries) *
            (elem + 2.0 * entries.A.index_bytes) / 2;
    }
    /* Y is read again and written again by rows that have entries here, and each column reads the
     * entries. */
    const double rows =
        (double)(entries.A.entries < entries.A.rows ? entries.A.entries : entries.A.rows);
    out->memory_bytes = least.bytes_read + least.bytes_written + 2 * elem * k * rows;
    out->written_bytes = least.bytes_written + elem * k * rows;
    out->cache_bytes +=
        (k - 1) * gbl_sparse_matrix_bytes(&entries.A) + elem * k * (double)entries.A.entries;
    out->flops = least.flops;
    out->launches += 1 + (plan.args.shares > 1);
    if (!device->props.is_gpu && !walks(self))
        out->group_items = 0; /* as in sparse_plan.c */
    if (device->props.is_gpu) {
        out->local_bytes = 2 * (elem + entries.A.index_bytes) * (double)entries.A.entries;
        out->steps += SCAN_STEPS * GBL_LOCAL_STEPS * log2_of(plan.items) + plan.per;
        if (!is_hybrid(call)) {
            /* Groups that share a multiprocessor hide little of a scan from one another: H200,
             * 2026-11, d, 10^6 rows of 7 entries in the mean: 171 us. */
            out->in_waves = true;
            out->waits += SCAN_WAITS;
        }
        /* The longest row, share after share. */
        const int64_t longest =
            entries.A.longest < entries.A.entries ? entries.A.longest : entries.A.entries;
        out->waits += 2;
        out->longest_waits = (double)longest / (double)plan.args.share;
    }
}
