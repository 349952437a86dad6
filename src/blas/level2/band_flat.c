/* band_flat.c: narrow bands whose columns follow each other in memory: plans of band_flat.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group loads its columns as one piece of memory. Sums along rows need kl + ku columns beside
 * those of its rows, which its neighbours load too: a group takes so much local memory that they
 * are few.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/level2/band_plan.h"
#include "blas/level2/band_variants.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "band_args.h"

#define LARGE_BYTES   98304 /* for A, where it is asked for at a launch, */
#define MORE_BYTES    32768 /* in such steps; */
#define LEAST_BYTES   1024  /* where a device has less, as much as there is, in such steps */
#define MOST_WIDTH    100   /* diagonals: wider bands are read into registers */
#define FEWEST_ROWS   32
#define MOST_UNROLLED 5    /* places for which a kernel of their own is compiled */
#define MOST_SHARE    0.6  /* of a group's rows that others load too; */
#define SMALL_SHARE   0.25 /* from which on a group takes more memory */
#define MOST_GAPS                                                                                  \
    1.5 /* memory between columns comes along: so much of a column is loaded at most */

enum { FLAT_ITEMS, FLAT_KIB, FLAT_UNROLL };
static const int32_t items[] = {64, 128, 256, 512};
static const int32_t kibibytes[] = {8, 16, 32, 64};
static const int32_t unrolls[] = {2, 4, 8};
const gbl_param gbl_band_flat_space[GBL_BAND_FLAT_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "kib", GBL_VALUES(kibibytes), .fallback = 32},
    {.name = "unroll", GBL_VALUES(unrolls), .fallback = 8},
};

typedef struct flat_plan {
    band_args args;
    int64_t groups;
    int32_t items, unroll, vec, align;
    int32_t tile, beside; /* elements of local memory, for A and for x */
    bool in_place;
} flat_plan;

/* Columns that a group loads beside those of its outputs, and elements of x. */
static int64_t beside_columns(const gbl_band *band)
{
    return band->sides & GBL_BAND_ROWS ? band->kl + band->ku : 0;
}

static int64_t beside_x(const gbl_band *band)
{
    return band->sides == GBL_BAND_BOTH ? 2 * (band->kl + band->ku) : band->kl + band->ku;
}

/* Outputs that a group has room for. */
static int64_t rows_of(const gbl_band *band, const gbl_matrix_call *call, const flat_plan *plan)
{
    const int64_t whole = (plan->tile - 2 * plan->vec) / call->lda - beside_columns(band);
    return gbl_band_least(whole, plan->beside - beside_x(band));
}

static void plan_loads(const gbl_matrix_call *call, const gbl_band *band, flat_plan *plan)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    const uintptr_t A = (uintptr_t)call->A + (uintptr_t)(band->before * elem);
    const bool whole = A % (uintptr_t)elem == 0;
    plan->vec = whole ? (int32_t)(GBL_WIDEST_LOAD / elem) : 1;
    plan->align = whole ? GBL_WIDEST_LOAD : (int32_t)gbl_dtype_real_bytes(call->dtype);
    plan->args.offset = whole ? (int64_t)(A / (uintptr_t)elem % (uintptr_t)plan->vec) : 0;
}

static void make_plan(const gbl_matrix_call *call, const gbl_band *band, const gbl_params *params,
                      const gbl_device *device, flat_plan *plan)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype),
                  room = gbl_launch_local_bytes(&device->props);
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    int64_t bytes = (int64_t)params->value[FLAT_KIB] << 10;
    memset(plan, 0, sizeof *plan);
    band_args *args = &plan->args;
    plan->items = params->value[FLAT_ITEMS];
    plan->unroll = params->value[FLAT_UNROLL];
    plan_loads(call, band, plan);
    int64_t rows;
    for (;; bytes += MORE_BYTES) {
        if (bytes + bytes / 2 > room)
            bytes = room / 3 * 2 / LEAST_BYTES * LEAST_BYTES;
        plan->tile = (int32_t)(bytes / elem);
        plan->beside = plan->tile / 2;
        rows = rows_of(band, call, plan);
        const double share = (double)beside_columns(band) / (double)(rows > 0 ? rows : 1);
        if ((rows > 0 && share <= SMALL_SHARE) || bytes + MORE_BYTES > LARGE_BYTES ||
            (bytes + MORE_BYTES) * 3 / 2 > room)
            break;
    }
    /* Enough groups for all units, of whole warps of lanes. */
    const int64_t even = gbl_some_parts(band->outputs, 2 * units);
    rows = gbl_band_least(rows, even > FEWEST_ROWS ? even : FEWEST_ROWS);
    rows = rows >= FEWEST_ROWS ? rows / FEWEST_ROWS * FEWEST_ROWS : rows;
    while (plan->items > 64 && plan->items / 2 >= rows)
        plan->items /= 2;
    args->m = band->m;
    args->n = band->n;
    args->kl = band->kl;
    args->ku = band->ku;
    args->lda = call->lda;
    args->incx = call->incx;
    args->incy = band->in_place ? call->incx : call->incy;
    args->outputs = band->outputs;
    args->rows = rows > 0 ? rows : 1;
    args->before = (band->sides == GBL_BAND_ROWS) == (band->kl > 0);
    args->alpha_re = call->alpha.re;
    args->alpha_im = call->alpha.im;
    args->beta_re = call->beta.re;
    args->beta_im = call->beta.im;
    args->alpha_on_device = call->alpha.device != NULL;
    args->beta_on_device = call->beta.device != NULL;
    plan->groups = gbl_some_parts(band->outputs, args->rows);
    plan->in_place = band->in_place;
}

