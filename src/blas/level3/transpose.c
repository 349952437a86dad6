/* transpose.c: C := op(A), also where C is A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The variants with kernels are a ladder: `naive` writes a column apart, `coalesced` goes through
 * local memory, `padded` does so without conflicts of its banks, and `tiles` moves 16 bytes per
 * access with many of them in flight: it is the one to use. `in_place` and `stream` are for what
 * the others do not do: a square matrix turned where it stands, and a copy that turns nothing.
 *
 * In a call m and n are the shape of A; C is written, and B is not used.
 */
#include <string.h>
#include "blas/level2/level2.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "blas/level3/turn_plan.h"
#include "core/kernel.h"
#include "core/key.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

#define LADDER_TILE 32
#define LADDER_MOST (INT64_C(1) << 30) /* groups, which are numbered in 32 bits */

enum { LADDER_ITEMS, LADDER_PARAMS };
static const int32_t ladder_items[] = {1, 32, 64, 128, 256, 512};
static const gbl_param ladder_space[LADDER_PARAMS] = {
    {.name = "items", GBL_VALUES(ladder_items), .fallback = 256}};

static bool turned(const gbl_matrix_call *call)
{
    return call->trans != GABLE_NO_TRANS;
}

static bool in_place(const gbl_matrix_call *call)
{
    return call->A == call->C;
}

static bool conjugated(const gbl_matrix_call *call)
{
    return call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype);
}

/* ---- tiles ---- */

static void plan_tiles(const gbl_matrix_call *call, const gbl_params *params,
                       const gbl_device *device, gbl_turn_plan *plan)
{
    const gbl_turn_matrix none = {NULL, 0}, A = {call->A, call->lda}, C = {call->C, call->ldc};
    if (in_place(call))
        gbl_turn_make_in_place(call->dtype, call->n, A, params, device, plan);
    else
        gbl_turn_make(call->dtype, call->n, call->m, A, none, C, none, params, device, true, plan);
}

static int32_t tiles_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                            const gbl_device *device, int32_t most_items, void *planned,
                            gbl_kernel_spec *spec)
{
    const gbl_matrix_call *call = given;
    const bool here = in_place(call);
    gbl_turn_plan *plan = planned;
    (void)self, (void)most_items;
    plan_tiles(call, params, device, plan);
    gbl_turn_kernel(here ? "transpose_in_place.cl" : "transpose_t.cl", call->dtype, plan,
                    conjugated(call), spec);
    if (!here)
        gbl_kernel_add_macro(spec, "AHEAD", plan->groups < plan->tiles);
    return plan->items;
}

