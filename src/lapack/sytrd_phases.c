/* sytrd_phases.c: a panel of sytrd by a few launches per column
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What stands between the barriers of `panels` are launches here, for devices whose launches cannot
 * be cooperative. sytrd_rows.cl brings a column up to date, sytrd_vector.cl makes its vector, and
 * symv makes y = A v, which the next column's first launch goes on with. In the upper triangle
 * places are counted backward from the last column on, as in sytrd_panel.c.
 *
 * In the lower triangle A(j + 1, j + 1) would stand on another alignment for each column. symv
 * starts on a line of the panel's grid instead: v has zeros there, and so much of y is not read.
 */
#include "lapack/sytrd_phases.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "lapack/panel_steps.h"
#include "sytrd_phase_args.h"

_Static_assert(sizeof(sytrd_phase_args) == 6 * 8, "host and device must agree");

#define LINE_BYTES 64 /* the widest loads */
/* Of both launches on a GPU, not measured there: those of `panels` (sytrd_panel.c), times what
 * gehrd's launches were found to take more. */
#define ROWS_STEPS   640
#define VECTOR_STEPS 510

/* ---- Plans ---- */

static int make_specs(const gbl_product_call *call, const gbl_phase_plan *plan,
                      gbl_kernel_spec *specs)
{
    static const char *const files[] = {"sytrd_rows.cl", "sytrd_vector.cl"};
    for (int i = 0; i < 2; i++) {
        gbl_kernel_begin(&specs[i], files[i], call->dtype);
        gbl_phase_macros(plan, &specs[i]);
        gbl_kernel_add_macro(&specs[i], "UPPER", call->uplo == GABLE_UPPER);
    }
    return 2;
}

int gbl_sytrd_phases_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_phase_plan plan = gbl_phase_make_plan(params, device, INT32_MAX);
    (void)self;
    return make_specs(call, &plan, specs);
}

/* ---- Workspace ---- */

/* Bytes of what launches leave to each other. */
enum { V, Y, COLUMN, SHARES, WITH_BOTH, ROOMS };
static void room_bytes(const gbl_product_call *call, const gbl_phase_plan *plan,
                       size_t bytes[ROOMS])
{
    const size_t elem = gbl_dtype_bytes(call->dtype), n = (size_t)call->n,
                 both = 2 * (size_t)plan->block;
    bytes[V] = bytes[Y] = bytes[COLUMN] = n * elem;
    bytes[SHARES] = (size_t)gbl_phase_groups(plan, call->n) * both * elem;
    bytes[WITH_BOTH] = both * elem;
}

double gbl_sytrd_phases_bytes(const gbl_product_call *call, const gbl_params *params,
                              const gbl_device *device)
{
    const gbl_phase_plan plan = gbl_phase_make_plan(params, device, INT32_MAX);
    size_t bytes[ROOMS], all = 0;
    room_bytes(call, &plan, bytes);
    for (int i = 0; i < ROOMS; i++)
        all += bytes[i];
    return (double)all;
}

gable_status gbl_sytrd_phases_prepare(gable_context *ctx, const gbl_product_call *call,
                                      const gbl_params *params, gbl_sytrd_phases *phases)
{
    gbl_kernel *kernels[GBL_MAX_SPECS];
    size_t bytes[ROOMS];
    TRY(gbl_phase_kernels(ctx, call, params, make_specs, &phases->plan, kernels));
    phases->rows = kernels[0];
    phases->vector = kernels[1];
    void **const rooms[ROOMS] = {&phases->v, &phases->y, &phases->column, &phases->shares,
                                 &phases->with_both};
    room_bytes(call, &phases->plan, bytes);
    for (int i = 0; i < ROOMS; i++)
        TRY(gbl_arena_take(ctx->arena, ctx->device, bytes[i], rooms[i], &ctx->message));
    return GABLE_OK;
}

/* ---- Launches ---- */

/* A panel: its first column `at`, in its direction, and the addresses of its first place. */
typedef struct panel {
    gable_context *ctx;
    const gbl_sytrd_phases *phases;
    const gbl_product_call *call;
    bool lower;
    int64_t at, rows, count, ldw;
    void *A, *W, *d, *e, *tau, *v, *y;
} panel;

static gable_status launch_rows(const panel *s, const sytrd_phase_args *args)
{
    const gbl_sytrd_phases *phases = s->phases;
    gbl_launch_spec launch = {.groups = {args->sharers, 1},
                              .group = {phases->plan.items, 1},
                              .buffer_count = 8,
                              .buffers = {s->A, s->W, s->tau, s->v, s->y, phases->with_both,
                                          phases->column, phases->shares},
                              .args = args,
                              .args_bytes = sizeof *args};
    return gbl_launch(s->ctx, phases->rows, &launch);
}

