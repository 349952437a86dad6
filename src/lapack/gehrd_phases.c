/* gehrd_phases.c: a panel of gehrd by a few launches per column
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What stands between the barriers of `panels` are launches here, for devices whose launches cannot
 * be cooperative: gehrd_column.cl and gehrd_reflect.cl bring a column up to date, gehrd_vector.cl
 * makes its vector and the column of T, and gemv makes A v, which the next column's first launch
 * goes on with. The product has the row above the panel's as well: there columns stand on the
 * alignment of A.
 */
#include "lapack/gehrd_phases.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "gehrd_phase_args.h"

_Static_assert(sizeof(gehrd_phase_args) == 8 * 8, "host and device must agree");

/* Of each of the three launches on a GPU: about twice what an H200 took (d, order 4096, 2026-11),
 * so that `panels` is taken where both fit. */
#define LAUNCH_STEPS 700

/* ---- Plans ---- */

static int make_specs(const gbl_product_call *call, const gbl_phase_plan *plan,
                      gbl_kernel_spec *specs)
{
    static const char *const files[] = {"gehrd_column.cl", "gehrd_reflect.cl", "gehrd_vector.cl"};
    for (int i = 0; i < 3; i++) {
        gbl_kernel_begin(&specs[i], files[i], call->dtype);
        gbl_phase_macros(plan, &specs[i]);
    }
    return 3;
}

int gbl_gehrd_phases_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_phase_plan plan = gbl_phase_make_plan(params, device, INT32_MAX);
    const gbl_product_call *c = call;
    (void)self;
    /* Of one row and column there is nothing to reduce; ilo = 0: the whole matrix. */
    const int64_t order = c->ilo > 0 ? c->ihi - c->ilo + 1 : c->n;
    return order > 1 ? make_specs(call, &plan, specs) : 0;
}

/* ---- Workspace ---- */

/* Bytes of what launches leave to each other. */
enum { B, SWEPT, SHARES, WITH_V, ROOMS };
static void room_bytes(const gbl_product_call *call, const gbl_phase_plan *plan, int64_t rows,
                       size_t bytes[ROOMS])
{
    const size_t elem = gbl_dtype_bytes(call->dtype), block = (size_t)plan->block;
    bytes[B] = (size_t)rows * elem;
    bytes[SWEPT] = (size_t)(rows + 1) * elem;
    bytes[SHARES] = 2 * (size_t)gbl_phase_groups(plan, rows) * block * elem;
    bytes[WITH_V] = block * elem;
}

double gbl_gehrd_phases_bytes(const gbl_product_call *call, const gbl_params *params,
                              const gbl_device *device, int64_t order)
{
    const gbl_phase_plan plan = gbl_phase_make_plan(params, device, INT32_MAX);
    size_t bytes[ROOMS], all = 0;
    room_bytes(call, &plan, order, bytes);
    for (int i = 0; i < ROOMS; i++)
        all += bytes[i];
    return (double)all;
}

gable_status gbl_gehrd_phases_prepare(gable_context *ctx, const gbl_product_call *call,
                                      const gbl_params *params, int64_t rows,
                                      gbl_gehrd_phases *phases)
{
    gbl_kernel *kernels[GBL_MAX_SPECS];
    size_t bytes[ROOMS];
    TRY(gbl_phase_kernels(ctx, call, params, make_specs, &phases->plan, kernels));
    phases->column = kernels[0];
    phases->reflect = kernels[1];
    phases->vector = kernels[2];
    void **const rooms[ROOMS] = {&phases->b, &phases->swept, &phases->shares, &phases->with_v};
    room_bytes(call, &phases->plan, rows, bytes);
    for (int i = 0; i < ROOMS; i++)
        TRY(gbl_arena_take(ctx->arena, ctx->device, bytes[i], rooms[i], &ctx->message));
    return GABLE_OK;
}

/* ---- Launches ---- */

/* A panel and where its first row and column stand. */
typedef struct panel {
    gable_context *ctx;
    const gbl_gehrd_phases *phases;
    const gbl_product_call *call;
    const gbl_gehrd_room *room;
    int64_t first;
    void *A, *tau;
    const void *swept;
} panel;

static gable_status launch(const panel *s, gbl_kernel *kernel, const gehrd_phase_args *args,
                           gbl_launch_spec spec)
{
    spec.groups[0] = args->sharers;
    spec.groups[1] = spec.group[1] = 1;
    spec.group[0] = s->phases->plan.items;
    spec.args = args;
    spec.args_bytes = sizeof *args;
    return gbl_launch(s->ctx, kernel, &spec);
}

