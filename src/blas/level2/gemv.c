/* gemv.c: y := alpha op(A) x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A is read once. All kernel variants run gemv_n or gemv_t, in which every group gets the same
 * number of bytes and blocks that were cut are added in fixed order by the last to arrive; the
 * variants differ in their shape of a group: `split` for matrices that are long both ways, `spread`
 * for those whose columns start differently, `tall` for few columns, `wide` for few rows.
 * The variants `blocks_n` and `blocks_t` of gemv_blocks.c come first: they are there to compare
 * with.
 */
#include <string.h>
#include "blas/level2/gemv_blocks_variants.h"
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "blas/level1/stream_plan.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "gemv_args.h"

_Static_assert(sizeof(gemv_args) == 19 * 8, "host and device must agree");

#define FEW             64 /* rows or columns of matrices that are wide or tall */
#define MOST_CHUNKS     (1 << 30)
#define MOST_LOADS      32 /* in flight per work-item, where they are of single elements */
#define MOST_ITEMS      512
#define LINE            128 /* bytes of a cache line ... */
#define SECTOR          32  /* ... and of a part of it that is fetched by itself */
#define MOST_IDLE       16  /* one in so many groups may be left out to make shares equal */
#define LITTLE_BYTES    (64 << 10)
#define LOOK_ROWS       683 /* below so many (size class 9) the kernel looks how x stands ... */
#define LOOK_THIN_BYTES (2 << 20) /* ... and for thin matrices of so much at most */
#define SMALL_LANES     32        /* along the rows, where there is little work */
#define LONG            256       /* rows or columns of matrices that are tall or wide, at least */
#define FEW_WAVES                                                                                  \
    4 /* up to so many blocks per unit it matters that they do not divide among units */

enum {
    GEMV_ITEMS,
    GEMV_WX,
    GEMV_VEC,
    GEMV_UNROLL,
    GEMV_BATCH,
    GEMV_GROUPS,
    GEMV_SPLIT,
    GEMV_PARAMS
};
static const int32_t items[] = {1, 32, 64, 128, 256, 512};
static const int32_t widths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t unrolls[] = {1, 2, 4, 8};
static const int32_t batches[] = {1, 2, 4, 8};
static const int32_t groups_a_unit[] = {1, 2, 3, 4, 5, 6, 8, 12, 16};
static const int32_t splits[] = {0, 1};

#define SPACE(space, items_, wx, unroll, batch, split)                                             \
    static const gbl_param space[GEMV_PARAMS] = {                                                  \
        {.name = "items", GBL_VALUES(items), .fallback = items_},                                  \
        {.name = "wx", GBL_VALUES(widths), .fallback = wx},                                        \
        {.name = "vec", GBL_VALUES(vectors), .fallback = 2},                                       \
        {.name = "unroll", GBL_VALUES(unrolls), .fallback = unroll},                               \
        {.name = "batch", GBL_VALUES(batches), .fallback = batch},                                 \
        {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 4},                              \
        {.name = "split", GBL_VALUES(splits), .fallback = split},                                  \
    }
SPACE(split_n_space, 256, 8, 4, 1, 0);
SPACE(split_t_space, 128, 64, 2, 2, 0);
SPACE(spread_n_space, 512, 16, 8, 1, 0);
SPACE(tall_n_space, 256, 64, 8, 1, 1);
SPACE(tall_t_space, 256, 128, 2, 4, 1);
SPACE(wide_n_space, 256, 8, 8, 1, 1);
SPACE(wide_t_space, 128, 8, 1, 8, 1);

typedef struct gemv_plan {
    gemv_args args;
    int64_t groups, owners, sums;
    gbl_column_loads loads;
    int32_t items, wx, batch, x_align;
} gemv_plan;

static bool transposed(const gbl_matrix_call *call)
{
    return call->trans != GABLE_NO_TRANS;
}

static void plan_loads(const gbl_matrix_call *call, const gbl_device *device, gemv_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    gbl_columns_align(call, &plan->loads);
    /* Rows that two loads at once would leave over are single ones, and groups would wait for
     * them. */
    while (device->props.is_gpu && !transposed(call) && plan->loads.vec * elem > GBL_WIDEST_LOAD &&
           (call->m - plan->loads.head) % plan->loads.vec != 0)
        plan->loads.vec /= 2; /* and there are twice as many blocks, with as much in flight */
    gbl_product_loads(call, device, plan->batch, MOST_LOADS, &plan->loads);
    plan->args.head = plan->loads.head;
    plan->args.vectors = plan->loads.vectors;
}