static gable_status launch_vector(const panel *s, const sytrd_phase_args *args)
{
    const gbl_sytrd_phases *phases = s->phases;
    gbl_launch_spec launch = {.groups = {args->sharers, 1},
                              .group = {phases->plan.items, 1},
                              .buffer_count = 9,
                              .buffers = {s->A, s->W, s->d, s->e, s->tau, phases->column,
                                          phases->shares, phases->with_both, s->v},
                              .args = args,
                              .args_bytes = sizeof *args};
    return gbl_launch(s->ctx, phases->vector, &launch);
}

/* y := A v, from place p + 1 of the panel on or some places before. */
static gable_status sweep(const panel *s, int64_t p)
{
    const gbl_dtype t = s->call->dtype;
    const int64_t line = LINE_BYTES / (int64_t)gbl_dtype_bytes(t),
                  from = s->lower ? (p + 1) / line * line : p + 1,
                  first = s->lower ? s->at + from : 0;
    gbl_matrix_call call = gbl_step_symmetric_call(t, s->call->uplo, s->rows - from);
    call.A = gbl_element(t, s->call->A, s->call->lda, first, first);
    call.lda = s->call->lda;
    call.x = gbl_element(t, s->phases->v, 0, first, 0);
    call.y = gbl_element(t, s->phases->y, 0, first, 0);
    return gbl_symv(s->ctx, "sytrd", &call);
}

gable_status gbl_sytrd_phases_run(gable_context *ctx, const gbl_sytrd_phases *phases,
                                  const gbl_product_call *call, void *W, int64_t ldw, int64_t first,
                                  int64_t count)
{
    const gbl_dtype t = call->dtype;
    const bool lower = call->uplo == GABLE_LOWER;
    /* e and tau of the upper triangle stand before their column. */
    const int64_t at = lower ? first : first + count - 1, rows = lower ? call->n - first : at + 1,
                  before = lower || at == 0 ? at : at - 1;
    const size_t real = gbl_dtype_real_bytes(t);
    const panel s = {.ctx = ctx,
                     .phases = phases,
                     .call = call,
                     .lower = lower,
                     .at = at,
                     .rows = rows,
                     .count = count,
                     .ldw = ldw,
                     .A = gbl_element(t, call->A, call->lda, at, at),
                     .W = gbl_element(t, W, ldw, at, lower ? 0 : count - 1),
                     .d = (char *)call->d + (size_t)at * real,
                     .e = call->n > 1 ? (char *)call->e + (size_t)before * real : call->d,
                     .tau = call->n > 1 ? gbl_element(t, call->tau, 0, before, 0) : call->A,
                     .v = gbl_element(t, phases->v, 0, at, 0),
                     .y = gbl_element(t, phases->y, 0, at, 0)};
    for (int64_t p = 0; p <= count && p < rows; p++) {
        const sytrd_phase_args args = {.n = rows,
                                       .count = count,
                                       .p = p,
                                       .lda = call->lda,
                                       .ldw = ldw,
                                       .sharers = gbl_phase_groups(&phases->plan, rows)};
        TRY(launch_rows(&s, &args));
        if (p == count)
            break;
        TRY(launch_vector(&s, &args));
        if (p + 1 < rows)
            TRY(sweep(&s, p));
    }
    return GABLE_OK;
}

/* ---- Costs ---- */

/* Means over all columns, as of `columns`. V and W are walked over twice, from the cache. */
int gbl_sytrd_phases_parts(const gbl_product_call *call, const gbl_params *params,
                           const gbl_device *device, gbl_part_call *parts, int count)
{
    const gbl_phase_plan plan = gbl_phase_make_plan(params, device, INT32_MAX);
    const int64_t n = call->n, mean = n / 2 > 0 ? n / 2 : 1,
                  side = (int64_t)(0.577 * (double)n) > 0 ? (int64_t)(0.577 * (double)n) : 1;
    const double elem = (double)gbl_dtype_bytes(call->dtype), rows = (double)mean,
                 thin = (double)(plan.block < n ? plan.block : n) / 2,
                 groups = (double)gbl_phase_groups(&plan, mean), columns = (double)n;
    const gbl_phase_work by_rows = {.read = elem * rows * (4 * thin + 2 * groups),
                                    .written = 2 * elem * rows,
                                    .flops = gbl_lapack_flops(call, 12 * rows * thin),
                                    .steps = ROWS_STEPS},
                         of_vector = {.read = elem * (rows + 3 * groups * thin),
                                      .written = 2 * elem * rows,
                                      .flops = gbl_lapack_flops(call, rows),
                                      .steps = VECTOR_STEPS};
    const gbl_cost first = gbl_phase_cost(&plan, device, mean, by_rows),
                   second = gbl_phase_cost(&plan, device, mean, of_vector);
    const gbl_matrix_call symmetric = gbl_step_symmetric_call(call->dtype, call->uplo, side);
    count = gbl_composed_kernel(parts, count, &first, columns);
    count = gbl_composed_kernel(parts, count, &second, columns);
    return gbl_composed_call(parts, count, &gbl_symv_op, &symmetric, columns);
}
