/* trmv.c: x := op(A) x, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The triangle is read once. x is copied first, because every element of the result needs many of
 * the old ones; then a product like gemv's with whole blocks a group, over the rows or columns that
 * a block has in the triangle.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "blas/level1/stream_plan.h"
#include "blas/level2/triangle_variants.h"
#include "blas/level2/triangular.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "trmv_args.h"

_Static_assert(sizeof(trmv_args) == 9 * 8, "host and device must agree");

#define MOST_LOADS 16 /* in flight per work-item, where they are of single elements */

enum { TRMV_ITEMS, TRMV_WX, TRMV_VEC, TRMV_UNROLL, TRMV_BATCH, TRMV_BLOCKS };
static const int32_t items[] = {1, 32, 64, 128, 256, 512};
static const int32_t widths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t unrolls[] = {1, 2, 4, 8};
static const int32_t batches[] = {1, 2, 4, 8};
static const int32_t blocks_a_group[] = {1, 2, 4};

#define SPACE(space, items_, wx, unroll, batch)                                                    \
    const gbl_param space[GBL_TRMV_PARAMS] = {                                                     \
        {.name = "items", GBL_VALUES(items), .fallback = items_},                                  \
        {.name = "wx", GBL_VALUES(widths), .fallback = wx},                                        \
        {.name = "vec", GBL_VALUES(vectors), .fallback = 2},                                       \
        {.name = "unroll", GBL_VALUES(unrolls), .fallback = unroll},                               \
        {.name = "batch", GBL_VALUES(batches), .fallback = batch},                                 \
        {.name = "blocks", GBL_VALUES(blocks_a_group), .fallback = 1},                             \
    }
SPACE(gbl_trmv_space_n, 256, 8, 4, 1);
SPACE(gbl_trmv_space_t, 128, 32, 2, 2);

typedef struct trmv_plan {
    trmv_args args;
    int64_t groups;
    int64_t
        /* elements of the copy's memory before x, so that vectors of it are aligned too */
        x_before;
    gbl_column_loads loads;
    int32_t items, wx, batch, x_align;
} trmv_plan;

static void plan_loads(const gbl_matrix_call *call, const gbl_device *device, trmv_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    gbl_columns_align(call, &plan->loads);
    gbl_product_loads(call, device, plan->batch, MOST_LOADS, &plan->loads);
    plan->args.head = plan->loads.head;
    plan->args.vectors = plan->loads.vectors;
    plan->x_align =
        plan->loads.vec * elem < GBL_WIDEST_LOAD ? plan->loads.vec * elem : GBL_WIDEST_LOAD;
    plan->x_before = (plan->loads.vec - plan->args.head % plan->loads.vec) % plan->loads.vec;
}

static void make_plan(const gbl_matrix_call *given, const gbl_params *params,
                      const gbl_device *device, trmv_plan *plan)
{
    const gbl_matrix_call stored = gbl_stored_columns(given), *call = &stored;
    const bool t = gbl_triangular_transposed(call);
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[TRMV_ITEMS];
    plan->wx = params->value[TRMV_WX] < plan->items ? params->value[TRMV_WX] : plan->items;
    plan->loads.vec = params->value[TRMV_VEC];
    plan->loads.unroll = params->value[TRMV_UNROLL];
    plan->batch = t ? params->value[TRMV_BATCH] : 1;
    while (plan->wx > 1 && plan->wx / 2 * plan->loads.vec >= call->n)
        plan->wx /= 2; /* more lanes than rows would idle */
    while (t && !gbl_lanes_exchange(&device->props) && plan->batch > 1 && plan->wx > 1 &&
           plan->items * plan->batch * elem > gbl_scratch_bytes(&device->props))
        plan->batch /= 2;
    while (!t && plan->loads.vec > 1 && plan->wx < plan->items &&
           plan->items * plan->loads.vec * elem > gbl_scratch_bytes(&device->props))
        plan->loads.vec /= 2;
    plan_loads(call, device, plan);

    trmv_args *args = &plan->args;
    const int64_t wy = plan->items / plan->wx;
    args->n = call->n;
    args->lda = call->lda;
    args->incx = call->incx;
    args->upper = call->uplo == GABLE_UPPER;
    args->unit = call->diag == GABLE_UNIT;
    args->back = t == (args->upper != 0);
    const int64_t edges = call->n - args->vectors * plan->loads.vec;
    const int64_t pieces =
        plan->loads.spread ? gbl_parts(call->n, plan->loads.vec) : args->vectors + edges;
    args->blocks = t ? gbl_parts(call->n, wy * plan->batch) : gbl_parts(pieces, plan->wx);
    plan->groups = gbl_parts(args->blocks, params->value[TRMV_BLOCKS]);
}