static void make_spec(const gbl_matrix_call *call, const gbl_band *band, const flat_plan *plan,
                      gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "band_flat.cl", call->dtype);
    gbl_band_macros(band, spec);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "UNROLL", plan->unroll);
    gbl_kernel_add_macro(spec, "VEC", plan->vec);
    gbl_kernel_add_macro(spec, "ALIGN", plan->align);
    gbl_kernel_add_macro(spec, "TILE", plan->tile);
    gbl_kernel_add_macro(spec, "BESIDE", plan->beside);
    gbl_kernel_add_macro(spec, "PLACES",
                         band->kl + band->ku < MOST_UNROLLED ? (int32_t)(band->kl + band->ku + 1)
                                                             : 0);
    gbl_kernel_add_macro(spec, "IN_PLACE", plan->in_place);
}

static int32_t plan_kernel(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    flat_plan *plan = planned;
    gbl_band band;
    (void)most_items;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, plan);
    make_spec(call, &band, plan, spec);
    return plan->items;
}

int gbl_band_flat_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs)
{
    flat_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    if (!plan.in_place || plan.args.kl + plan.args.ku == 0)
        return 1;
    gbl_band_save_kernel(((const gbl_matrix_call *)call)->dtype, &specs[1]);
    return 2;
}

/* Lanes of a warp read local memory lda elements apart: where that has many factors of 2 they take
 * turns. */
static bool few_turns(const gbl_matrix_call *call)
{
    return call->lda % 4 != 0;
}

bool gbl_band_flat_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    const gbl_params params = {{items[2], kibibytes[2], unrolls[2]}};
    gbl_band band;
    flat_plan plan;
    if (!gbl_band_gpu(device) || !few_turns(call) || call->lda > GBL_BAND_MOST_LDA)
        return false;
    gbl_band_routine_of(self)->form(call, &band);
    const int64_t width = band.kl + band.ku + 1;
    if (width > MOST_WIDTH || (double)call->lda > MOST_GAPS * (double)width ||
        band.outputs > INT32_MAX)
        return false;
    make_plan(call, &band, &params, device, &plan);
    const int64_t rows = rows_of(&band, call, &plan);
    return rows >= FEWEST_ROWS && (double)beside_columns(&band) <= MOST_SHARE * (double)rows;
}

gable_status gbl_band_flat_run(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    gbl_band band;
    flat_plan plan;
    gbl_kernel *kernel;
    gbl_band_routine_of(self)->form(call, &band);
    TRY(gbl_plan_kernel(ctx, self, call, params, FLAT_ITEMS, plan_kernel, &plan, &kernel));
    void *x = gbl_first_element(call->x, band.inputs, call->incx, call->dtype);
    void *y = band.in_place ? x : gbl_first_element(call->y, band.outputs, call->incy, call->dtype);
    if (plan.in_place)
        TRY(gbl_band_save(ctx, call, &band, &plan.args, plan.groups, &x));
    const size_t beside = (size_t)(plan.args.rows + beside_x(&band));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .dynamic_local_bytes = ctx->device->props.max_dynamic_local_bytes > 0
                                   ? ((size_t)plan.tile + beside) * elem
                                   : 0,
        .buffer_count = 5,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A),
                    gbl_scalar_buffer(&call->beta, call->A),
                    (const char *)call->A + (size_t)band.before * elem, x, y},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

void gbl_band_flat_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_band band;
    flat_plan plan;
    gbl_work work;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, &plan);
    gbl_band_work(call, &band, &work);
    memset(out, 0, sizeof *out);
    const double width = (double)(band.kl + band.ku + 1), groups = (double)plan.groups;
    out->memory_bytes =
        work.bytes_read + work.bytes_written + elem * (double)band.n * ((double)call->lda - width);
    out->cache_bytes =
        elem * groups * (double)(beside_columns(&band) * call->lda + beside_x(&band));
    out->local_bytes = 3 * elem * gbl_band_elements(&band);
    out->flops = work.flops;
    out->launches = plan.in_place && width > 1 ? 2 : 1;
    out->steps = GBL_LOCAL_STEPS + width;
    out->groups = groups;
    out->group_items = plan.items;
    out->bytes_in_flight = (double)plan.items * plan.unroll * plan.vec * elem;
}

bool gbl_band_flat_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    gbl_band band;
    flat_plan plan;
    gbl_band_routine_of(self)->form(call, &band);
    make_plan(call, &band, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return rows_of(&band, call, &plan) > 0 &&
           gbl_group_legal(device, plan.items,
                           (int64_t)plan.unroll * plan.vec * (int64_t)gbl_dtype_bytes(call->dtype));
}
