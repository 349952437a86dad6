/* trsm_strip.c: the variant `strips` of trsm: groups take strips of right-hand sides through a
 * block of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The block passes through local memory STEP columns at a time, so hundreds of rows are solved in
 * one launch: a triangle of order 512 in one, where blocks of 128 rows take four leaves and three
 * products between them. What counts is the chain of steps. On CPUs the work-items of a group run
 * one after the other, and `halves` is faster (tune/builtin). Right-hand sides are spread over all
 * units; where there are more, strips become wider.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "blas/level3/trsm_blocks.h"
#include "core/kernel.h"

#define FEWEST_ROWS 32
#define MOST_ITEMS  512 /* work-items per group: each then has 128 registers */
#define WIDEST      32  /* right-hand sides of a strip */
#define ROW_BYTES   128 /* of a row that a work-item has in its registers, at most */
#define QUICK_BYTES 16  /* per load from local memory */
/* Of the bytes of updates that pass while nothing else goes on: n = 512 and 1024 on an H200
 * (2026-11). */
#define BANK_PART 0.87

enum { STRIP_ROWS, STRIP_SLAB, STRIP_EACH, STRIP_STEP };
static const int32_t rows[] = {32, 64, 128, 256, 512};
static const int32_t slabs[] = {4, 8, 16, 32};
static const int32_t sides_a_lane[] = {4, 8, 16, 32};
static const int32_t steps[] = {4, 8, 16};
const gbl_param gbl_strip_space[GBL_STRIP_PARAMS] = {
    {.name = "rows", GBL_VALUES(rows), .fallback = 512},
    {.name = "slab", GBL_VALUES(slabs), .fallback = 8},
    {.name = "each", GBL_VALUES(sides_a_lane), .fallback = 8},
    {.name = "step", GBL_VALUES(steps), .fallback = 16},
};

typedef struct strip_plan {
    int32_t rows, slab, each, step;
} strip_plan;

static int64_t items_of(const strip_plan *plan)
{
    return (int64_t)plan->rows * plan->slab / plan->each;
}

static int32_t quick_of(gbl_dtype dtype)
{
    return QUICK_BYTES / (int32_t)gbl_dtype_bytes(dtype);
}

/* What a work-item may have of a row. Complex singles spill beside short steps. */
static int32_t most_each(const strip_plan *plan, gbl_dtype dtype)
{
    const int32_t most_bytes = dtype == GBL_C && plan->step < 16 ? ROW_BYTES / 2 : ROW_BYTES;
    return most_bytes / (int32_t)gbl_dtype_bytes(dtype);
}

/* ROOM of the kernel, and what it is rounded up by. */
static int64_t local_bytes(const strip_plan *plan, const gbl_product_call *call)
{
    const int64_t step = plan->step,
                  columns = gbl_trsm_turned(call) ? step + quick_of(call->dtype) : step;
    return (4 * step * plan->slab + 3 * step * step + plan->rows * (1 + 3 * columns)) *
               (int64_t)gbl_dtype_bytes(call->dtype) +
           QUICK_BYTES;
}

/* `slab` is that of few right-hand sides. Where those of a group are too many for its work-items,
 * each of them has more, then the group fewer rows. */
static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, int64_t most_items, strip_plan *plan)
{
    const gbl_props *props = &device->props;
    const int32_t quick = quick_of(call->dtype);
    const int64_t sides = gbl_trsm_sides(call),
                  most = most_items < MOST_ITEMS ? most_items : MOST_ITEMS;
    *plan = (strip_plan){.rows = params->value[STRIP_ROWS],
                         .slab = params->value[STRIP_SLAB],
                         .each = params->value[STRIP_EACH],
                         .step = params->value[STRIP_STEP]};
    while (props->is_gpu && plan->slab < WIDEST && gbl_parts(sides, plan->slab) > props->units)
        plan->slab *= 2;
    if (plan->slab < quick)
        plan->slab = quick;
    if (plan->each < quick)
        plan->each = quick;
    while (plan->each > quick &&
           (plan->each > plan->slab || plan->each > most_each(plan, call->dtype)))
        plan->each /= 2;
    while (plan->rows > FEWEST_ROWS && (plan->rows / 2 >= gbl_trsm_unknowns(call) ||
                                        local_bytes(plan, call) > gbl_trsm_room(props)))
        plan->rows /= 2;
    while (items_of(plan) > most && plan->each < plan->slab &&
           2 * plan->each <= most_each(plan, call->dtype))
        plan->each *= 2;
    while (items_of(plan) > most && plan->rows > FEWEST_ROWS)
        plan->rows /= 2;
}

/* Bytes that columns of A start on: 16, where n is a whole number of them; else those of an
 * element, or of a real: complex numbers need not stand on addresses that their size divides. */
