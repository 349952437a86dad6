/* sparse_plan.c: Y := alpha A X + beta Y by rows: plans, launches and costs for CSR, ELL and SELL.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <string.h>
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/arguments.h"
#include "core/launch.h"
#include "sparse/matrix/sparse_matrix.h"
#include "sparse/matrix/sparse_plan.h"
#include "sparse_mv_args.h"

_Static_assert(sizeof(sparse_mv_args) == 14 * 8, "host and device must agree");

#define WALK_BLOCK     8  /* rows of ELL and SELL that a CPU sums side by side */
#define WALK_SHARES    16 /* per unit of a CPU, at least: units are done at different times */
#define MOST_IN_FLIGHT 32 /* entries times columns that a work-item has requested */
#define PHASES                                                                                     \
    2 /* a group asks for entries only for a part of its time: it waits for starts and x, too */
#define SLICE_WAIT                                                                                 \
    0.6 /* of a load from memory: it is half hidden (H200, 2026-11: 0.4 to 0.5 us per wave) */
#define GATHER_BYTES 32 /* that are fetched where neighbours load from different lines */

const gbl_rows_form gbl_rows_plain = GBL_ROWS_PLAIN, gbl_rows_lanes = GBL_ROWS_LANES,
                    gbl_rows_staged = GBL_ROWS_STAGED, gbl_rows_items = GBL_ROWS_ITEMS,
                    gbl_rows_single_item = GBL_ROWS_SINGLE_ITEM;

typedef struct rows_plan {
    sparse_mv_args args;
    int64_t groups;
    int32_t items, unroll, rows, lanes, stage, columns, block, form;
} rows_plan;

/* ---- What a call comes to ---- */

double gbl_sparse_matrix_bytes(const gbl_sparse_layout *A)
{
    const double index = A->index_bytes, elem = (double)gbl_dtype_bytes(A->dtype);
    double bytes = (double)A->stored * (index + elem);
    switch ((gable_format)A->format) {
    case GABLE_CSR:
        return bytes + (double)(A->rows + 1) * index;
    case GABLE_COO:
        return bytes + (double)A->stored * index;
    case GABLE_SELL:
        bytes += (double)(A->slices + 1) * index;
        return A->order != NULL ? bytes + (double)A->rows * index : bytes;
    case GABLE_HYB:
        return bytes + (double)A->rest * (2 * index + elem);
    default:
        return bytes;
    }
}

double gbl_sparse_bytes(const gbl_sparse_layout *A)
{
    const double elem = (double)gbl_dtype_bytes(A->dtype);
    return gbl_sparse_matrix_bytes(A) + elem * ((double)A->rows + (double)A->columns);
}

void gbl_sparse_work(const void *given, gbl_work *least)
{
    const gbl_sparse_args *call = given;
    const gbl_sparse_layout *A = &call->A;
    const double elem = (double)gbl_dtype_bytes(call->dtype), k = (double)call->k;
    *least = (gbl_work){.bytes_read = gbl_sparse_matrix_bytes(A) + elem * k * (double)A->columns,
                        .bytes_written = elem * k * (double)A->rows,
                        .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * k * (double)A->entries};
    if (!gbl_scalar_zero(&call->beta))
        least->bytes_read += elem * k * (double)A->rows;
}

double gbl_sparse_mean(const gbl_sparse_layout *A)
{
    const double mean = A->rows > 0 ? (double)A->stored / (double)A->rows : 0;
    return mean > 1 ? mean : 1;
}

/* ---- Plans ---- */

static gbl_rows_form form_of(const gbl_variant *self)
{
    return *(const gbl_rows_form *)self->detail;
}

/* The longest row as a work-item meets it: what fills up counts. */
static int64_t places_of(const gbl_sparse_layout *A)
{
    return A->format == GABLE_ELL ? A->width : A->longest;
}

