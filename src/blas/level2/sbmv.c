/* sbmv.c: y := alpha A x + beta y, A a symmetric or Hermitian band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every element beside the diagonal serves two rows of y. Groups of narrow bands have both in one
 * tile (band_plan.c). Of wide bands `once` reads each element once: sbmv.cl leaves partial sums,
 * sbmv_finish.cl adds them up.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/level2/band_plan.h"
#include "blas/level2/band_variants.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "sbmv_args.h"

_Static_assert(sizeof(sbmv_args) == 15 * 8, "host and device must agree");

#define MOST_ITEM_BYTES  128 /* that a work-item loads at once: more would not fit its registers */
#define FEWEST_DIAGONALS 16  /* with fewer, blocks would be half empty */
#define FINISH_LANES     32  /* along y: what a cache line holds of the narrowest type */

enum { ONCE_ITEMS, ONCE_WX, ONCE_DEEP, ONCE_COLUMNS, ONCE_GROUPS, ONCE_HELPERS, ONCE_PARAMS };
static const int32_t items[] = {64, 128, 256, 512};
static const int32_t widths[] = {16, 32, 64};
static const int32_t depths[] = {1, 2, 4};
static const int32_t columns[] = {2, 4, 8, 16};
static const int32_t groups_a_unit[] = {1, 2, 4, 8};
static const int32_t helpers[] = {1, 2, 4, 8};

static const gbl_param once_space[ONCE_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "wx", GBL_VALUES(widths), .fallback = 32},
    {.name = "deep", GBL_VALUES(depths), .fallback = 2},
    {.name = "columns", GBL_VALUES(columns), .fallback = 8},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 2},
    {.name = "helpers", GBL_VALUES(helpers), .fallback = 4},
};

typedef struct once_plan {
    sbmv_args args;
    int64_t blocks, groups;
    int32_t items, wx, rows, columns, finish;
} once_plan;

static void form(const gbl_matrix_call *call, gbl_band *band)
{
    *band = gbl_band_triangle(call);
    band->sides = GBL_BAND_BOTH;
    band->diagonal = call->conj ? GBL_BAND_REAL : GBL_BAND_STORED;
    band->conj = call->conj;
    gbl_band_cut(band);
}

static void work(const void *given, gbl_work *least)
{
    gbl_band_call_work(form, given, least);
}

/* ---- once: partial sums, and their sums ---- */

static int64_t parts(int64_t whole, int64_t size)
{
    return (whole + size - 1) / size;
}

/* Whether lanes of a team exchange registers: in the dialects that have local memory by launch. */
static bool exchanges(const gbl_device *device, const once_plan *plan)
{
    return device->props.max_dynamic_local_bytes > 0 && device->props.simd == plan->wx;
}

static void make_plan(const gbl_matrix_call *call, const gbl_params *params,
                      const gbl_device *device, once_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    sbmv_args *args = &plan->args;
    gbl_band band;
    int32_t deep = params->value[ONCE_DEEP];
    form(call, &band);
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[ONCE_ITEMS];
    plan->wx = params->value[ONCE_WX] < plan->items ? params->value[ONCE_WX] : plan->items;
    plan->columns = params->value[ONCE_COLUMNS] < plan->wx ? params->value[ONCE_COLUMNS] : plan->wx;
    args->n = call->n;
    args->k = band.kl + band.ku;
    while (deep > 1 && plan->wx * deep > args->k)
        deep /= 2;
    while (plan->columns > 1 && deep * plan->columns * elem > MOST_ITEM_BYTES)
        plan->columns /= 2;
    while (plan->columns > 1 && !exchanges(device, plan) &&
           plan->items * plan->columns * elem > gbl_scratch_bytes(&device->props))
        plan->columns /= 2;
    plan->rows = plan->wx * deep;
    plan->finish = FINISH_LANES * params->value[ONCE_HELPERS];
    plan->blocks = parts(call->n, plan->rows);
    args->lda = call->lda;
    args->incx = call->incx;
    args->incy = call->incy;
    args->pieces = parts(args->k + plan->rows, plan->columns);
    /* Few blocks are shared, down to one round of pieces for each team. */
    const int64_t wanted = parts(params->value[ONCE_GROUPS] * units, plan->blocks);
    const int64_t most = parts(args->pieces, plan->items / plan->wx);
    args->shares = wanted < most ? wanted : most;
    while (args->shares < most && gbl_band_small_rest(plan->blocks * args->shares, plan->items,
                                                      deep * plan->columns * elem, device))
        args->shares++;
    args->base = args->pieces / args->shares;
    args->extra = args->pieces % args->shares;
    plan->groups = plan->blocks * args->shares;
    args->alpha_re = call->alpha.re;
    args->alpha_im = call->alpha.im;
    args->beta_re = call->beta.re;
    args->beta_im = call->beta.im;
    args->alpha_on_device = call->alpha.device != NULL;
    args->beta_on_device = call->beta.device != NULL;
}

