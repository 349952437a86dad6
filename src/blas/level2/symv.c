/* symv.c: y := alpha A x + beta y, A symmetric or Hermitian
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The stored triangle is read once: every element beside the diagonal serves two rows of y. The
 * kernels work in two launches: symv.cl leaves partial sums, all groups with equal shares of the
 * triangle, and symv_finish.cl adds them up. `read_twice` is in symv_read_twice.c. Ragged blocks
 * stand where block rows are short: above a lower triangle, below an upper one.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "blas/level1/stream_plan.h"
#include "blas/level2/symv_read_twice.h"
#include "blas/level2/triangle_variants.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "symv_args.h"

_Static_assert(sizeof(symv_args) == 22 * 8, "host and device must agree");

#define MOST_LOADS   16 /* in flight per work-item of a GPU: more would not fit its registers */
#define FINISH_LANES 32 /* along y: what a cache line holds of the narrowest type */

enum {
    SYMV_ITEMS,
    SYMV_WX,
    SYMV_VEC,
    SYMV_DEEP,
    SYMV_COLUMNS,
    SYMV_GROUPS,
    SYMV_HELPERS,
    SYMV_LEAD
};
static const int32_t items[] = {1, 32, 64, 128, 256};
static const int32_t widths[] = {1, 8, 16, 32, 64};
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t depths[] = {1, 2, 4, 8};
static const int32_t columns[] = {1, 2, 4, 8, 16};
static const int32_t groups_a_unit[] = {1, 2, 3, 4, 6, 8};
static const int32_t helpers[] = {1, 2, 4, 8, 16, 32};
static const int32_t leads[] = {0, 4, 8, 16, 32, 64};

#define MOST_ROWS ((int64_t)1 << 19)
const gbl_param gbl_symv_space[GBL_SYMV_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "wx", GBL_VALUES(widths), .fallback = 32},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 4},
    {.name = "deep", GBL_VALUES(depths), .fallback = 2},
    {.name = "columns", GBL_VALUES(columns), .fallback = 4},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 2},
    {.name = "helpers", GBL_VALUES(helpers), .fallback = 8},
    {.name = "lead", GBL_VALUES(leads), .fallback = 8},
};

typedef struct symv_plan {
    symv_args args;
    gbl_column_loads loads;
    int32_t items, wx, deep, columns;
} symv_plan;

static bool upper(const gbl_matrix_call *call)
{
    return call->uplo == GABLE_UPPER;
}

/* Elements of local memory: for the sums of rows and, where lanes exchange no registers, of
 * columns. */
static int64_t row_scratch(const symv_plan *plan)
{
    const int64_t teams = plan->items / plan->wx;
    return teams > 1 ? teams * plan->wx * plan->loads.vec * plan->deep : 1;
}

static int64_t column_scratch(const symv_plan *plan)
{
    return (int64_t)plan->items * plan->columns;
}

/* The shape of a group. A team should be as many lanes as run together: others exchange sums in
 * local memory. */
static void plan_shape(const gbl_matrix_call *call, const gbl_params *params,
                       const gbl_device *device, symv_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    plan->items = params->value[SYMV_ITEMS];
    plan->wx = params->value[SYMV_WX] < plan->items ? params->value[SYMV_WX] : plan->items;
    plan->loads.vec = params->value[SYMV_VEC];
    plan->deep = params->value[SYMV_DEEP];
    plan->columns = params->value[SYMV_COLUMNS];
    while (device->props.is_gpu && plan->loads.vec > 1 && plan->loads.vec * elem > GBL_WIDEST_LOAD)
        plan->loads.vec /= 2;
    while (plan->deep > 1 && row_scratch(plan) * elem > gbl_scratch_bytes(&device->props))
        plan->deep /= 2;
    while (plan->loads.vec > 1 && row_scratch(plan) * elem > gbl_scratch_bytes(&device->props))
        plan->loads.vec /= 2;
    /* A piece is no wider than its block, and than a team that shares its columns. */
    while (plan->columns > plan->wx * plan->loads.vec * plan->deep ||
           (plan->wx > 1 && plan->columns > plan->wx))
        plan->columns /= 2;
    while (plan->columns > 1 && device->props.is_gpu && plan->deep * plan->columns > MOST_LOADS)
        plan->columns /= 2;
    while (plan->columns > 1 && column_scratch(plan) * elem > gbl_scratch_bytes(&device->props))
        plan->columns /= 2;
}

/* How columns are loaded; returns the place of the matrix in the grid, but for whole loads. */
static int64_t plan_loads(const gbl_matrix_call *call, const gbl_device *device, symv_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    gbl_columns_align(call, &plan->loads);
    if (device->props.is_gpu && plan->loads.vec > 1)
        gbl_columns_spread(call, &plan->loads);
    const int64_t step = plan->loads.align > elem ? plan->loads.align / elem : 1;
    return (step - plan->loads.head) % step;
}

