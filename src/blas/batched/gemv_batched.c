/* gemv_batched.c: y := alpha op(A) x + beta y, for many matrices of one shape
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every A is read once. All kernel variants run gemv_batched_n or gemv_batched_t; they differ in
 * how many lanes work on a matrix: variants `one` give it a whole group, variants `many` a few
 * lanes, so that a group has many small matrices and every work-item several loads in flight.
 * Addresses come from strides or from arrays in device memory, of which the host knows nothing:
 * there the kernel looks at alignment.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "blas/level1/stream_plan.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "gemv_batched_args.h"

_Static_assert(sizeof(gemv_batched_args) == 22 * 8, "host and device must agree");

#define MOST_LOADS        16 /* in flight per work-item, where they are of single elements */
#define MOST_GROUPS       ((int64_t)1 << 30)
#define MOST_BLOCK_GROUPS 32768 /* groups along y: CUDA takes 65535 */
#define FEW_ROWS          64    /* a column of so few is read in vectors that divide it */
#define SPREAD_BYTES      128   /* a cache line: what lanes along single rows read together */
#define SMALL_BYTES       65536 /* a matrix of variants `many` at most: 16 rounds of 32 lanes */
#define MANY              16 /* and so many of them a multiprocessor at least: warps of 32 lanes */

enum {
    BATCH_ITEMS,
    BATCH_LANES,
    BATCH_WX,
    BATCH_VEC,
    BATCH_UNROLL,
    BATCH_COLUMNS,
    BATCH_GROUPS,
    BATCH_PARAMS
};
static const int32_t items[] = {1, 32, 64, 128, 256, 512};
static const int32_t lanes[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t unrolls[] = {1, 2, 4, 8, 16};
static const int32_t columns[] = {1, 2, 4, 8, 16};
static const int32_t groups_a_unit[] = {0, 2, 4, 8, 16, 32};

/* items per group; lanes per matrix at most; wx of them along its rows at most; vec rows per load;
 * unroll loads in flight along columns (n) or rows (t); columns per lane (t); groups per
 * multiprocessor, 0: as many as there is work. */
#define SPACE(space, items_, lanes_, wx, unroll, columns_)                                         \
    static const gbl_param space[BATCH_PARAMS] = {                                                 \
        {.name = "items", GBL_VALUES(items), .fallback = items_},                                  \
        {.name = "lanes", GBL_VALUES(lanes), .fallback = lanes_},                                  \
        {.name = "wx", GBL_VALUES(lanes), .fallback = wx},                                         \
        {.name = "vec", GBL_VALUES(vectors), .fallback = 4},                                       \
        {.name = "unroll", GBL_VALUES(unrolls), .fallback = unroll},                               \
        {.name = "columns", GBL_VALUES(columns), .fallback = columns_},                            \
        {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 0},                              \
    }
SPACE(one_n_space, 256, 256, 8, 4, 1);
SPACE(one_t_space, 128, 128, 32, 2, 4);
SPACE(many_n_space, 256, 32, 16, 4, 1);
SPACE(many_t_space, 256, 32, 32, 1, 4);

typedef struct batch_plan {
    gemv_batched_args args;
    int64_t groups;
    int32_t items, wx, wy, vec, unroll, columns, align, single, x_align;
    bool spread, whole;
} batch_plan;

static bool transposed(const gbl_matrix_call *call)
{
    return call->trans != GABLE_NO_TRANS;
}

/* The power of two that reaches `least`, but not above `most`. */
static int32_t reaching(int64_t least, int32_t most)
{
    int32_t power = 1;
    while (power < least && 2 * power <= most)
        power *= 2;
    return power;
}

/* Whether all matrices stand alike modulo so many bytes. */
static bool stand_alike(const gbl_matrix_call *call, int32_t align)
{
    const uint64_t apart = (uint64_t)call->stride_a * gbl_dtype_bytes(call->dtype);
    return call->pointers || call->batch == 1 || apart % (uint64_t)align == 0;
}

/* The widest loads that all columns of all matrices allow, up to plan->vec elements. Addresses of
 * arrays are taken for aligned: the kernel looks. */
static void plan_loads(const gbl_matrix_call *call, const gbl_device *device, batch_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype),
                  real = (int32_t)gbl_dtype_real_bytes(call->dtype);
    const void *A = call->pointers ? NULL : call->A;
    const bool elements = (uintptr_t)A % (uintptr_t)elem == 0 && stand_alike(call, elem);
    plan->single = elements && !call->pointers ? elem : real;
    while (device->props.is_gpu && plan->vec > 1 &&
           (plan->vec / 2 >= call->m || plan->vec * elem > GBL_WIDEST_LOAD))
        plan->vec /= 2;
    int32_t widest = plan->vec * elem < GBL_WIDEST_LOAD ? plan->vec * elem : GBL_WIDEST_LOAD;
    plan->align = elements ? elem : real;
    for (; elements && widest > elem; widest /= 2) {
        plan->align =
            gbl_column_alignment(widest, A, call->lda, call->n, call->dtype, &plan->args.head);
        if (plan->align == widest && stand_alike(call, widest))
            break;
        plan->align = elem;
        plan->args.head = 0;
    }
    if (device->props.is_gpu) {
        const int32_t wanted = plan->vec, wide = plan->align > elem ? plan->align / elem : 1;
        plan->vec = wide;
        /* A load that a lane cannot do whole takes as long as all of its single ones. */
        while (plan->vec > 1 && call->m <= FEW_ROWS && plan->args.head == 0 &&
               call->m % plan->vec != 0)
            plan->vec /= 2;
        plan->align = plan->vec * elem < plan->align ? plan->vec * elem : plan->align;
        if (plan->vec < wanted && transposed(call) && 2 * plan->columns <= MOST_LOADS)
            plan->columns *= 2;
        else if (plan->vec < wanted && 2 * plan->unroll <= MOST_LOADS)
            plan->unroll *= 2;
        if (plan->vec == 1 && wanted > 1 && !transposed(call)) {
            const int32_t together = SPREAD_BYTES / elem;
            plan->spread = true;
            plan->vec = reaching(gbl_some_parts(call->m, together), wanted);
            plan->unroll =
                plan->unroll * plan->vec > MOST_LOADS ? MOST_LOADS / plan->vec : plan->unroll;
        }
    }
    if (plan->vec == 1 || plan->spread)
        plan->args.head = 0;
    if (plan->args.head > call->m)
        plan->args.head = call->m;
    plan->args.vectors = (call->m - plan->args.head) / plan->vec;
}

