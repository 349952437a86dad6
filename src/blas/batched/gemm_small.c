/* gemm_small.c: many products of small matrices, several batch entries per group in local memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel is compiled for the exact sizes of a batch entry, so that its loops are unrolled and
 * where an element stands is known to the compiler. Memory is the limit: A and B are read once and
 * C is written once, in vectors of 16 bytes where the operands stand so.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/batched/gemm_small.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"

#define MOST_GROUPS  ((int64_t)1 << 30)
#define LOCAL_BYTES  49152 /* of local memory that every GPU gives a group */
#define EDGE_BYTES   4096  /* of it, for what lanes at an edge read and drop */
#define SECTOR_BYTES 32    /* of memory, that a store should fill */
#define MOST_STEP    16    /* terms that are unrolled, where K has such a divisor ... */
#define LEAST_STEP   4     /* ... that is not too short for a loop */
#define MOST_ROWS    8     /* of a lane, and columns */
#define REGISTERS    65536 /* of 4 bytes, of a multiprocessor */
#define OTHER_WORDS  36    /* of a work-item beside sums, terms and vectors: addresses, arguments */
#define MANY_SUMS    32    /* words of sums beside which terms are loaded ahead */

static const int32_t items[] = {32, 64, 128, 256, 512};
static const int32_t lane_rows[] = {1, 2, 4, 8};
static const int32_t lane_columns[] = {0, 1, 2, 4, 8};
static const int32_t loads[] = {2, 4, 8, 16, 32};
static const int32_t pads[] = {0, 1, 2, 3, 4};
static const int32_t lanes_a_unit[] = {256, 512, 768, 1024, 1536, 2048};
static const int32_t groups_a_unit[] = {0, 4, 8, 16, 32};

/* items per group; rows and columns of C per lane at most, 0: as suits the columns; loads in flight
 * per work-item; vectors of 16 bytes between batch entries in local memory; work-items that
 * registers are kept few for, per multiprocessor; groups per multiprocessor, 0: as many as there is
 * work. */
const gbl_param gbl_gemm_small_space[GBL_SMALL_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 128},
    {.name = "rows", GBL_VALUES(lane_rows), .fallback = 4},
    {.name = "columns", GBL_VALUES(lane_columns), .fallback = 0},
    {.name = "loads", GBL_VALUES(loads), .fallback = 8},
    {.name = "pad", GBL_VALUES(pads), .fallback = 2},
    {.name = "resident", GBL_VALUES(lanes_a_unit), .fallback = 1024},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 0},
};

/* How the batch entries of an operand are loaded. */
typedef struct small_operand {
    int32_t vec, align;
    bool tight;
} small_operand;

typedef struct small_plan {
    gemm_batched_args args;
    int64_t groups;
    int32_t m, n, k; /* of a batch entry */
    int32_t items, entries, rows, columns, step, at_once, pad, resident;
    small_operand a, b, c;
    bool trans_a, trans_b;
} small_plan;

static int32_t parts_of(int32_t whole, int32_t size)
{
    return (whole + size - 1) / size;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* ---- Loads ---- */

/* A matrix of the call. */
typedef struct stored_operand {
    const void *at;
    int64_t ld, stride;
    int32_t rows, columns;
} stored_operand;

/* Whether vectors of `bytes` stand alike in all columns of all batch entries; of arrays of
 * addresses as far as the host knows. */
static bool stand_alike(const gbl_product_call *call, const stored_operand *of, uint64_t bytes)
{
    const uint64_t elem = gbl_dtype_bytes(call->dtype);
    const uint64_t start = call->pointers ? 0 : (uintptr_t)of->at,
                   column = of->columns > 1 ? (uint64_t)of->ld * elem : 0,
                   entry = call->pointers || call->batch == 1 ? 0 : (uint64_t)of->stride * elem;
    return (start | column | entry) % bytes == 0;
}

/* Vectors within columns, of `most` elements at most. */
static small_operand plan_columns(const gbl_product_call *call, const stored_operand *of,
                                  int32_t most)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype),
                  real = (int32_t)gbl_dtype_real_bytes(call->dtype);
    int32_t vec = most;
    while (vec > 1 && (of->rows % vec != 0 || !stand_alike(call, of, (uint64_t)(vec * elem))))
        vec /= 2;
    const bool whole = stand_alike(call, of, (uint64_t)(vec * elem));
    return (small_operand){.vec = vec, .align = whole ? vec * elem : real};
}