static int32_t halved_while(int32_t value, bool (*too_many)(int32_t value, int64_t than),
                            int64_t than)
{
    while (value > 1 && too_many(value, than))
        value /= 2;
    return value;
}

/* As many per round as make rounds alike, at most so many: the last round of a row then asks for
 * nothing that is not there. */
static int32_t even_rounds(int64_t places, int32_t most)
{
    const int64_t rounds = places > most ? gbl_some_parts(places, most) : 1;
    return places > 0 ? (int32_t)gbl_some_parts(places, rounds) : 1;
}

int32_t gbl_sparse_unroll(const gbl_sparse_layout *A, int32_t most)
{
    const int64_t places = A->format == GABLE_ELL    ? A->width
                           : A->format == GABLE_SELL ? gbl_some_parts(A->stored, A->rows)
                                                     : A->longest;
    return even_rounds(places, most);
}

/* Half of them would do. */
static bool more_than_twice(int32_t value, int64_t than)
{
    return (value + 1) / 2 >= than;
}

static bool more(int32_t value, int64_t than)
{
    return value > than;
}

static void plan_walk(const gbl_sparse_args *call, const gbl_device *device, int64_t run,
                      rows_plan *plan)
{
    const gbl_sparse_layout *A = &call->A;
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    plan->items = plan->unroll = plan->rows = 1;
    plan->block = A->format == GABLE_CSR ? 1 : WALK_BLOCK;
    while (A->format == GABLE_SELL && A->chunk % plan->block != 0)
        plan->block /= 2;
    const int64_t share = gbl_some_parts(A->rows, WALK_SHARES * units);
    run = run < share ? run : share;
    plan->args.run = gbl_some_parts(run, WALK_BLOCK) * WALK_BLOCK;
    plan->args.passes = 1;
    plan->groups = gbl_some_parts(A->rows, plan->args.run);
}

static void make_plan(const gbl_variant *self, const gbl_sparse_args *call,
                      const gbl_params *params, const gbl_device *device, rows_plan *plan)
{
    const gbl_sparse_layout *A = &call->A;
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    memset(plan, 0, sizeof *plan);
    plan->form = (int32_t)form_of(self);
    plan->items = params->value[SPARSE_ITEMS];
    plan->columns = halved_while(params->value[SPARSE_COLUMNS], more_than_twice, call->k);
    plan->lanes = plan->form == GBL_ROWS_LANES ? params->value[SPARSE_LANES] : 1;
    plan->lanes = halved_while(plan->lanes, more, plan->items);
    plan->rows = params->value[SPARSE_ROWS];
    plan->unroll = halved_while(params->value[SPARSE_UNROLL], more_than_twice,
                                gbl_some_parts(places_of(A), plan->lanes));
    if (plan->form == GBL_ROWS_ITEMS && A->format != GABLE_CSR)
        plan->unroll = gbl_sparse_unroll(A, params->value[SPARSE_UNROLL]);
    while (plan->rows * plan->unroll * plan->columns > MOST_IN_FLIGHT && plan->rows > 1)
        plan->rows /= 2;
    plan->unroll = halved_while(plan->unroll, more, MOST_IN_FLIGHT / plan->columns);
    plan->args.matrix = (sparse_row_args){.rows = A->rows, .width = A->width, .stride = A->stride};
    plan->args.columns = call->k;
    plan->args.ldx = call->ldx;
    plan->args.ldy = call->ldy;
    plan->args.scalars = gbl_scalars(&call->alpha, &call->beta);
    if (plan->form == GBL_ROWS_SINGLE_ITEM) {
        plan_walk(call, device, params->value[SPARSE_RUN], plan);
        return;
    }
    if (plan->form == GBL_ROWS_STAGED) {
        const int32_t most = (int32_t)(gbl_scratch_bytes(&device->props) / (plan->items * elem));
        plan->stage = halved_while(params->value[SPARSE_STAGE], more, most);
        plan->unroll = halved_while(params->value[SPARSE_UNROLL], more, plan->stage);
    }
    plan->args.passes = gbl_some_parts(call->k, plan->columns);
    plan->groups = plan->args.passes *
                   gbl_some_parts(A->rows, (int64_t)plan->items / plan->lanes * plan->rows);
}