static int32_t alignment(const gbl_product_call *call)
{
    const uint64_t elem = gbl_dtype_bytes(call->dtype);
    const uint64_t starts =
        (uintptr_t)call->A | (uint64_t)call->lda * elem | (uint64_t)gbl_trsm_unknowns(call) * elem;
    if (starts % QUICK_BYTES == 0)
        return QUICK_BYTES;
    return (int32_t)((uintptr_t)call->A % elem == 0 ? elem : gbl_dtype_real_bytes(call->dtype));
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    strip_plan *plan = planned;
    (void)self;
    make_plan(call, params, device, most_items, plan);
    gbl_kernel_begin(spec, "trsm_strip.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", (int32_t)items_of(plan));
    gbl_kernel_add_macro(spec, "ROWS", plan->rows);
    gbl_kernel_add_macro(spec, "SLAB", plan->slab);
    gbl_kernel_add_macro(spec, "EACH", plan->each);
    gbl_kernel_add_macro(spec, "STEP", plan->step);
    gbl_kernel_add_macro(spec, "TRANS", gbl_trsm_turned(call));
    gbl_kernel_add_macro(spec, "BACKWARD", gbl_trsm_backward(call));
    gbl_kernel_add_macro(spec, "CONJ", gbl_trsm_conjugated(call));
    gbl_kernel_add_macro(spec, "RIGHT", call->side == GABLE_RIGHT);
    gbl_kernel_add_macro(spec, "ALIGN_A", alignment(call));
    return (int32_t)items_of(plan);
}

int gbl_strip_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_kernel_spec *specs)
{
    strip_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gbl_trsm_leaf leaf_of(const strip_plan *plan, const gbl_product_call *call,
                             gbl_kernel *kernel)
{
    const int64_t strips = gbl_parts(gbl_trsm_sides(call), plan->slab);
    return (gbl_trsm_leaf){.kernel = kernel,
                           .rows = plan->rows,
                           .slabs = strips,
                           .groups = strips,
                           .items = (int32_t)items_of(plan),
                           .local_bytes = local_bytes(plan, call)};
}

gable_status gbl_strip_run(gable_context *ctx, const gbl_variant *self, const void *given,
                           const gbl_params *params)
{
    const gbl_product_call *call = given;
    strip_plan plan;
    gbl_kernel *kernel;
    if (gbl_scalar_zero(&call->alpha))
        return gbl_trsm_clear(ctx, call);
    TRY(gbl_plan_kernel(ctx, self, call, params, STRIP_ROWS, plan_kernel, &plan, &kernel));
    const gbl_trsm_leaf leaf = leaf_of(&plan, call, kernel);
    return gbl_trsm_solve(ctx, call, &leaf);
}

void gbl_strip_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    strip_plan plan;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    const gbl_trsm_leaf leaf = leaf_of(&plan, call, NULL);
    gbl_trsm_cost(call, &leaf, out);
}

/* One block for all right-hand sides. Every group reads the triangle, from the cache but for the
 * first. Of each step there are two chains behind each other: STEP rows that are found, in a
 * product and a multiply-add each, and the update of the rows that come next; two barriers are
 * between them. Beside them the bulk of the rows is updated, which reads a vector of unknowns and
 * an element of A from local memory for every few multiply-adds: as long as the unit with most
 * strips takes, whatever the others do. */
static void strip_cost(const gbl_product_call *call, const strip_plan *plan,
                       const gbl_device *device, gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)plan->rows,
                 many = (double)gbl_trsm_sides(call), triangle = elem * n * (n + 1) / 2,
                 strips = (double)gbl_parts(gbl_trsm_sides(call), plan->slab);
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    const double busiest = (double)(gbl_parts((int64_t)strips, units) * units);
    *out = (gbl_cost){.memory_bytes = triangle + 2 * elem * n * many,
                      .written_bytes = elem * n * many,
                      .cache_bytes = triangle * (strips - 1),
                      .bank_bytes = BANK_PART * busiest * triangle * plan->slab / plan->each *
                                    (1 + (double)plan->each),
                      .flops = gbl_product_flops(call->dtype) * many * n * (n + 1) / 2,
                      .launches = 1,
                      .steps = n / plan->step * (2 * GBL_LOCAL_STEPS + plan->step),
                      .in_waves = true,
                      .groups = strips,
                      .group_items = (double)items_of(plan),
                      .bytes_in_flight = elem * plan->rows * plan->step};
}

int gbl_strip_parts(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    strip_plan plan;
    gbl_cost leaf;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    strip_cost(call, &plan, device, &leaf);
    return gbl_trsm_parts(call, plan.rows, &leaf, parts);
}

bool gbl_strip_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, uint64_t *hash)
{
    strip_plan plan;
    (void)self;
    make_plan(call, params, device, INT32_MAX, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return local_bytes(&plan, call) <= gbl_trsm_room(&device->props) &&
           gbl_group_legal(device, (int32_t)items_of(&plan), 0);
}