static void plan_x(const gbl_matrix_call *call, batch_plan *plan)
{
    const uintptr_t elem = gbl_dtype_bytes(call->dtype), real = gbl_dtype_real_bytes(call->dtype);
    const uintptr_t head = (uintptr_t)plan->args.head * elem;
    const uintptr_t x = call->pointers ? 0 : (uintptr_t)call->x + head;
    const uintptr_t apart =
        call->pointers || call->batch == 1 ? 0 : (uintptr_t)call->stride_x * elem;
    if (call->incx != 1)
        return; /* 0: apart */
    plan->x_align = (int32_t)real;
    while (plan->x_align < GBL_WIDEST_LOAD && plan->x_align < plan->vec * (int32_t)elem &&
           (x | apart) % (2 * (uintptr_t)plan->x_align) == 0)
        plan->x_align *= 2;
}

/* Lanes of a matrix: along its rows first, for neighbours read neighbours; then along its columns.
 * Loads that a small matrix has no use for are left out, but on CPUs, where each shape would be a
 * kernel to compile for seconds. */
static void plan_lanes(const gbl_matrix_call *call, const gbl_params *params,
                       const gbl_device *device, batch_plan *plan)
{
    const bool t = transposed(call), gpu = device->props.is_gpu;
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), asked = params->value[BATCH_LANES],
                  most = asked < plan->items ? asked : plan->items,
                  wx = params->value[BATCH_WX] < most ? params->value[BATCH_WX] : most;
    const int64_t above = plan->args.head > 0 ? plan->vec - plan->args.head : 0;
    const int64_t pieces = t ? plan->args.vectors : gbl_some_parts(call->m + above, plan->vec);
    plan->wx = reaching(pieces, plan->spread ? reaching(SPREAD_BYTES / elem, most) : wx);
    const int64_t loads = t ? gbl_some_parts(pieces, plan->wx) : call->n;
    while (gpu && plan->unroll > 1 && plan->unroll / 2 >= loads)
        plan->unroll /= 2;
    while (gpu && plan->columns > 1 && plan->columns / 2 >= call->n)
        plan->columns /= 2;
    plan->wy = reaching(gbl_some_parts(call->n, t ? plan->columns : plan->unroll), most / plan->wx);
    const int64_t row_step = (int64_t)plan->wx * plan->vec * (t ? plan->unroll : 1),
                  column_step = (int64_t)plan->wy * (t ? plan->columns : plan->unroll);
    plan->whole =
        gpu && plan->args.head == 0 && call->m % row_step == 0 && call->n % column_step == 0;
    /* More matrices per group than there are would idle. */
    while (plan->items / 2 >= plan->wx * plan->wy * call->batch &&
           plan->items / 2 >= device->props.simd)
        plan->items /= 2;
}