/* The kernel that leaves partial sums, and the one that adds them up. */
static void make_specs(const gbl_matrix_call *call, const once_plan *plan, gbl_kernel_spec *spec,
                       gbl_kernel_spec *finish)
{
    memset(spec, 0, sizeof *spec);
    spec->dtype = call->dtype;
    *finish = *spec;
    spec->file = "sbmv.cl";
    finish->file = "sbmv_finish.cl";
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "WX", plan->wx);
    gbl_kernel_add_macro(finish, "ITEMS", plan->finish);
    gbl_kernel_add_macro(finish, "WX", FINISH_LANES);
    gbl_kernel_spec *const both[] = {spec, finish};
    for (int i = 0; i < 2; i++) {
        gbl_kernel_add_macro(both[i], "ROWS", plan->rows);
        gbl_kernel_add_macro(both[i], "COLUMNS", plan->columns);
        gbl_kernel_add_macro(both[i], "UPPER", call->uplo == GABLE_UPPER);
    }
    gbl_kernel_add_macro(spec, "HERMITIAN", call->conj);
}

static int specs_once(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, gbl_kernel_spec *specs)
{
    once_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    make_specs(call, &plan, &specs[0], &specs[1]);
    return 2;
}

/* Both kernels, in groups that the device takes. */
static gable_status get_kernels(gable_context *ctx, const gbl_matrix_call *call,
                                const gbl_params *params, once_plan *plan, gbl_kernel **kernel,
                                gbl_kernel **finish)
{
    gbl_params narrower = *params;
    for (;;) {
        gbl_kernel_spec specs[2];
        make_plan(call, &narrower, ctx->device, plan);
        make_specs(call, plan, &specs[0], &specs[1]);
        TRY(gbl_kernel_get(ctx->device, &specs[0], kernel, &ctx->message));
        TRY(gbl_kernel_get(ctx->device, &specs[1], finish, &ctx->message));
        if (!gbl_kernel_takes(*kernel, plan->items))
            narrower.value[ONCE_ITEMS] = plan->items / 2;
        else if (!gbl_kernel_takes(*finish, plan->finish) && narrower.value[ONCE_HELPERS] > 1)
            narrower.value[ONCE_HELPERS] /= 2;
        else
            return GABLE_OK;
    }
}

