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
#include "blas/level3/turn_variants.h"
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

static void tiles_kernel(const gbl_matrix_call *call, const gbl_turn_plan *plan,
                         gbl_kernel_spec *spec)
{
    const bool here = in_place(call);
    gbl_turn_kernel(here ? "transpose_in_place.cl" : "transpose_t.cl", call->dtype, plan,
                    conjugated(call), spec);
    if (!here)
        gbl_kernel_add_macro(spec, "AHEAD", plan->groups < plan->tiles);
}

/* Where C is A it is given once. */
static int tiles_buffers(const gbl_matrix_call *call, const void **buffers)
{
    buffers[0] = call->A;
    buffers[1] = in_place(call) ? NULL : call->C;
    return in_place(call) ? 1 : 2;
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
    gbl_kernel_begin(spec, self->kernels, call->dtype);
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

static int stream_buffers(const gbl_matrix_call *call, const void **buffers)
{
    buffers[0] = call->A;
    buffers[1] = call->C;
    return 2;
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

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    const double elements = (double)call->m * (double)call->n;
    return call->trans == GABLE_NO_TRANS ? gbl_host_columns(call, 1)
                                         : gbl_host_turn(call, elements);
}

static const gbl_turn_routine routine = {
    .matrix = {.stem = "transpose", .work = work, .walk = walk, .omp = GBL_CPU_FOUR(transpose_omp)},
    .plan_tiles = plan_tiles,
    .tiles_kernel = tiles_kernel,
    .tiles_buffers = tiles_buffers,
    .plan_stream = plan_stream,
    .stream_buffers = stream_buffers,
};

#define LADDER_VARIANT(name_, file)                                                                \
    GBL_VARIANT(name_, .fits = fits_ladder, .run = run_ladder, .cost = gbl_matrix_cost,            \
                .space = ladder_space, .space_count = LADDER_PARAMS, .detail = &routine,           \
                .kernels = file, .specs = specs_ladder, .rung = true)

static const gbl_variant variants[] = {
    LADDER_VARIANT("naive", "transpose_naive.cl"),
    LADDER_VARIANT("coalesced", "transpose_local.cl"),
    LADDER_VARIANT("padded", "transpose_local.cl"),
    GBL_TURN_VARIANT("tiles", fits_turned, &routine, "transpose_t.cl"),
    GBL_TURN_VARIANT("in_place", fits_in_place, &routine, "transpose_in_place.cl"),
    GBL_STREAM_VARIANT(fits_stream, &routine, "transpose_n.cl"),
    GBL_MATRIX_OMP_VARIANT(&routine),
    GBL_VARIANT("vendor", .vendor = true, .fits = fits_vendor, .run = gbl_matrix_run_vendor,
                .cost = gbl_matrix_cost, .detail = &routine),
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
    GBL_VARIANTS(variants),
};