/* The kernel is compiled for vectors of x as wide as those of A, and to look whether x has them:
 * for each way that x can stand another one would be compiled. For large matrices it is compiled
 * for one way: to look takes up to 12 registers more, and where that leaves fewer groups on a
 * multiprocessor, up to 17 % more time (H200, 2026-11, d, n = 4500). CPUs load vectors from any
 * address. */
static void plan_x(const gbl_matrix_call *call, const gbl_device *device, gemv_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), wide = plan->loads.vec * elem;
    const uintptr_t x = (uintptr_t)call->x + (uintptr_t)plan->args.head * (uintptr_t)elem;
    plan->x_align = (int32_t)gbl_dtype_real_bytes(call->dtype);
    if (device->props.is_gpu)
        plan->x_align = wide < GBL_WIDEST_LOAD ? wide : GBL_WIDEST_LOAD;
    plan->args.x_whole = call->incx == 1 && x % (uintptr_t)plan->x_align == 0;
}

/* Where a few units would get one block more than the rest, all would wait for them: half as many
 * blocks, each for twice the rows. */
static void plan_waves(int64_t pieces, int64_t units, int32_t most_items, gemv_plan *plan)
{
    for (;;) {
        const int64_t blocks = gbl_some_parts(pieces, plan->wx), late = blocks % units;
        if (blocks <= units || blocks >= FEW_WAVES * units || late == 0 || 3 * late >= units)
            return;
        if (2 * plan->items <= most_items)
            plan->items *= 2;
        else if (plan->wx >= plan->items / 2)
            return;
        plan->wx *= 2;
    }
}

/* Shares of blocks that are cut: a group with the end of one block and the start of the next hands
 * over twice, and all wait for it. So where groups divide among the blocks with few left, each gets
 * a part of one block, of whole grains. */
static void plan_shares(int64_t inner, int64_t grain, int64_t groups, gemv_args *args)
{
    const int64_t a_block = groups / args->split.blocks; /* groups */
    if (a_block < 1 || args->split.chunks <= a_block)
        return;
    const int64_t chunk = gbl_some_parts(gbl_some_parts(inner, a_block), grain) * grain;
    const int64_t chunks = gbl_some_parts(inner, chunk);
    if (MOST_IDLE * (groups - args->split.blocks * chunks) > groups)
        return;
    args->chunk = chunk;
    args->split.chunks = chunks;
}

static bool is_thin(int64_t side, int64_t length)
{
    return side <= FEW && length >= 16 * side && length >= LONG;
}

/* A launch takes longer than to read so much. */
static bool little_work(const gbl_matrix_call *call, const gbl_device *device)
{
    return device->props.is_gpu && call->m <= LITTLE_BYTES && call->n <= LITTLE_BYTES &&
           call->m * call->n * (int64_t)gbl_dtype_bytes(call->dtype) <= LITTLE_BYTES;
}