static void make_spec(const gbl_sparse_args *call, const rows_plan *plan, gbl_kernel_spec *spec)
{
    const gbl_sparse_layout *A = &call->A;
    gbl_kernel_begin(spec,
                     plan->form == GBL_ROWS_STAGED        ? "sparse_staged.cl"
                     : plan->form == GBL_ROWS_SINGLE_ITEM ? "sparse_single_item.cl"
                                                          : "sparse_mv.cl",
                     call->dtype);
    gbl_kernel_add_macro(spec, "FORMAT", A->format);
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * A->index_bytes);
    if (A->format == GABLE_SELL) {
        gbl_kernel_add_macro(spec, "CHUNK", (int32_t)A->chunk);
        gbl_kernel_add_macro(spec, "ORDERED", A->order != NULL);
    }
    gbl_kernel_add_macro(spec, "CONJ", call->conj && gbl_dtype_complex(call->dtype));
    if (plan->form == GBL_ROWS_SINGLE_ITEM) {
        gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
        if (A->format != GABLE_CSR)
            gbl_kernel_add_macro(spec, "ABREAST", plan->block);
        return;
    }
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "UNROLL", plan->unroll);
    if (plan->form == GBL_ROWS_STAGED) {
        gbl_kernel_add_macro(spec, "ROWS", plan->rows);
        gbl_kernel_add_macro(spec, "STAGE", plan->stage * plan->items);
        return;
    }
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "ROWS", plan->rows);
    gbl_kernel_add_macro(spec, "LANES", plan->lanes);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    rows_plan *plan = planned;
    (void)most_items;
    make_plan(self, given, params, device, plan);
    make_spec(given, plan, spec);
    return plan->items;
}

int gbl_sparse_rows_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs)
{
    rows_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

gable_status gbl_sparse_rows_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                 const gbl_params *params)
{
    const gbl_sparse_args *call = given;
    const gbl_sparse_layout *A = &call->A;
    rows_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, SPARSE_ITEMS, plan_kernel, &plan, &kernel));
    const void *y = call->y;
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = 8,
        .buffers = {gbl_scalar_buffer(&call->alpha, y), gbl_scalar_buffer(&call->beta, y),
                    gbl_sparse_array(A->start, y), gbl_sparse_array(A->column, y),
                    gbl_sparse_array(A->value, y), gbl_sparse_array(A->order, y),
                    gbl_sparse_array(call->x, y), y},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    if (plan.form == GBL_ROWS_STAGED) { /* it has no order */
        launch.buffer_count = 7;
        launch.buffers[5] = gbl_sparse_array(call->x, y);
        launch.buffers[6] = y;
    }
    return gbl_launch(ctx, kernel, &launch);
}

gable_status gbl_sparse_run_pieces(gable_context *ctx, const gbl_variant *self,
                                   const gbl_sparse_args *call, const gbl_params *params)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const int64_t each = gbl_parts(call->k, gbl_parts(call->k, GBL_SPARSE_MOST_COLUMNS));
    for (int64_t first = 0; first < call->k; first += each) {
        gbl_sparse_args piece = *call;
        piece.k = call->k - first < each ? call->k - first : each;
        if (call->x != NULL)
            piece.x = (const char *)call->x + (size_t)(first * call->ldx) * elem;
        piece.y = (char *)call->y + (size_t)(first * call->ldy) * elem;
        TRY(self->run(ctx, self, &piece, params));
    }
    return GABLE_OK;
}