/* Batch entries without any gap are one piece of memory, as is each set of them where its start is
 * aligned. */
static small_operand plan_operand(const gbl_product_call *call, const stored_operand *of,
                                  int32_t entries)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), quick = GBL_WIDEST_LOAD / elem;
    const int64_t elements = (int64_t)of->rows * of->columns;
    const bool tight = !call->pointers && (of->ld == of->rows || of->columns == 1) &&
                       (of->stride == elements || call->batch == 1);
    int32_t vec = quick;
    if (!tight)
        return plan_columns(call, of, quick);
    while (vec > 1 &&
           (entries * elements % vec != 0 || (uintptr_t)of->at % (uintptr_t)(vec * elem)))
        vec /= 2;
    const bool whole = (uintptr_t)of->at % (uintptr_t)(vec * elem) == 0;
    return (small_operand){.vec = vec,
                           .align = whole ? vec * elem : (int32_t)gbl_dtype_real_bytes(call->dtype),
                           .tight = true};
}

/* ---- Shapes ---- */

/* Terms per round of the loop: a divisor of k, one that whole vectors of terms divide where k has
 * such. */
static int32_t step_of(int32_t k, int32_t quick)
{
    const int32_t unit = k % quick == 0 ? quick : k % 2 == 0 && quick > 1 ? 2 : 1;
    for (int32_t step = MOST_STEP; step >= LEAST_STEP; step--)
        if (k > MOST_STEP && k % step == 0 && step % unit == 0)
            return step;
    return k;
}

static int32_t lanes_of(const small_plan *plan)
{
    return parts_of(plan->m, plan->rows) * parts_of(plan->n, plan->columns);
}

static int32_t odd_vectors(int32_t elements, int32_t quick)
{
    return parts_of(elements, quick) | 1;
}

/* Bytes of local memory that a group may have. */
static int64_t most_bytes(const gbl_device *device)
{
    const int64_t most = gbl_own_local_bytes(&device->props);
    return most < LOCAL_BYTES ? most : LOCAL_BYTES;
}

/* Bytes of local memory, as the kernel counts them. */
static int64_t room_bytes(const small_plan *plan, int32_t quick)
{
    const int32_t a_columns = plan->trans_a ? plan->m : plan->k,
                  a_vectors =
                      plan->trans_a ? odd_vectors(plan->k, quick) : parts_of(plan->m, quick),
                  b_columns = plan->trans_b ? plan->k : plan->n,
                  b_vectors =
                      plan->trans_b ? parts_of(plan->n, quick) : odd_vectors(plan->k, quick);
    const int64_t edges = (int64_t)plan->rows * (plan->trans_a ? a_vectors : 1) +
                          (int64_t)plan->columns * (plan->trans_b ? 1 : b_vectors);
    const int64_t entry =
        (int64_t)a_columns * a_vectors + (int64_t)b_columns * b_vectors + 2 * plan->pad;
    return (plan->entries * entry + edges + 2) * GBL_WIDEST_LOAD;
}

/* The part of C that a lane has. Stores of neighbours fill sectors; a group has a batch entry at
 * least. */
static void plan_lanes(const gbl_product_call *call, const gbl_params *params, small_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    const stored_operand c = {call->C, call->ldc, call->stride_c, plan->m, plan->n};
    int32_t columns = params->value[GBL_SMALL_COLUMNS];
    if (columns == 0)
        columns = plan->n >= 24 ? 4 : 2;
    plan->rows = params->value[GBL_SMALL_ROWS];
    while (plan->rows > 1 && plan->rows / 2 >= plan->m)
        plan->rows /= 2;
    plan->columns = columns;
    while (plan->columns > 1 && plan->columns / 2 >= plan->n)
        plan->columns /= 2;
    plan->c = plan_columns(call, &c, least(plan->rows, GBL_WIDEST_LOAD / elem));
    while (plan->rows > plan->c.vec &&
           parts_of(plan->m, plan->rows) * plan->c.vec * elem < SECTOR_BYTES)
        plan->rows /= 2;
    while (lanes_of(plan) > plan->items && (plan->columns < MOST_ROWS || plan->rows < MOST_ROWS)) {
        if (plan->columns <= plan->rows)
            plan->columns *= 2;
        else
            plan->rows *= 2;
    }
    while (lanes_of(plan) > plan->items)
        plan->items *= 2;
}

