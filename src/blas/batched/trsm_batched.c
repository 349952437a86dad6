/* trsm_batched.c: B := alpha inv(op(A)) B or alpha B inv(op(A)) for many batch entries of one
 * shape, A triangular.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Right-hand sides do not depend on each other, so groups never wait: `lanes` gives each of them a
 * lane. A on the right is the solve with the transpose, of which the rows of B are the right-hand
 * sides.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/batched/batch_plan.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "trsm_batched_args.h"

_Static_assert(sizeof(trsm_batched_args) == 18 * 8, "host and device must agree");

#define MOST_GROUPS     ((int64_t)1 << 30)
#define LOCAL_BYTES     40960 /* of local memory per group, where there is as much */
#define MOST_LANE_BYTES 256   /* of a right-hand side in registers */
#define FEWEST_ROWS     4
#define REGISTERS       65536 /* of 4 bytes, of a multiprocessor */
#define ADDRESS_WORDS   16    /* of entries that are not staged */
#define MOST_WIDE       3     /* groups in z, likewise */
#define OTHER_WORDS     64    /* of registers; with fewer some are spilled (compiled for sm_90a) */
#define FEW_ITEMS       1     /* of a group on a CPU, ... */
#define FEW_ROWS        4     /* ... and rows of a block: compilers for CPUs take long over more */

enum { LANES_ITEMS, LANES_ROWS, LANES_GROUPS, LANES_PARAMS };
static const int32_t items[] = {1, 32, 64, 128, 256};
static const int32_t block_rows[] = {4, 8, 16, 32};
static const int32_t groups_a_unit[] = {0, 4, 8, 16, 32};
/* items per group; rows of a block at most; groups per multiprocessor, 0: as many as there is
 * work. */
static const gbl_param lanes_space[LANES_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 128},
    {.name = "rows", GBL_VALUES(block_rows), .fallback = 32},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 0},
};

static bool is_right(const gbl_product_call *call)
{
    return call->side == GABLE_RIGHT;
}

static int64_t vectors_of(const gbl_product_call *call)
{
    return is_right(call) ? call->m : call->n;
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), batch = (double)call->batch,
                 order = (double)gbl_product_order(call), vectors = (double)vectors_of(call);
    const double triangles = call->pointers || call->stride_a != 0 ? batch : 1;
    *least = (gbl_work){
        .bytes_read = elem * (order * (order + 1) / 2 * triangles + order * vectors * batch),
        .bytes_written = elem * order * vectors * batch,
        .flops = gbl_product_flops(call->dtype) / 2 * order * order * vectors * batch};
    if (call->pointers)
        least->bytes_read += 2 * sizeof(void *) * batch;
}

/* ---- lanes ---- */

typedef struct lanes_plan {
    trsm_batched_args args;
    int64_t groups;
    int32_t items, rows, vectors; /* per group; of a block; lanes per batch entry */
    int32_t resident;             /* groups that a multiprocessor holds */
    bool trans, conj, staged;
} lanes_plan;

/* Bytes of local memory, as the kernel counts them. */
static int64_t room_bytes(const lanes_plan *plan, int32_t elem)
{
    const int32_t quick = GBL_WIDEST_LOAD / elem,
                  tile = plan->rows * ((plan->rows + quick - 1) / quick * quick),
                  stage = plan->staged ? plan->vectors * (plan->rows + 1) + quick : 0;
    return (int64_t)(plan->items / plan->vectors) *
           ((stage > tile ? stage : tile) + quick + plan->rows) * elem;
}

/* Lanes beyond the right-hand sides only load: there are more of them than right-hand sides where
 * tiles of more batch entries would not fit into local memory. */
static void plan_shape(const gbl_product_call *call, const gbl_params *params,
                       const gbl_device *device, lanes_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    const int64_t order = gbl_product_order(call);
    plan->staged = device->props.is_gpu && !is_right(call);
    plan->rows = params->value[LANES_ROWS];
    if (!device->props.is_gpu) { /* one kernel for batch entries of all sizes */
        plan->items = plan->items < FEW_ITEMS ? plan->items : FEW_ITEMS;
        plan->rows = plan->rows < FEW_ROWS ? plan->rows : FEW_ROWS;
        plan->vectors = plan->items;
        return;
    }
    while (plan->rows > FEWEST_ROWS &&
           (plan->rows / 2 >= order || plan->rows * elem > MOST_LANE_BYTES))
        plan->rows /= 2;
    plan->vectors = 1;
    while (plan->vectors < vectors_of(call) && 2 * plan->vectors <= plan->items)
        plan->vectors *= 2;
    const int64_t given = gbl_own_local_bytes(&device->props),
                  room = given < LOCAL_BYTES ? given : LOCAL_BYTES;
    while (plan->vectors < plan->items && room_bytes(plan, elem) > room)
        plan->vectors *= 2;
    while (plan->items > 1 && room_bytes(plan, elem) > room) {
        plan->items /= 2;
        plan->vectors = plan->items;
    }
}