static void make_spec(const gbl_matrix_call *call, const trmv_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, gbl_triangular_transposed(call) ? "trmv_t.cl" : "trmv_n.cl",
                     call->dtype);
    gbl_columns_macros(plan->items, plan->wx, &plan->loads, spec);
    gbl_storage_macro(call, spec);
    if (!gbl_triangular_transposed(call)) {
        gbl_kernel_add_macro(spec, "SPREAD", plan->loads.spread);
        return;
    }
    gbl_kernel_add_macro(spec, "BATCH", plan->batch);
    gbl_kernel_add_macro(spec, "CONJ",
                         call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype));
    gbl_kernel_add_macro(spec, "X_ALIGN", plan->x_align);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    trmv_plan *plan = planned;
    (void)self, (void)most_items;
    make_plan(given, params, device, plan);
    make_spec(given, plan, spec);
    return plan->items;
}

int gbl_trmv_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    trmv_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

gable_status gbl_trmv_run(gable_context *ctx, const gbl_variant *self, const void *given,
                          const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    trmv_plan plan;
    gbl_kernel *kernel;
    void *memory;
    TRY(gbl_plan_kernel(ctx, self, call, params, TRMV_ITEMS, plan_kernel, &plan, &kernel));
    const size_t bytes = (size_t)(plan.x_before + call->n) * elem;
    TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &memory, &ctx->message));
    char *const old = (char *)memory + (size_t)plan.x_before * elem;
    const gbl_vector_call copy = {
        .dtype = call->dtype, .n = call->n, .x = call->x, .incx = call->incx, .y = old, .incy = 1};
    TRY(gbl_copy(ctx, ((const gbl_matrix_routine *)self->detail)->stem, &copy));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = 3,
        .buffers = {call->A, old, gbl_first_element(call->x, call->n, call->incx, call->dtype)},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* The kernels look at no band. */
static bool fits(const gbl_matrix_call *call, const gbl_device *device)
{
    return device->table->build != NULL && call->storage != GBL_BAND;
}

bool gbl_trmv_fits_n(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return fits(call, device) && !gbl_triangular_transposed(call);
}

bool gbl_trmv_fits_t(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return fits(call, device) && gbl_triangular_transposed(call);
}

void gbl_trmv_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                   const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    trmv_plan plan;
    gbl_work least;
    make_plan(call, params, device, &plan);
    ((const gbl_matrix_routine *)self->detail)->work(call, &least);
    memset(out, 0, sizeof *out);
    out->memory_bytes = least.bytes_read + least.bytes_written;
    out->cache_bytes = elem * (double)call->n * (2 + (double)plan.args.blocks / 2);
    out->flops = least.flops;
    out->launches = 2;
    /* The tile on the diagonal comes behind, element by element. */
    out->steps = gbl_reduce_steps(device, plan.items) + GBL_LOCAL_STEPS +
                 3.0 * (gbl_triangular_transposed(call) ? 1 : plan.wx * plan.loads.vec);
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    /* The longest block has twice the bytes of the mean. */
    out->bytes_in_flight =
        (double)plan.items * plan.loads.unroll * plan.loads.vec * plan.batch * elem / 2;
}

static gbl_host_walk walk(const gbl_matrix_call *call)
{
    return gbl_host_triangle(call, call->trans == GABLE_NO_TRANS ? 2 : 1);
}

static const gbl_matrix_routine routine = {
    .stem = "trmv",
    .work = gbl_triangular_work,
    .walk = walk,
    .omp = GBL_CPU_FOUR(trmv_omp),
    .blas = GBL_CPU_FOUR(trmv_blas),
    .one_scalar = true,
};

bool gbl_trmv_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    trmv_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           (int64_t)plan.loads.unroll * plan.loads.vec * plan.batch *
                               (int64_t)gbl_dtype_bytes(call->dtype));
}

static const gbl_variant variants[] = {
    GBL_TRMV_VARIANTS(&routine),
    GBL_MATRIX_VARIANTS(&routine),
};

static const gbl_operand operands[] = {GBL_TRIANGULAR_FULL};

const gbl_op gbl_trmv_op = {GBL_MATRIX_OP("trmv", operands, variants),
                            .plain = gbl_triangular_plain, .work = gbl_triangular_work};