static gable_status run_once(gable_context *ctx, const gbl_variant *self, const void *given,
                             const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    once_plan plan;
    gbl_kernel *kernel, *finish;
    gbl_band band;
    void *row_sums, *column_sums;
    (void)self;
    form(call, &band);
    TRY(get_kernels(ctx, call, params, &plan, &kernel, &finish));
    const size_t of_rows = (size_t)(plan.groups * plan.rows),
                 of_columns = (size_t)(plan.blocks * plan.args.pieces * plan.columns);
    TRY(gbl_arena_take(ctx->arena, ctx->device, of_rows * elem, &row_sums, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, of_columns * elem, &column_sums, &ctx->message));
    const char *A = (const char *)call->A + (size_t)band.before * elem;
    const void *alpha = call->alpha.device != NULL ? call->alpha.device : call->A;
    const void *beta = call->beta.device != NULL ? call->beta.device : call->A;
    void *x = gbl_first_element(call->x, call->n, call->incx, call->dtype);
    void *y = gbl_first_element(call->y, call->n, call->incy, call->dtype);
    gbl_launch_spec launch = {.groups = {plan.groups, 1},
                              .group = {plan.items, 1},
                              .buffer_count = 5,
                              .buffers = {alpha, A, x, row_sums, column_sums},
                              .args = &plan.args,
                              .args_bytes = sizeof plan.args};
    const bool none = call->alpha.device == NULL && call->alpha.re == 0 && call->alpha.im == 0;
    if (!none)
        TRY(gbl_launch(ctx, kernel, &launch));
    launch = (gbl_launch_spec){.groups = {parts(call->n, FINISH_LANES), 1},
                               .group = {plan.finish, 1},
                               .buffer_count = 5,
                               .buffers = {alpha, beta, row_sums, column_sums, y},
                               .args = &plan.args,
                               .args_bytes = sizeof plan.args};
    return gbl_launch(ctx, finish, &launch);
}

static bool fits_once(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    return device->table->build != NULL && device->props.is_gpu &&
           !gbl_band_flat_fits(self, call, device) &&
           (call->lda > GBL_BAND_MOST_LDA ||
            (call->kl >= FEWEST_DIAGONALS && call->n > FEWEST_DIAGONALS));
}

static void cost_once(const gbl_variant *self, const void *given, const gbl_params *params,
                      const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    once_plan plan;
    gbl_work least;
    (void)self;
    make_plan(call, params, device, &plan);
    work(call, &least);
    memset(out, 0, sizeof *out);
    const double sums = (double)plan.groups * plan.rows +
                        (double)plan.blocks * (double)plan.args.pieces * plan.columns;
    out->memory_bytes = least.bytes_read + least.bytes_written;
    out->cache_bytes = 2 * elem * sums; /* written, then read */
    out->flops = least.flops;
    out->launches = 2;
    out->steps = 4 * gbl_reduce_steps(device, plan.items);
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight = elem * plan.items * (plan.rows / plan.wx) * plan.columns;
}

static bool once_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    once_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return plan.items >= plan.wx && gbl_group_legal(device, plan.items,
                                                    (int64_t)(plan.rows / plan.wx) * plan.columns *
                                                        (int64_t)gbl_dtype_bytes(call->dtype));
}

static const gbl_band_routine routine = {.matrix = {.stem = "sbmv",
                                                    .work = work,
                                                    .omp = GBL_CPU_FOUR(sbmv_omp),
                                                    .blas = GBL_CPU_FOUR(sbmv_blas)},
                                         .form = form};

static const gbl_variant variants[] = {
    GBL_BAND_VARIANTS(&routine),
    GBL_VARIANT("once", .fits = fits_once, .run = run_once, .cost = cost_once, .space = once_space,
                .space_count = ONCE_PARAMS, .legal = once_legal, .detail = &routine,
                .kernels = "sbmv.cl sbmv_finish.cl", .specs = specs_once),
    GBL_SYMMETRIC_VARIANTS(&routine),
};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_ORDER,
    GBL_OPERAND_K,
    GBL_OPERAND_FACTOR("alpha", alpha),
    GBL_OPERAND_A(GBL_READ, MATRIX_AT(alpha), gbl_matrix_half, gbl_matrix_n, NULL, "k + 1"),
    GBL_OPERAND_LINE_X(GBL_READ, MATRIX_AT(alpha), gbl_matrix_n),
    GBL_OPERAND_FACTOR("beta", beta),
    GBL_OPERAND_LINE_Y(GBL_READ_WRITE, 0, gbl_matrix_n),
    GBL_OPERAND_CONJ,
    GBL_OPERAND_STORED(GBL_BAND),
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_band_plain(ctx, call, false, true) && gbl_uplo_legal(call->uplo);
}

const gbl_op gbl_sbmv_op = {GBL_MATRIX_OP("sbmv", operands, variants), .plain = plain,
                            .work = work};