static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, int32_t most_items, lanes_plan *plan)
{
    const bool right = is_right(call), turned = call->trans != GABLE_NO_TRANS;
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[LANES_ITEMS] < most_items ? params->value[LANES_ITEMS] : most_items;
    plan->trans = turned != right;
    plan->conj = call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype);
    plan_shape(call, params, device, plan);
    plan->args = (trsm_batched_args){.order = gbl_product_order(call),
                                     .vectors = vectors_of(call),
                                     .lda = call->lda,
                                     .step_b = right ? call->ldb : 1,
                                     .next_b = right ? 1 : call->ldb,
                                     .batch = call->batch,
                                     .stride_a = call->stride_a,
                                     .stride_b = call->stride_b,
                                     .backward = (call->uplo == GABLE_UPPER) != plan->trans,
                                     .unit = call->diag == GABLE_UNIT,
                                     .scalars = gbl_scalars(&call->alpha, &call->beta)};
    const int32_t words = plan->rows * (int32_t)(gbl_dtype_bytes(call->dtype) / 4);
    const int32_t needed = words + words / 2 + OTHER_WORDS +
                           (plan->staged ? 0 : ADDRESS_WORDS + 20) + (call->pointers ? 24 : 0) +
                           (words >= 64 ? 12 : 0);
    plan->resident = REGISTERS / plan->items / needed;
    if (plan->resident > MOST_WIDE && gbl_dtype_bytes(call->dtype) == GBL_WIDEST_LOAD)
        plan->resident = MOST_WIDE;
    plan->resident = plan->resident > 1 ? plan->resident : 1;
    plan->args.sets = gbl_some_parts(call->batch, plan->items / plan->vectors);
    const int64_t vector_groups = gbl_some_parts(plan->args.vectors, plan->vectors);
    plan->args.vector_groups =
        vector_groups < GBL_MOST_GROUPS_Y ? vector_groups : GBL_MOST_GROUPS_Y;
    const int64_t a_unit = params->value[LANES_GROUPS],
                  most = a_unit > 0 ? a_unit * device->props.units : MOST_GROUPS;
    plan->groups = plan->args.sets < most ? plan->args.sets : most;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    lanes_plan *plan = planned;
    (void)self;
    make_plan(call, params, device, most_items, plan);
    gbl_kernel_begin(spec, "trsm_batched.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->rows);
    gbl_kernel_add_macro(spec, "WV", plan->vectors);
    gbl_kernel_add_macro(spec, "STAGED", plan->staged);
    gbl_kernel_add_macro(spec, "TRANS", plan->trans);
    gbl_kernel_add_macro(spec, "CONJ", plan->conj);
    gbl_kernel_add_macro(spec, "POINTERS", call->pointers);
    gbl_kernel_add_macro(spec, "RESIDENT", plan->resident);
    return plan->items;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    lanes_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    lanes_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, LANES_ITEMS, plan_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.groups, plan.args.vector_groups},
        .group = {plan.items, 1},
        .follows_pointers = call->pointers,
        .buffer_count = 3,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->B),
                    gbl_scalar_zero(&call->alpha) ? call->B : call->A, call->B},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* Groups beyond the first read A again; of each block row what was solved before is read again. */
static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), batch = (double)call->batch;
    lanes_plan plan;
    gbl_work least;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    work(call, &least);
    memset(out, 0, sizeof *out);
    const double order = (double)plan.args.order, blocks = order / plan.rows,
                 shares = (double)gbl_some_parts(plan.args.vectors, plan.vectors);
    out->memory_bytes = least.bytes_read + least.bytes_written;
    out->cache_bytes =
        elem * batch * order * ((shares - 1) * order / 2 + (double)plan.args.vectors * blocks / 2);
    out->local_bytes = elem * batch * order * order / 2 * (shares + (double)plan.args.vectors);
    out->flops = least.flops;
    out->launches = 1;
    out->steps = GBL_LOCAL_STEPS * blocks * (blocks + 1) / 2 + order;
    out->overlapped = true;
    out->groups = (double)plan.groups * (double)plan.args.vector_groups;
    out->group_items = plan.items;
    out->bytes_in_flight = elem * plan.items * plan.rows;
}

static bool legal(const gbl_variant *self, const void *given, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *call = given;
    lanes_plan plan;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           (int64_t)plan.rows * (int64_t)gbl_dtype_bytes(call->dtype));
}

/* ---- The op ---- */

static const gbl_product_routine routine = {
    .stem = "trsm_batched",
    .work = work,
    .omp = GBL_CPU_FOUR(trsm_batched_omp),
    .one_scalar = true,
    .vendor_lists = true,
};

static const gbl_variant variants[] = {
    GBL_VARIANT("lanes", .fits = gbl_gemm_fits_kernels, .run = run, .cost = cost,
                .space = lanes_space, .space_count = LANES_PARAMS, .legal = legal,
                .kernels = "trsm_batched.cl", .specs = specs),
    GBL_BATCH_VARIANTS(&routine),
};

static const gbl_operand operands[] = {
    GBL_PRODUCT_SIDE,
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_TRANS,
    GBL_PRODUCT_DIAG,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_ALPHA,
    GBL_PRODUCT_ENTRIES(A, "lda", lda, "stride_a", stride_a, GBL_READ, PRODUCT_AT(alpha),
                        gbl_product_order, gbl_product_order, gbl_product_triangle_unit,
                        "order of A"),
    GBL_PRODUCT_ENTRIES(B, "ldb", ldb, "stride_b", stride_b, GBL_READ_WRITE, 0, gbl_product_m,
                        gbl_product_n, NULL, "m"),
    GBL_PRODUCT_BATCH,
    GBL_PRODUCT_POINTERS,
};

const gbl_op gbl_trsm_batched_op = {GBL_PRODUCT_OP("trsm_batched", operands, variants),
                                    .work = work};