bool gbl_sparse_rows_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash)
{
    const gbl_sparse_args *call = given;
    rows_plan plan;
    make_plan(self, call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    const int64_t entry =
        (int64_t)gbl_dtype_bytes(call->dtype) * (1 + plan.columns) + (int64_t)call->A.index_bytes;
    return gbl_group_legal(device, plan.items, plan.rows * plan.unroll * entry);
}

/* ---- Costs ---- */

/* Entries that a group has requested at once. */
static double entries_in_flight(const rows_plan *plan, double mean)
{
    const double at_once = (double)plan->unroll * plan->lanes;
    const double rows = (double)plan->items / plan->lanes * plan->rows;
    if (plan->form == GBL_ROWS_STAGED) {
        const double all = (double)plan->items * mean, room = (double)plan->items * plan->unroll;
        return all < room ? all : room;
    }
    return rows * (mean < at_once ? mean : at_once);
}

/* Places per row of a round. More than 8 and two rows per work-item have not been measured: the
 * tuner may find what they bring, the model takes them to bring nothing. */
static double measured_stage(const rows_plan *plan)
{
    return plan->stage < 8 ? plan->stage : 8;
}

void gbl_sparse_rows_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, gbl_cost *out)
{
    const gbl_sparse_args *call = given;
    const gbl_sparse_layout *A = &call->A;
    const double elem = (double)gbl_dtype_bytes(call->dtype), entry = elem + A->index_bytes,
                 mean = gbl_sparse_mean(A), longest = (double)places_of(A);
    rows_plan plan;
    gbl_work least;
    make_plan(self, call, params, device, &plan);
    gbl_sparse_work(call, &least);
    const double passes = plan.form == GBL_ROWS_SINGLE_ITEM
                              ? (double)gbl_some_parts(call->k, plan.columns)
                              : (double)plan.args.passes;
    memset(out, 0, sizeof *out);
    out->memory_bytes = least.bytes_read + least.bytes_written;
    /* Later passes find the matrix in the cache, where groups of all passes follow one another. */
    out->cache_bytes = (passes - 1) * gbl_sparse_matrix_bytes(A) +
                       elem * (double)call->k * (double)A->stored; /* x, for each entry */
    out->flops = least.flops;
    out->launches = 1;
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight = entries_in_flight(&plan, mean) * entry / PHASES;
    if (!device->props.is_gpu) {
        if (plan.form != GBL_ROWS_SINGLE_ITEM)
            out->group_items = 0; /* shapes of GPUs are not ranked beside the walk */
        return;
    }
    const double rounds = ceil(longest / ((double)plan.unroll * plan.lanes));
    switch (plan.form) {
    case GBL_ROWS_STAGED:
        out->local_bytes = 2 * elem * (double)A->stored;
        out->steps = 2 * GBL_LOCAL_STEPS + plan.rows * longest;
        /* Loads of entries, then of x, in rounds that end with a barrier: what other groups on a
         * multiprocessor hide of them does not count here (H200, 2026-11: 2.3 us per wave of groups
         * in one round, 8.9 in four). */
        out->waits = plan.rows * (1 + 2 * ceil(mean / measured_stage(&plan)));
        out->in_waves = true;
        break;
    case GBL_ROWS_LANES:
        /* starts, then entries and x in rounds, as above; of four rows two at a time (H200,
         * 2026-11) */
        out->steps = gbl_reduce_steps(device, plan.lanes);
        out->waits = (1 + 2 * rounds) * (plan.rows > 2 ? plan.rows / 2.0 : 1);
        out->in_waves = true;
        break;
    default:
        out->waits = 1 + rounds;
        if (A->format == GABLE_SELL) { /* where its slice starts */
            out->waits = SLICE_WAIT;
            out->in_waves = true;
            out->longest_waits = 2 * rounds; /* a row that is much longer than others */
        }
        if (A->format == GABLE_CSR) /* neighbours read from different lines */
            out->cache_bytes += (double)A->stored * 2 * GATHER_BYTES;
        break;
    }
}