static int specs_tiles(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_turn_plan plan;
    tiles_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gable_status run_tiles(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const bool here = in_place(call);
    gbl_turn_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, TURN_ITEMS, tiles_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = here ? 1 : 2,
        .buffers = {call->A, here ? NULL : call->C},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- the ladder ---- */

/* An element, or a tile without vectors. The only thing to plan is how many work-items a group
 * has. */
static int32_t ladder_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                             const gbl_device *device, int32_t most_items, void *items,
                             gbl_kernel_spec *spec)
{
    const gbl_matrix_call *call = given;
    (void)device, (void)most_items;
    memset(spec, 0, sizeof *spec);
    spec->file = self->kernels;
    spec->dtype = call->dtype;
    gbl_kernel_add_macro(spec, "ITEMS", params->value[LADDER_ITEMS]);
    if (strcmp(self->name, "naive") != 0) {
        gbl_kernel_add_macro(spec, "TILE", LADDER_TILE);
        gbl_kernel_add_macro(spec, "PAD", strcmp(self->name, "padded") == 0);
    }
    gbl_kernel_add_macro(spec, "CONJ_X", conjugated(call));
    return *(int32_t *)items = params->value[LADDER_ITEMS];
}

static int specs_ladder(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs)
{
    int32_t plan;
    ladder_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

/* C's rows are A's columns. */
static gable_status run_ladder(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    gbl_kernel *kernel;
    const bool local = strcmp(self->name, "naive") != 0;
    turn_args args = {.m = call->n, .n = call->m, .ldx = call->lda, .ldc = call->ldc};
    int32_t items;
    TRY(gbl_plan_kernel(ctx, self, call, params, LADDER_ITEMS, ladder_kernel, &items, &kernel));
    const int64_t rows = local || items > 32 ? 32 : items, columns = local ? 32 : items / rows;
    args.across = (args.m + columns - 1) / columns;
    args.down = (args.n + rows - 1) / rows;
    gbl_launch_spec launch = {
        .groups = {args.across * args.down, 1},
        .group = {items, 1},
        .buffer_count = 2,
        .buffers = {call->A, call->C},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- a copy ---- */

static void plan_stream(const gbl_matrix_call *call, const gbl_params *params,
                        const gbl_device *device, gbl_plane_plan *plan)
{
    gbl_plane_make(call->dtype, call->m, call->n, (gbl_turn_matrix){call->A, call->lda},
                   (gbl_turn_matrix){NULL, 0}, (gbl_turn_matrix){call->C, call->ldc}, params,
                   device, plan);
}

static int32_t stream_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                             const gbl_device *device, int32_t most_items, void *planned,
                             gbl_kernel_spec *spec)
{
    const gbl_matrix_call *call = given;
    gbl_plane_plan *plan = planned;
    (void)self, (void)most_items;
    plan_stream(call, params, device, plan);
    gbl_plane_kernel("transpose_n.cl", call->dtype, plan, spec);
    return plan->items;
}

static int specs_stream(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_plane_plan plan;
    stream_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gable_status run_stream(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    gbl_plane_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, PLANE_ITEMS, stream_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = 2,
        .buffers = {call->A, call->C},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- the table ---- */

static bool fits_turned(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    (void)self;
    return device->table->build != NULL && turned(call) && !in_place(call) &&
           gbl_turn_fits(call->m, call->n);
}
static bool fits_ladder(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    return fits_turned(self, given, device) && call->m <= LADDER_MOST / (call->n + 32);
}
static bool fits_in_place(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    (void)self;
    return device->table->build != NULL && turned(call) && in_place(call) &&
           gbl_turn_fits(call->m, call->n);
}
static bool fits_stream(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    (void)self;
    return device->table->build != NULL && !turned(call) && gbl_turn_fits(call->m, call->n);
}
/* geam, which is not told that its operands are one. */
static bool fits_vendor(const gbl_variant *self, const void *given, const gbl_device *device)
{
    return !in_place(given) && gbl_matrix_fits_vendor(self, given, device);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_matrix_call *call = given;
    const double bytes = (double)gbl_dtype_bytes(call->dtype) * (double)call->m * (double)call->n;
    *least = (gbl_work){.bytes_read = bytes, .bytes_written = bytes};
}

static void cost_tiles(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    gbl_turn_plan plan;
    gbl_work least;
    (void)self;
    work(call, &least);
    plan_tiles(call, params, device, &plan);
    gbl_turn_cost(&plan, call->dtype, &least, out);
}

static void cost_stream(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    gbl_plane_plan plan;
    gbl_work least;
    (void)self;
    work(call, &least);
    plan_stream(call, params, device, &plan);
    gbl_plane_cost(&plan, call->dtype, &least, out);
}

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    const double elements = (double)call->m * (double)call->n;
    return call->trans == GABLE_NO_TRANS ? gbl_host_columns(call, 1)
                                         : gbl_host_turn(call, elements);
}

static const gbl_matrix_routine routine = {
    .stem = "transpose",
    .work = work,
    .walk = walk,
    .omp = {gbl_cpu_stranspose_omp, gbl_cpu_dtranspose_omp, gbl_cpu_ctranspose_omp,
            gbl_cpu_ztranspose_omp},
};

static bool stream_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    gbl_plane_plan plan;
    (void)self;
    plan_stream(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           plan.unroll * plan.vec * (int64_t)gbl_dtype_bytes(call->dtype));
}

static bool tiles_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, uint64_t *hash)
{
    gbl_turn_plan plan;
    (void)self;
    plan_tiles(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items, 0); /* tiles are narrowed to what registers hold */
}

static const gbl_variant variants[] = {
    {.name = "naive",
     .deterministic = true,
     .fits = fits_ladder,
     .run = run_ladder,
     .cost = gbl_matrix_cost,
     .space = ladder_space,
     .space_count = LADDER_PARAMS,
     .detail = &routine,
     .kernels = "transpose_naive.cl",
     .specs = specs_ladder,
     .rung = true},
    {.name = "coalesced",
     .deterministic = true,
     .fits = fits_ladder,
     .run = run_ladder,
     .cost = gbl_matrix_cost,
     .space = ladder_space,
     .space_count = LADDER_PARAMS,
     .detail = &routine,
     .kernels = "transpose_local.cl",
     .specs = specs_ladder,
     .rung = true},
    {.name = "padded",
     .deterministic = true,
     .fits = fits_ladder,
     .run = run_ladder,
     .cost = gbl_matrix_cost,
     .space = ladder_space,
     .space_count = LADDER_PARAMS,
     .detail = &routine,
     .kernels = "transpose_local.cl",
     .specs = specs_ladder,
     .rung = true},
    {.name = "tiles",
     .deterministic = true,
     .fits = fits_turned,
     .run = run_tiles,
     .cost = cost_tiles,
     .space = gbl_turn_space,
     .space_count = TURN_PARAMS,
     .legal = tiles_legal,
     .detail = &routine,
     .kernels = "transpose_t.cl",
     .specs = specs_tiles},
    {.name = "in_place",
     .deterministic = true,
     .fits = fits_in_place,
     .run = run_tiles,
     .cost = cost_tiles,
     .space = gbl_turn_space,
     .space_count = TURN_PARAMS,
     .legal = tiles_legal,
     .detail = &routine,
     .kernels = "transpose_in_place.cl",
     .specs = specs_tiles},
    {.name = "stream",
     .deterministic = true,
     .fits = fits_stream,
     .run = run_stream,
     .cost = cost_stream,
     .space = gbl_plane_space,
     .space_count = PLANE_PARAMS,
     .legal = stream_legal,
     .detail = &routine,
     .kernels = "transpose_n.cl",
     .specs = specs_stream},
    GBL_MATRIX_OMP_VARIANT(&routine),
    {.name = "vendor",
     .deterministic = true,
     .vendor = true,
     .fits = fits_vendor,
     .run = gbl_matrix_run_vendor,
     .cost = gbl_matrix_cost,
     .detail = &routine},
};

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    if (call->m == 0 || call->n == 0 || !in_place(call))
        return GABLE_OK;
    CHECK_ARG(ctx, call->lda == call->ldc, 8, "ldb",
              "is %lld; where B is A it must be lda, which is %lld", (long long)call->ldc,
              (long long)call->lda);
    CHECK_ARG(ctx, !turned(call) || call->m == call->n, 7, "B",
              "is A; only a square matrix can be transposed in place, and A is %lld by %lld",
              (long long)call->m, (long long)call->n);
    return GABLE_OK;
}

/* A copy of a matrix to itself. */
static bool idle(const void *call)
{
    return in_place(call) && !turned(call);
}

static const gbl_operand operands[] = {
    GBL_OPERAND_TRANS,
    GBL_OPERAND_ROWS,
    GBL_OPERAND_COLUMNS,
    GBL_OPERAND_A(GBL_READ, 0, gbl_matrix_m, gbl_matrix_n, NULL, "m"),
    {.name = "B",
     .kind = GBL_MATRIX,
     .access = GBL_WRITE,
     .at = MATRIX_AT(C),
     .step = MATRIX_AT(ldc),
     .rows = gbl_matrix_outer,
     .columns = gbl_matrix_inner,
     .in_place = true},
    {.name = "ldb", .kind = GBL_LD, .at = MATRIX_AT(ldc), .least = "rows of B"},
    {.kind = GBL_SAME, .at = MATRIX_AT(C), .step = MATRIX_AT(A), .key = GBL_KEY_IN_PLACE},
};

const gbl_op gbl_transpose_op = {
    .stem = "transpose",
    .layout = &gbl_turned_layout,
    GBL_OPERANDS(operands),
    .idle = idle,
    .rules = rules,
    .elementwise = true,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_transpose(gable_context *ctx, const char *name, const gbl_matrix_call *call)
{
    return gbl_call_run(ctx, name, &gbl_transpose_op, call);
}