static void make_plan(const gbl_matrix_call *call, const gbl_params *params,
                      const gbl_device *device, int32_t most_items, gemv_plan *plan)
{
    const bool t = transposed(call);
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[GEMV_ITEMS];
    plan->wx = params->value[GEMV_WX] < plan->items ? params->value[GEMV_WX] : plan->items;
    plan->loads.vec = params->value[GEMV_VEC];
    plan->loads.unroll = params->value[GEMV_UNROLL];
    plan->batch = t ? params->value[GEMV_BATCH] : 1;
    /* More lanes than rows would idle; but of little work, where they do no harm, not each shape is
     * a kernel. */
    const int32_t least_lanes = little_work(call, device) ? SMALL_LANES : 1;
    while (plan->wx > least_lanes && plan->wx / 2 * plan->loads.vec >= call->m)
        plan->wx /= 2;
    while (!t && is_thin(call->n, call->m) && plan->wx < plan->items &&
           plan->items / plan->wx * plan->loads.unroll > call->n)
        plan->wx *= 2; /* and more lanes along the columns than there are loads for */
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    while (t && !gbl_lanes_exchange(&device->props) && plan->batch > 1 && plan->wx > 1 &&
           plan->items * plan->batch * elem > gbl_scratch_bytes(&device->props))
        plan->batch /= 2;
    while (!t && plan->loads.vec > 1 && plan->wx < plan->items &&
           plan->items * plan->loads.vec * elem > gbl_scratch_bytes(&device->props))
        plan->loads.vec /= 2;
    plan_loads(call, device, plan);
    plan_x(call, device, plan);

    gemv_args *args = &plan->args;
    /* Blocks can be shared only where groups can hand over. */
    const bool split = params->value[GEMV_SPLIT] && device->props.fence_device;
    const int64_t edges = call->m - args->vectors * plan->loads.vec;
    const int64_t pieces =
        plan->loads.spread ? gbl_some_parts(call->m, plan->loads.vec) : args->vectors + edges;
    if (!t && !split && device->props.is_gpu)
        plan_waves(pieces, device->props.units, most_items, plan);
    const int64_t wy = plan->items / plan->wx;
    args->m = call->m;
    args->n = call->n;
    args->lda = call->lda;
    args->incx = call->incx;
    args->incy = call->incy;
    plan->owners = t ? wy : plan->wx;
    plan->sums = t ? plan->batch : plan->loads.vec;
    const int64_t outputs = t ? call->n : pieces;
    const int64_t inner = t ? args->vectors : call->n;
    args->chunk = (t ? plan->wx : wy) * plan->loads.unroll;
    args->split.blocks = gbl_some_parts(outputs, t ? wy * plan->batch : plan->wx);
    args->split.chunks = gbl_some_parts(inner, args->chunk);
    while (args->split.blocks > MOST_CHUNKS / args->split.chunks && args->split.chunks > 1) {
        args->chunk *= 2;
        args->split.chunks = gbl_some_parts(inner, args->chunk);
    }
    if (!split) {
        args->chunk = inner > 0 ? inner : 1;
        args->split.chunks = 1;
    }
    const int64_t most =
        split ? (int64_t)params->value[GEMV_GROUPS] * device->props.units : MOST_CHUNKS;
    if (split)
        plan_shares(inner, t ? plan->wx : wy, most, args);
    const int64_t chunks = args->split.blocks * args->split.chunks;
    plan->groups = chunks < most ? chunks : most;
    args->split.base = chunks / plan->groups;
    args->split.extra = chunks % plan->groups;
    args->scalars = gbl_scalars(&call->alpha, &call->beta);
}

static int32_t x_form(const gbl_matrix_call *call, const gemv_plan *plan)
{
    const double bytes = (double)call->m * (double)call->n * (double)gbl_dtype_bytes(call->dtype);
    const bool small = is_thin(call->n, call->m) ? bytes <= LOOK_THIN_BYTES : call->m < LOOK_ROWS;
    if (plan->loads.vec > 1 && small)
        return 0;
    return plan->args.x_whole ? 1 : 2;
}

static void make_spec(const gbl_matrix_call *call, const gemv_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, transposed(call) ? "gemv_t.cl" : "gemv_n.cl", call->dtype);
    gbl_columns_macros(plan->items, plan->wx, &plan->loads, spec);
    if (!transposed(call)) {
        gbl_kernel_add_macro(spec, "SPREAD", plan->loads.spread);
        return;
    }
    gbl_kernel_add_macro(spec, "BATCH", plan->batch);
    gbl_kernel_add_macro(spec, "CONJ",
                         call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype));
    gbl_kernel_add_macro(spec, "X_ALIGN", plan->x_align);
    gbl_kernel_add_macro(spec, "X_FORM", x_form(call, plan));
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    gemv_plan *plan = planned;
    (void)self;
    make_plan(given, params, device, most_items < MOST_ITEMS ? most_items : MOST_ITEMS, plan);
    make_spec(given, plan, spec);
    return plan->items;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    gemv_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const bool t = transposed(call);
    gemv_plan plan;
    gbl_kernel *kernel;
    void *partials, *counters;
    TRY(gbl_plan_kernel(ctx, self, call, params, GEMV_ITEMS, plan_kernel, &plan, &kernel));
    const int64_t cut =
        plan.args.split.chunks > 1 ? plan.groups : 1; /* groups that may share a block */
    const size_t places = (size_t)(2 * cut * plan.owners * plan.sums);
    TRY(gbl_arena_take(ctx->arena, ctx->device, places * gbl_dtype_bytes(call->dtype), &partials,
                       &ctx->message));
    TRY(gbl_arena_counters(ctx->arena, ctx->queue, (int)cut, &counters, &ctx->message));
    void *A = call->A;
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = 7,
        .buffers = {gbl_scalar_buffer(&call->alpha, A), gbl_scalar_buffer(&call->beta, A), A,
                    gbl_first_element(call->x, t ? call->m : call->n, call->incx, call->dtype),
                    gbl_first_element(call->y, t ? call->n : call->m, call->incy, call->dtype),
                    partials, counters},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static bool fits_n(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return device->table->build != NULL && !transposed((const gbl_matrix_call *)call);
}
static bool fits_t(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return device->table->build != NULL && transposed((const gbl_matrix_call *)call);
}
/* Columns that start differently on a GPU: blocks must be narrower there, for single elements keep
 * less in flight. */