/* The grid of blocks and its pieces. */
static void plan_grid(const gbl_matrix_call *call, int64_t shift, symv_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    const int64_t step = plan->loads.align > elem ? plan->loads.align / elem : 1;
    symv_args *args = &plan->args;
    args->rows = (int64_t)plan->wx * plan->loads.vec * plan->deep;
    args->columns = plan->columns;
    args->blocks = gbl_parts(shift + call->n, args->rows);
    args->tiles = args->rows / args->columns;
    const int64_t room = args->blocks * args->rows - shift - call->n;
    args->skip = upper(call) ? shift : shift + room / step * step;
    args->origin = args->skip / args->columns * args->columns;
    args->first = upper(call) ? gbl_parts(args->rows - room, args->columns)
                              : args->tiles - args->skip / args->columns;
    args->first += args->lead;
    args->pieces =
        args->first * args->blocks + args->tiles * (args->blocks * (args->blocks - 1) / 2);
}

static void make_plan(const gbl_matrix_call *given, const gbl_params *params,
                      const gbl_device *device, symv_plan *plan)
{
    const gbl_matrix_call stored = gbl_stored_columns(given), *call = &stored;
    symv_args *args = &plan->args;
    memset(plan, 0, sizeof *plan);
    plan_shape(call, params, device, plan);
    args->lead = params->value[SYMV_LEAD];
    plan_grid(call, plan_loads(call, device, plan), plan);
    const int64_t most = (int64_t)params->value[SYMV_GROUPS] * device->props.units;
    args->groups = args->pieces < most ? args->pieces : most;
    args->groups = args->groups > 0 ? args->groups : 1;
    args->base = args->pieces / args->groups;
    args->extra = args->pieces % args->groups;
    args->n = call->n;
    args->lda = call->lda;
    args->incx = call->incx;
    args->incy = call->incy;
    args->scalars = gbl_scalars(&call->alpha, &call->beta);
}

static void make_spec(const gbl_matrix_call *call, const symv_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "symv.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "WX", plan->wx);
    gbl_kernel_add_macro(spec, "UPPER", upper(call));
    gbl_kernel_add_macro(spec, "VEC", plan->loads.vec);
    gbl_kernel_add_macro(spec, "DEEP", plan->deep);
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "ALIGN", plan->loads.align);
    gbl_kernel_add_macro(spec, "SPREAD", plan->loads.spread);
    gbl_kernel_add_macro(spec, "HERMITIAN", call->conj);
    gbl_storage_macro(call, spec);
}

/* The kernel that leaves partial sums. */
static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    symv_plan *plan = planned;
    (void)self, (void)most_items;
    make_plan(given, params, device, plan);
    make_spec(given, plan, spec);
    return plan->items;
}

static void finish_spec(const gbl_matrix_call *call, int32_t group, int32_t lanes,
                        gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "symv_finish.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", group);
    gbl_kernel_add_macro(spec, "WX", lanes);
    gbl_kernel_add_macro(spec, "UPPER", upper(call));
}

/* The work-items of the kernel that adds sums up: on a GPU `helpers` of them share an element. */
static int32_t finish_group(const gbl_device *device, const gbl_params *params)
{
    return device->props.is_gpu ? FINISH_LANES * params->value[SYMV_HELPERS] : 1;
}

static int32_t finish_lanes_of(int32_t group)
{
    return group < FINISH_LANES ? group : FINISH_LANES;
}

static gable_status get_finish(gable_context *ctx, const gbl_matrix_call *call,
                               const gbl_params *params, int32_t *group, int32_t *lanes,
                               gbl_kernel **kernel)
{
    *group = finish_group(ctx->device, params);
    for (;; *group /= 2) {
        gbl_kernel_spec spec;
        *lanes = finish_lanes_of(*group);
        finish_spec(call, *group, *lanes, &spec);
        TRY(gbl_kernel_get(ctx->device, &spec, kernel, &ctx->message));
        if (gbl_kernel_takes(*kernel, *group))
            return GABLE_OK;
    }
}

int gbl_symv_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    const int32_t group = finish_group(device, params);
    symv_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, &specs[0]);
    finish_spec(call, group, finish_lanes_of(group), &specs[1]);
    return 2;
}