static void plan_entries(const gbl_product_call *call, const gbl_device *device, small_plan *plan)
{
    const int32_t quick = GBL_WIDEST_LOAD / (int32_t)gbl_dtype_bytes(call->dtype),
                  simd = device->props.simd > 1 ? device->props.simd : 1;
    const stored_operand a = {call->A, call->lda, call->stride_a, plan->trans_a ? plan->k : plan->m,
                              plan->trans_a ? plan->m : plan->k},
                         b = {call->B, call->ldb, call->stride_b, plan->trans_b ? plan->n : plan->k,
                              plan->trans_b ? plan->k : plan->n};
    plan->entries = plan->items / lanes_of(plan);
    while (plan->entries > 1 && room_bytes(plan, quick) > most_bytes(device))
        plan->entries = (plan->entries + 1) / 2;
    if (plan->entries > quick) /* sets of batch entries of odd sizes start aligned */
        plan->entries -= plan->entries % quick;
    plan->items = parts_of(plan->entries * lanes_of(plan), simd) * simd;
    plan->a = plan_operand(call, &a, plan->entries);
    plan->b = plan_operand(call, &b, plan->entries);
}

static int32_t loads_of(const small_plan *plan, int32_t elements, int32_t vec)
{
    return parts_of(plan->entries * elements / vec, plan->items);
}

/* Groups that a multiprocessor should hold: as many as asked for, but of registers a work-item
 * keeps what it needs. The sum below was found by compiling for sm_90a: with fewer, registers are
 * spilled. */
static int32_t resident_groups(const gbl_product_call *call, const gbl_params *params,
                               const small_plan *plan)
{
    const int32_t words = (int32_t)gbl_dtype_bytes(call->dtype) / 4,
                  sums = plan->rows * plan->columns * words,
                  terms = (plan->rows + plan->columns) * words, vectors = 4 * plan->at_once - 4;
    const bool split = plan->k % plan->b.vec != 0 || plan->m % plan->a.vec != 0 ||
                       plan->n % plan->b.vec != 0 || plan->k % plan->a.vec != 0;
    int32_t needed = OTHER_WORDS + (sums + terms > vectors ? sums + terms : vectors);
    needed += sums < MANY_SUMS  ? 0
              : plan->c.vec > 1 ? 12
                                : 36; /* single stores, each with its test */
    needed += plan->a.tight && plan->b.tight ? (split ? 12 : 0) : 28;
    needed += call->pointers ? 28 : 0;
    const int32_t asked = params->value[GBL_SMALL_RESIDENT] / plan->items,
                  most = REGISTERS / plan->items / needed;
    return least(asked, most) > 1 ? least(asked, most) : 1;
}

static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, int32_t most_items, small_plan *plan)
{
    const int32_t quick = GBL_WIDEST_LOAD / (int32_t)gbl_dtype_bytes(call->dtype);
    memset(plan, 0, sizeof *plan);
    /* The call that stands for a class may be a bit larger than what fits. */
    plan->m = (int32_t)(call->m < GBL_GEMM_SMALL_MOST ? call->m : GBL_GEMM_SMALL_MOST);
    plan->n = (int32_t)(call->n < GBL_GEMM_SMALL_MOST ? call->n : GBL_GEMM_SMALL_MOST);
    plan->k = (int32_t)(call->k < GBL_GEMM_SMALL_MOST ? call->k : GBL_GEMM_SMALL_MOST);
    plan->trans_a = call->trans != GABLE_NO_TRANS;
    plan->trans_b = call->trans_b != GABLE_NO_TRANS;
    plan->items = least(params->value[GBL_SMALL_ITEMS], most_items);
    plan->pad = params->value[GBL_SMALL_PAD];
    plan_lanes(call, params, plan);
    plan_entries(call, device, plan);
    plan->step = step_of(plan->k, quick);
    const int32_t a_loads = loads_of(plan, plan->m * plan->k, plan->a.vec),
                  b_loads = loads_of(plan, plan->k * plan->n, plan->b.vec),
                  wanted = 2 * (a_loads > b_loads ? a_loads : b_loads);
    plan->at_once = least(params->value[GBL_SMALL_LOADS], wanted);
    plan->resident = resident_groups(call, params, plan);
    plan->args = gbl_gemm_batched_args(call);
    plan->args.sets = gbl_some_parts(call->batch, plan->entries);
    const int64_t a_unit = params->value[GBL_SMALL_GROUPS];
    const int64_t most = a_unit > 0 ? a_unit * device->props.units : MOST_GROUPS;
    plan->groups = plan->args.sets < most ? plan->args.sets : most;
}