static bool fits_spread_n(const gbl_variant *self, const void *call, const gbl_device *device)
{
    const gbl_matrix_call *c = call;
    const int32_t elem = (int32_t)gbl_dtype_bytes(c->dtype);
    int64_t head;
    return fits_n(self, call, device) && device->props.is_gpu && elem < GBL_WIDEST_LOAD &&
           gbl_column_alignment(GBL_WIDEST_LOAD, c->A, c->lda, c->n, c->dtype, &head) <
               GBL_WIDEST_LOAD;
}
static bool fits_tall_n(const gbl_variant *self, const void *call, const gbl_device *device)
{
    const gbl_matrix_call *c = call;
    return fits_n(self, call, device) && is_thin(c->n, c->m);
}
static bool fits_tall_t(const gbl_variant *self, const void *call, const gbl_device *device)
{
    const gbl_matrix_call *c = call;
    return fits_t(self, call, device) && is_thin(c->n, c->m);
}
static bool fits_wide_n(const gbl_variant *self, const void *call, const gbl_device *device)
{
    const gbl_matrix_call *c = call;
    return fits_n(self, call, device) && is_thin(c->m, c->n);
}
static bool fits_wide_t(const gbl_variant *self, const void *call, const gbl_device *device)
{
    const gbl_matrix_call *c = call;
    return fits_t(self, call, device) && is_thin(c->m, c->n);
}

/* On cpu, transposed matrices of few rows: OpenBLAS 0.3.21 is up to 1.8 times as fast (8 by 10^6 in
 * s, two cores of a Neoverse V1, 2026-11), so there the installed BLAS comes after omp. */
static bool is_short_t(const gbl_matrix_call *call)
{
    return transposed(call) && call->m < FEW;
}

static bool fits_omp_short(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return gbl_matrix_fits_omp(self, call, device) && is_short_t(call);
}

static bool fits_omp(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return gbl_matrix_fits_omp(self, call, device) && !is_short_t(call);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)call->m,
                 n = (double)call->n, x = transposed(call) ? m : n, y = transposed(call) ? n : m;
    *least = (gbl_work){.bytes_read = elem * (m * n + x),
                        .bytes_written = elem * y,
                        .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * m * n};
    if (call->beta.device != NULL || call->beta.re != 0 || call->beta.im != 0)
        least->bytes_read += elem * y;
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    gemv_plan plan;
    gbl_work least;
    (void)self;
    make_plan(call, params, device, MOST_ITEMS, &plan);
    work(call, &least);
    memset(out, 0, sizeof *out);
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    out->memory_bytes = least.bytes_read + least.bytes_written;
    /* Columns that start within cache lines: neighbouring lanes together touch a sector more. */
    const double together = elem * plan.loads.vec * (plan.wx < 32 ? plan.wx : 32);
    if (device->props.is_gpu && (uint64_t)call->lda * gbl_dtype_bytes(call->dtype) % LINE != 0)
        out->memory_bytes += elem * (double)call->m * (double)call->n * SECTOR / together;
    out->cache_bytes = transposed(call) ? elem * (double)call->m * (double)plan.args.split.blocks
                                        : elem * (double)call->n * (double)plan.args.split.blocks;
    out->flops = least.flops;
    out->launches = 1;
    out->barriers = plan.groups > plan.args.split.blocks ? 1 : 0;
    out->steps = (1 + out->barriers) * gbl_reduce_steps(device, plan.items / plan.owners);
    if (!transposed(call))
        out->steps +=
            GBL_LOCAL_STEPS + 2 * plan.loads.vec; /* sums of VEC rows, from all over the group */
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight =
        (double)plan.items * plan.loads.unroll * plan.loads.vec * plan.batch * elem;
}