gable_status gbl_symv_run(gable_context *ctx, const gbl_variant *self, const void *given,
                          const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    symv_plan plan;
    gbl_kernel *kernel, *finish;
    void *row_sums, *column_sums;
    int32_t finish_items, finish_lanes;
    TRY(gbl_plan_kernel(ctx, self, call, params, SYMV_ITEMS, plan_kernel, &plan, &kernel));
    TRY(get_finish(ctx, call, params, &finish_items, &finish_lanes, &finish));
    const symv_args *args = &plan.args;
    const size_t rows = (size_t)((args->groups + args->blocks) * args->rows);
    TRY(gbl_arena_take(ctx->arena, ctx->device, rows * elem, &row_sums, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)(args->pieces * args->columns) * elem,
                       &column_sums, &ctx->message));
    void *x = gbl_first_element(call->x, call->n, call->incx, call->dtype);
    void *y = gbl_first_element(call->y, call->n, call->incy, call->dtype);
    const void *alpha = gbl_scalar_buffer(&call->alpha, call->A);
    const void *beta = gbl_scalar_buffer(&call->beta, call->A);
    gbl_launch_spec launch = {.groups = {args->groups, 1},
                              .group = {plan.items, 1},
                              .buffer_count = 5,
                              .buffers = {alpha, call->A, x, row_sums, column_sums},
                              .args = args,
                              .args_bytes = sizeof *args};
    const bool none = call->alpha.device == NULL && call->alpha.re == 0 && call->alpha.im == 0;
    if (!none)
        TRY(gbl_launch(ctx, kernel, &launch));
    const int64_t pieces = gbl_parts(call->n, finish_lanes),
                  few = 4 * (int64_t)ctx->device->props.units;
    launch =
        (gbl_launch_spec){.groups = {ctx->device->props.is_gpu || pieces < few ? pieces : few, 1},
                          .group = {finish_items, 1},
                          .buffer_count = 5,
                          .buffers = {alpha, beta, row_sums, column_sums, y},
                          .args = args,
                          .args_bytes = sizeof *args};
    return gbl_launch(ctx, finish, &launch);
}

/* Kernels count pieces in 32 bits: matrices of a terabyte and more are too large. They look at no
 * band. */
bool gbl_symv_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    (void)self;
    return device->table->build != NULL && call->storage != GBL_BAND && call->n <= MOST_ROWS;
}

void gbl_symv_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                   const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    symv_plan plan;
    gbl_work least;
    make_plan(call, params, device, &plan);
    ((const gbl_matrix_routine *)self->detail)->work(call, &least);
    memset(out, 0, sizeof *out);
    const symv_args *args = &plan.args;
    const double sums = (double)(args->groups + args->blocks) * (double)args->rows +
                        (double)args->pieces * (double)args->columns;
    out->memory_bytes = least.bytes_read + least.bytes_written;
    out->cache_bytes = 2 * elem * sums; /* written, then read */
    out->flops = least.flops;
    out->launches = 2;
    /* Sums of rows and of columns, in both launches. */
    out->steps = 4 * gbl_reduce_steps(device, plan.items);
    out->groups = (double)args->groups;
    out->group_items = plan.items;
    out->bytes_in_flight = elem * plan.items * plan.loads.vec * plan.deep * plan.columns;
}

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    return gbl_host_triangle(call, 2);
}

static const gbl_matrix_routine routine = {
    .stem = "symv",
    .work = gbl_symmetric_work,
    .walk = walk,
    .omp = GBL_CPU_FOUR(symv_omp),
    .blas = GBL_CPU_FOUR(symv_blas),
};

bool gbl_symv_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    symv_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan) ^ (uint64_t)params->value[SYMV_HELPERS];
    return gbl_group_legal(device, plan.items,
                           (int64_t)plan.loads.vec * plan.deep * plan.columns *
                               (int64_t)gbl_dtype_bytes(call->dtype));
}

static const gbl_variant variants[] = {
    GBL_SYMV_VARIANT(&routine),
    GBL_VARIANT("read_twice", .fits = gbl_symv_read_twice_fits, .run = gbl_symv_read_twice_run,
                .cost = gbl_symv_read_twice_cost, .space = gbl_symv_read_twice_space,
                .space_count = GBL_SYMV_READ_TWICE_PARAMS, .legal = gbl_symv_read_twice_legal,
                .detail = &routine, .kernels = "symv_read_twice.cl",
                .specs = gbl_symv_read_twice_specs),
    GBL_VARIANT("blas", .fits = gbl_symmetric_fits_blas, .run = gbl_matrix_run_blas,
                .cost = gbl_matrix_cost, .detail = &routine),
    GBL_MATRIX_OMP_VARIANT(&routine),
    GBL_MATRIX_VENDOR_VARIANT(&routine),
};

static const gbl_operand operands[] = {
    GBL_OPERAND_UPLO,
    GBL_OPERAND_ORDER,
    GBL_OPERAND_FACTOR("alpha", alpha),
    GBL_OPERAND_A(GBL_READ, MATRIX_AT(alpha), gbl_matrix_n, gbl_matrix_n, gbl_matrix_triangle, "n"),
    GBL_OPERAND_LINE_X(GBL_READ, MATRIX_AT(alpha), gbl_matrix_n),
    GBL_OPERAND_FACTOR("beta", beta),
    GBL_OPERAND_LINE_Y(GBL_READ_WRITE, 0, gbl_matrix_n),
    GBL_OPERAND_CONJ,
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, call->m, true) && gbl_uplo_legal(call->uplo);
}

const gbl_op gbl_symv_op = {GBL_MATRIX_OP("symv", operands, variants), .plain = plain,
                            .work = gbl_symmetric_work};