static gable_status launch_column(const panel *s, const gehrd_phase_args *args)
{
    const gbl_gehrd_phases *phases = s->phases;
    const gbl_launch_spec spec = {.buffer_count = 8,
                                  .buffers = {s->A, s->room->panel.V, s->room->Y, s->tau, s->swept,
                                              phases->with_v, phases->b, phases->shares}};
    return launch(s, phases->column, args, spec);
}

static gable_status launch_reflect(const panel *s, const gehrd_phase_args *args)
{
    const gbl_gehrd_phases *phases = s->phases;
    const gbl_reflectors *h = &s->room->panel;
    const gbl_launch_spec spec = {.buffer_count = 5,
                                  .buffers = {s->A, h->V, h->T, phases->b, phases->shares}};
    return launch(s, phases->reflect, args, spec);
}

static gable_status launch_vector(const panel *s, const gehrd_phase_args *args)
{
    const gbl_gehrd_phases *phases = s->phases;
    const gbl_reflectors *h = &s->room->panel;
    const gbl_launch_spec spec = {
        .buffer_count = 7,
        .buffers = {s->A, h->V, h->T, s->tau, phases->b, phases->shares, phases->with_v}};
    return launch(s, phases->vector, args, spec);
}

/* swept := A v, with the row above the panel's. */
static gable_status sweep(const panel *s, int64_t p)
{
    const gbl_dtype t = s->call->dtype;
    const gbl_reflectors *h = &s->room->panel;
    gbl_matrix_call call = gbl_step_call(t, false, h->m + 1, h->m - p);
    call.A = gbl_element(t, s->call->A, s->call->lda, s->first, s->first + p + 1);
    call.lda = s->call->lda;
    call.x = gbl_element(t, h->V, h->ldv, p, p);
    call.y = s->phases->swept;
    return gbl_gemv(s->ctx, "gehrd", &call);
}

gable_status gbl_gehrd_phases_run(gable_context *ctx, const gbl_gehrd_phases *phases,
                                  const gbl_product_call *call, const gbl_gehrd_room *room,
                                  int64_t first)
{
    const gbl_dtype t = call->dtype;
    const gbl_reflectors *h = &room->panel;
    const panel s = {.ctx = ctx,
                     .phases = phases,
                     .call = call,
                     .room = room,
                     .first = first,
                     .A = gbl_element(t, call->A, call->lda, first + 1, first),
                     .tau = gbl_element(t, call->tau, 1, first, 0),
                     .swept = gbl_element(t, phases->swept, 0, 1, 0)};
    for (int64_t p = 0; p <= h->k; p++) {
        const gehrd_phase_args args = {.n = h->m,
                                       .count = h->k,
                                       .p = p,
                                       .lda = call->lda,
                                       .ldv = h->ldv,
                                       .ldy = room->ldy,
                                       .ldt = h->ldt,
                                       .sharers = gbl_phase_groups(&phases->plan, h->m)};
        if (p > 0)
            TRY(launch_column(&s, &args));
        if (p == h->k)
            break;
        TRY(launch_reflect(&s, &args));
        TRY(launch_vector(&s, &args));
        TRY(sweep(&s, p));
    }
    return GABLE_OK;
}

/* ---- Costs ---- */

/* Means over all columns, as of `columns`. V and Y are walked over from the cache. */
int gbl_gehrd_phases_parts(const gbl_product_call *call, const gbl_params *params,
                           const gbl_device *device, int64_t order, gbl_part_call *parts, int count)
{
    const gbl_phase_plan plan = gbl_phase_make_plan(params, device, INT32_MAX);
    const int64_t mean = order / 2 > 0 ? order / 2 : 1, side = (int64_t)(0.577 * (double)order),
                  reach = side > 0 ? side : 1;
    const double elem = (double)gbl_dtype_bytes(call->dtype), rows = (double)mean,
                 thin = (double)(plan.block < order ? plan.block : order) / 2,
                 groups = (double)gbl_phase_groups(&plan, mean), columns = (double)(order - 1),
                 shares = elem * groups * groups * thin;
    gbl_phase_work work[3] = {
        {.read = 2 * elem * rows * thin, .written = 2 * elem * rows},
        {.read = 2 * elem * rows * thin + shares, .written = elem * rows},
        {.read = elem * (rows + 2 * groups * thin + thin * thin), .written = 2 * elem * rows}};
    for (int i = 0; i < 3; i++) {
        work[i].flops = gbl_lapack_flops(call, i < 2 ? 6 * rows * thin : rows);
        work[i].steps = LAUNCH_STEPS;
        const gbl_cost cost = gbl_phase_cost(&plan, device, mean, work[i]);
        count = gbl_composed_kernel(parts, count, &cost, columns);
    }
    const gbl_matrix_call product = gbl_step_call(call->dtype, false, reach, reach);
    return gbl_composed_call(parts, count, &gbl_gemv_op, &product, columns);
}