static void make_spec(const gbl_product_call *call, const small_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "gemm_small.cl", call->dtype);
    gbl_gemm_batched_macros(call, spec);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "ENTRIES", plan->entries);
    gbl_kernel_add_macro(spec, "M", plan->m);
    gbl_kernel_add_macro(spec, "N", plan->n);
    gbl_kernel_add_macro(spec, "K", plan->k);
    gbl_kernel_add_macro(spec, "RM", plan->rows);
    gbl_kernel_add_macro(spec, "RN", plan->columns);
    gbl_kernel_add_macro(spec, "AV", plan->a.vec);
    gbl_kernel_add_macro(spec, "BV", plan->b.vec);
    gbl_kernel_add_macro(spec, "CV", plan->c.vec);
    gbl_kernel_add_macro(spec, "A_ALIGN", plan->a.align);
    gbl_kernel_add_macro(spec, "B_ALIGN", plan->b.align);
    gbl_kernel_add_macro(spec, "C_ALIGN", plan->c.align);
    gbl_kernel_add_macro(spec, "A_TIGHT", plan->a.tight);
    gbl_kernel_add_macro(spec, "B_TIGHT", plan->b.tight);
    gbl_kernel_add_macro(spec, "STEP", plan->step);
    gbl_kernel_add_macro(spec, "AT_ONCE", plan->at_once);
    gbl_kernel_add_macro(spec, "PAD", plan->pad);
    gbl_kernel_add_macro(spec, "RESIDENT", plan->resident);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    small_plan *plan = planned;
    (void)self;
    make_plan(given, params, device, most_items, plan);
    make_spec(given, plan, spec);
    return plan->items;
}

int gbl_gemm_small_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs)
{
    small_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

gable_status gbl_gemm_small_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                const gbl_params *params)
{
    const gbl_product_call *call = given;
    small_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, GBL_SMALL_ITEMS, plan_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .follows_pointers = call->pointers,
        .buffer_count = 5,
        .buffers = GBL_GEMM_BUFFERS(call),
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* A CPU behind OpenCL would compile each size for a second; there `one` is as good. A batch entry
 * must fit into local memory, where it takes up to a quarter more than it has elements. */
bool gbl_gemm_small_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    (void)self;
    if (device->table->build == NULL || !device->props.is_gpu || call->k < 1 ||
        call->m > GBL_GEMM_SMALL_MOST || call->n > GBL_GEMM_SMALL_MOST ||
        call->k > GBL_GEMM_SMALL_MOST)
        return false;
    const int64_t bytes = call->k * (call->m + call->n) * (int64_t)gbl_dtype_bytes(call->dtype);
    return most_bytes(device) == LOCAL_BYTES || bytes / 4 * 5 + EDGE_BYTES <= most_bytes(device);
}

void gbl_gemm_small_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    small_plan plan;
    gbl_work work;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    gbl_gemm_batched_work(call, &work);
    memset(out, 0, sizeof *out);
    const double terms = work.flops / gbl_product_flops(call->dtype),
                 lane_terms = terms / plan.rows / plan.columns;
    out->memory_bytes = work.bytes_read + work.bytes_written;
    out->local_bytes = elem * ((plan.rows + plan.columns) * lane_terms +
                               (double)call->k * (double)(call->m + call->n) * (double)call->batch);
    out->flops = work.flops;
    out->launches = 1;
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight = elem * (plan.a.vec + plan.b.vec) / 2 * (double)plan.at_once * plan.items;
    const double all = elem * (double)call->k * (double)(call->m + call->n) * plan.entries;
    if (out->bytes_in_flight > all)
        out->bytes_in_flight = all;
}

bool gbl_gemm_small_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *call = given;
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), quick = GBL_WIDEST_LOAD / elem;
    small_plan plan;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return room_bytes(&plan, quick) <= most_bytes(device) &&
           gbl_group_legal(device, plan.items,
                           (int64_t)elem * (plan.rows * plan.columns +
                                            plan.at_once * (plan.a.vec + plan.b.vec) / 2));
}