static void make_plan(const gbl_matrix_call *call, const gbl_params *params,
                      const gbl_device *device, batch_plan *plan)
{
    const bool t = transposed(call);
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[BATCH_ITEMS];
    plan->vec = params->value[BATCH_VEC];
    plan->unroll = params->value[BATCH_UNROLL];
    plan->columns = t ? params->value[BATCH_COLUMNS] : 1;
    while (!t && plan->vec > 1 &&
           plan->items * plan->vec * elem > gbl_scratch_bytes(&device->props))
        plan->vec /= 2;
    plan_loads(call, device, plan);
    while (plan->columns > 1 &&
           plan->items * plan->columns * elem > gbl_scratch_bytes(&device->props))
        plan->columns /= 2;
    plan_x(call, plan);
    plan_lanes(call, params, device, plan);

    gemv_batched_args *args = &plan->args;
    const int64_t x_elements = t ? call->m : call->n, y_elements = t ? call->n : call->m;
    const int64_t above = !t && args->head > 0 ? plan->vec - args->head : 0;
    args->m = call->m;
    args->n = call->n;
    args->lda = call->lda;
    args->incx = call->incx;
    args->incy = call->incy;
    args->first_x = call->incx < 0 ? (1 - x_elements) * call->incx : 0;
    args->first_y = call->incy < 0 ? (1 - y_elements) * call->incy : 0;
    args->batch = call->batch;
    args->stride_a = call->stride_a;
    args->stride_x = call->stride_x;
    args->stride_y = call->stride_y;
    args->sets = gbl_some_parts(call->batch, plan->items / (plan->wx * plan->wy));
    args->blocks = t ? gbl_some_parts(call->n, (int64_t)plan->wy * plan->columns)
                     : gbl_some_parts(call->m + above, (int64_t)plan->wx * plan->vec);
    args->block_groups = args->blocks < MOST_BLOCK_GROUPS ? args->blocks : MOST_BLOCK_GROUPS;
    const int64_t a_unit = params->value[BATCH_GROUPS];
    const int64_t most = a_unit > 0 ? a_unit * device->props.units : MOST_GROUPS;
    plan->groups = args->sets < most ? args->sets : most;
    args->scalars = gbl_scalars(&call->alpha, &call->beta);
}

static void make_spec(const gbl_matrix_call *call, const batch_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, transposed(call) ? "gemv_batched_t.cl" : "gemv_batched_n.cl",
                     call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "WX", plan->wx);
    gbl_kernel_add_macro(spec, "WY", plan->wy);
    gbl_kernel_add_macro(spec, "VEC", plan->vec);
    gbl_kernel_add_macro(spec, "UNROLL", plan->unroll);
    gbl_kernel_add_macro(spec, "ALIGN", plan->align);
    gbl_kernel_add_macro(spec, "SINGLE", plan->single);
    gbl_kernel_add_macro(spec, "POINTERS", call->pointers);
    gbl_kernel_add_macro(spec, "WHOLE", plan->whole);
    if (!transposed(call)) {
        gbl_kernel_add_macro(spec, "SPREAD", plan->spread);
        return;
    }
    gbl_kernel_add_macro(spec, "COLUMNS", plan->columns);
    gbl_kernel_add_macro(spec, "CONJ",
                         call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype));
    gbl_kernel_add_macro(spec, "X_ALIGN", plan->x_align);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    batch_plan *plan = planned;
    (void)self, (void)most_items;
    make_plan(given, params, device, plan);
    make_spec(given, plan, spec);
    return plan->items;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    batch_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    batch_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, BATCH_ITEMS, plan_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.groups, plan.args.block_groups},
        .group = {plan.items, 1},
        .follows_pointers = call->pointers,
        .buffer_count = 5,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A),
                    gbl_scalar_buffer(&call->beta, call->A), call->A, call->x, call->y},
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
static bool is_many(const gbl_matrix_call *call, const gbl_device *device)
{
    const double bytes = (double)call->m * (double)call->n * (double)gbl_dtype_bytes(call->dtype);
    return bytes <= SMALL_BYTES && call->batch >= (int64_t)MANY * device->props.units;
}
static bool fits_many_n(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return fits_n(self, call, device) && is_many(call, device);
}
static bool fits_many_t(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return fits_t(self, call, device) && is_many(call, device);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)call->m,
                 n = (double)call->n, batch = (double)call->batch;
    const double x = transposed(call) ? m : n, y = transposed(call) ? n : m;
    const double matrices = call->pointers || call->stride_a != 0 ? batch : 1,
                 sources = call->pointers || call->stride_x != 0 ? batch : 1;
    *least = (gbl_work){.bytes_read = elem * (m * n * matrices + x * sources),
                        .bytes_written = elem * y * batch,
                        .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * m * n * batch};
    if (call->beta.device != NULL || call->beta.re != 0 || call->beta.im != 0)
        least->bytes_read += elem * y * batch;
    if (call->pointers)
        least->bytes_read += 3 * 8 * batch;
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    batch_plan plan;
    gbl_work least;
    (void)self;
    make_plan(call, params, device, &plan);
    work(call, &least);
    memset(out, 0, sizeof *out);
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    const double x = (double)(transposed(call) ? call->m : call->n);
    out->memory_bytes = least.bytes_read + least.bytes_written;
    out->cache_bytes = elem * x * (double)plan.args.blocks * (double)call->batch;
    out->flops = least.flops;
    out->launches = 1;
    out->groups = (double)plan.groups * (double)plan.args.block_groups;
    out->group_items = plan.items;
    out->bytes_in_flight = (double)plan.items * plan.unroll * plan.vec * plan.columns * elem;
}