/* Plain products end with a second fork, which adds the threads' sums. */
static gbl_host_walk walk(const gbl_matrix_call *call)
{
    return gbl_host_columns(call, transposed(call) ? 1 : 2);
}

static const gbl_matrix_routine routine = {
    .stem = "gemv",
    .work = work,
    .walk = walk,
    .omp = GBL_CPU_FOUR(gemv_omp),
    .blas = GBL_CPU_FOUR(gemv_blas),
};

static bool legal(const gbl_variant *self, const void *given, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    gemv_plan plan;
    (void)self;
    make_plan(call, params, device, MOST_ITEMS, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           (int64_t)plan.loads.unroll * plan.loads.vec * plan.batch *
                               (int64_t)gbl_dtype_bytes(call->dtype));
}

static const gbl_variant variants[] = {
    GBL_GEMV_BLOCKS_VARIANTS(&routine),
    GBL_VARIANT("split_n", .fits = fits_n, .run = run, .cost = cost, .space = split_n_space,
                .space_count = GEMV_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_n.cl", .specs = specs),
    GBL_VARIANT("split_t", .fits = fits_t, .run = run, .cost = cost, .space = split_t_space,
                .space_count = GEMV_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_t.cl", .specs = specs),
    GBL_VARIANT("spread_n", .fits = fits_spread_n, .run = run, .cost = cost,
                .space = spread_n_space, .space_count = GEMV_PARAMS, .legal = legal,
                .detail = &routine, .kernels = "gemv_n.cl", .specs = specs),
    GBL_VARIANT("tall_n", .fits = fits_tall_n, .run = run, .cost = cost, .space = tall_n_space,
                .space_count = GEMV_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_n.cl", .specs = specs),
    GBL_VARIANT("tall_t", .fits = fits_tall_t, .run = run, .cost = cost, .space = tall_t_space,
                .space_count = GEMV_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_t.cl", .specs = specs),
    GBL_VARIANT("wide_n", .fits = fits_wide_n, .run = run, .cost = cost, .space = wide_n_space,
                .space_count = GEMV_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_n.cl", .specs = specs),
    GBL_VARIANT("wide_t", .fits = fits_wide_t, .run = run, .cost = cost, .space = wide_t_space,
                .space_count = GEMV_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_t.cl", .specs = specs),
    GBL_VARIANT("omp_short", .fits = fits_omp_short, .run = gbl_matrix_run_omp,
                .cost = gbl_matrix_cost, .detail = &routine),
    GBL_MATRIX_BLAS_VARIANT(&routine),
    /* On two cores of a Neoverse V1, 2026-11, s and d, it is 1.1 to 2.8 times as fast as OpenBLAS
     * 0.3.21 for 512 to 4096 rows. */
    GBL_VARIANT("omp", .fits = fits_omp, .run = gbl_matrix_run_omp, .cost = gbl_matrix_cost,
                .detail = &routine),
    GBL_MATRIX_VENDOR_VARIANT(&routine),
};

static const gbl_operand operands[] = {
    GBL_OPERAND_TRANS,
    GBL_OPERAND_ROWS,
    GBL_OPERAND_COLUMNS,
    GBL_OPERAND_FACTOR("alpha", alpha),
    GBL_OPERAND_A(GBL_READ, MATRIX_AT(alpha), gbl_matrix_m, gbl_matrix_n, NULL, "m"),
    GBL_OPERAND_LINE_X(GBL_READ, MATRIX_AT(alpha), gbl_matrix_inner),
    GBL_OPERAND_FACTOR("beta", beta),
    GBL_OPERAND_LINE_Y(GBL_READ_WRITE, 0, gbl_matrix_outer),
};

static bool plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    return gbl_matrix_plain(ctx, call, call->m, true) && gbl_trans_legal(call->trans);
}

/* As in BLAS an empty matrix leaves y alone, also where y has elements. */
const gbl_op gbl_gemv_op = {GBL_MATRIX_OP("gemv", operands, variants), .plain = plain,
                            .work = work};