static const gbl_matrix_routine routine = {
    .stem = "gemv_batched",
    .work = work,
    .omp = GBL_CPU_FOUR(gemv_batched_omp),
};

static bool legal(const gbl_variant *self, const void *given, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    batch_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           (int64_t)plan.unroll * plan.vec * plan.columns *
                               (int64_t)gbl_dtype_bytes(call->dtype));
}

static const gbl_variant variants[] = {
    GBL_VARIANT("one_n", .fits = fits_n, .run = run, .cost = cost, .space = one_n_space,
                .space_count = BATCH_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_batched_n.cl", .specs = specs),
    GBL_VARIANT("one_t", .fits = fits_t, .run = run, .cost = cost, .space = one_t_space,
                .space_count = BATCH_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_batched_t.cl", .specs = specs),
    GBL_VARIANT("many_n", .fits = fits_many_n, .run = run, .cost = cost, .space = many_n_space,
                .space_count = BATCH_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_batched_n.cl", .specs = specs),
    GBL_VARIANT("many_t", .fits = fits_many_t, .run = run, .cost = cost, .space = many_t_space,
                .space_count = BATCH_PARAMS, .legal = legal, .detail = &routine,
                .kernels = "gemv_batched_t.cl", .specs = specs),
    GBL_MATRIX_OMP_VARIANT(&routine),
    GBL_MATRIX_VENDOR_VARIANT(&routine),
};

/* Between entries of the batch; arrays of addresses have none. */
#define STRIDE(name_, at_)                                                                         \
    {                                                                                              \
        .name = name_, .kind = GBL_APART, .at = MATRIX_AT(at_), .absent = MATRIX_AT(pointers)      \
    }

static const gbl_operand operands[] = {
    GBL_OPERAND_TRANS,
    GBL_OPERAND_ROWS,
    GBL_OPERAND_COLUMNS,
    GBL_OPERAND_FACTOR("alpha", alpha),
    {.name = "A",
     .kind = GBL_MATRIX,
     .access = GBL_READ,
     .at = MATRIX_AT(A),
     .step = MATRIX_AT(lda),
     .apart = MATRIX_AT(stride_a),
     .factor = MATRIX_AT(alpha),
     .listed = MATRIX_AT(pointers),
     .rows = gbl_matrix_m,
     .columns = gbl_matrix_n},
    {.name = "lda", .kind = GBL_LD, .at = MATRIX_AT(lda), .least = "m"},
    STRIDE("stride_a", stride_a),
    {.name = "x",
     .kind = GBL_VECTOR,
     .access = GBL_READ,
     .at = MATRIX_AT(x),
     .step = MATRIX_AT(incx),
     .apart = MATRIX_AT(stride_x),
     .factor = MATRIX_AT(alpha),
     .listed = MATRIX_AT(pointers),
     .rows = gbl_matrix_inner},
    {.name = "incx", .kind = GBL_INC, .at = MATRIX_AT(incx)},
    STRIDE("stride_x", stride_x),
    GBL_OPERAND_FACTOR("beta", beta),
    {.name = "y",
     .kind = GBL_VECTOR,
     .access = GBL_READ_WRITE,
     .at = MATRIX_AT(y),
     .step = MATRIX_AT(incy),
     .apart = MATRIX_AT(stride_y),
     .listed = MATRIX_AT(pointers),
     .rows = gbl_matrix_outer},
    {.name = "incy", .kind = GBL_INC, .at = MATRIX_AT(incy)},
    STRIDE("stride_y", stride_y),
    {.name = "batch", .kind = GBL_BATCH, .at = MATRIX_AT(batch)},
    {.kind = GBL_SWITCH, .at = MATRIX_AT(pointers), .key = GBL_KEY_POINTERS},
};

const gbl_op gbl_gemv_batched_op = {GBL_MATRIX_OP("gemv_batched", operands, variants),
                                    .work = work};
