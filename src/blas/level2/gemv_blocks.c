/* gemv_blocks.c: the variants of gemv that move square blocks through the matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The method of Abdelfattah, Keyes and Ltaief (Systematic Approach in Optimizing Numerical
 * Memory-Bound Kernels on GPU, 2012), kept beside the others to compare with: a group owns a row of
 * blocks (a column of them where A is transposed), so its speed dips where there are a few more
 * groups than a multiple of what runs at once. A second launch beside the first treats the blocks
 * at the edge, which are not whole.
 */
#include "blas/level2/gemv_blocks_variants.h"
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "gemv_blocks_args.h"

_Static_assert(sizeof(gemv_blocks_args) == 12 * 8, "host and device must agree");

#define MOST_ITEMS  1024
#define MOST_GROUPS ((int64_t)1 << 30)

/* The paper's names. elements_per_thread is block / (2 thread_y) there; other values make blocks
 * that are not square. */
static const int32_t blocks[] = {8, 16, 32, 64, 128};
static const int32_t threads_y[] = {1, 2, 4, 8, 16};
static const int32_t elements[] = {1, 2, 4, 8, 16};
const gbl_param gbl_gemv_blocks_space[BLOCKS_PARAMS] = {
    {.name = "block", GBL_VALUES(blocks), .fallback = 64},
    {.name = "thread_y", GBL_VALUES(threads_y), .fallback = 8},
    {.name = "elements_per_thread", GBL_VALUES(elements), .fallback = 4},
};

typedef struct blocks_plan {
    gemv_blocks_args args;
    int32_t block, thread_y, elements;
    int64_t whole; /* groups of the main launch */
    bool edge;     /* there is a clean-up launch */
} blocks_plan;

static bool transposed(const gbl_matrix_call *call)
{
    return call->trans != GABLE_NO_TRANS;
}

static void make_plan(const gbl_matrix_call *call, const gbl_params *params,
                      const gbl_device *device, blocks_plan *plan)
{
    const bool t = transposed(call);
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    memset(plan, 0, sizeof *plan);
    plan->block = params->value[BLOCKS_BLOCK];
    plan->thread_y = params->value[BLOCKS_THREAD_Y];
    plan->elements = params->value[BLOCKS_ELEMENTS];
    while (plan->thread_y > 1 && plan->block * plan->thread_y > MOST_ITEMS)
        plan->thread_y /= 2;
    while (!t && plan->thread_y > 1 &&
           plan->block * plan->thread_y * 2 * elem > gbl_scratch_bytes(&device->props))
        plan->thread_y /= 2;
    while (t && plan->elements > 1 &&
           plan->block * plan->thread_y * plan->elements * elem > gbl_scratch_bytes(&device->props))
        plan->elements /= 2;
    const int64_t outputs = t ? call->n : call->m,
                  size = t ? (int64_t)2 * plan->thread_y * plan->elements : plan->block;
    plan->whole = outputs / size;
    plan->edge = outputs % size != 0;
    plan->args = (gemv_blocks_args){.m = call->m,
                                    .n = call->n,
                                    .lda = call->lda,
                                    .incx = call->incx,
                                    .incy = call->incy,
                                    .scalars = gbl_scalars(&call->alpha, &call->beta)};
}

static void make_spec(const gbl_matrix_call *call, const blocks_plan *plan, bool edge,
                      gbl_kernel_spec *spec)
{
    const bool aligned = (uintptr_t)call->A % gbl_dtype_bytes(call->dtype) == 0;
    gbl_kernel_begin(spec, transposed(call) ? "gemv_blocks_t.cl" : "gemv_blocks_n.cl", call->dtype);
    gbl_kernel_add_macro(spec, "BLOCK", plan->block);
    gbl_kernel_add_macro(spec, "THREAD_Y", plan->thread_y);
    gbl_kernel_add_macro(spec, "ELEMENTS", plan->elements);
    gbl_kernel_add_macro(
        spec, "ALIGN",
        (int32_t)(aligned ? gbl_dtype_bytes(call->dtype) : gbl_dtype_real_bytes(call->dtype)));
    gbl_kernel_add_macro(spec, "EDGE", edge);
    if (transposed(call))
        gbl_kernel_add_macro(spec, "CONJ",
                             call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype));
}

bool gbl_gemv_blocks_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    blocks_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, (int64_t)plan.block * plan.thread_y,
                           (int64_t)plan.elements * (int64_t)gbl_dtype_bytes(call->dtype));
}

/* Of the main launch and of the clean-up; false: there is nothing for it to do. */
static bool has_launch(const blocks_plan *plan, bool edge)
{
    return edge ? plan->edge : plan->whole > 0;
}

int gbl_gemv_blocks_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs)
{
    blocks_plan plan;
    int count = 0;
    (void)self;
    make_plan(call, params, device, &plan);
    for (int edge = 0; edge < 2; edge++)
        if (has_launch(&plan, edge))
            make_spec(call, &plan, edge, &specs[count++]);
    return count;
}

/* Both kernels, in groups that the device takes; NULL where there is nothing for one to do. */
static gable_status get_kernels(gable_context *ctx, const gbl_matrix_call *call,
                                const gbl_params *params, blocks_plan *plan, gbl_kernel *kernels[2])
{
    gbl_params narrower = *params;
    for (;;) {
        bool taken = true;
        make_plan(call, &narrower, ctx->device, plan);
        for (int edge = 0; edge < 2; edge++) {
            gbl_kernel_spec spec;
            kernels[edge] = NULL;
            if (!has_launch(plan, edge))
                continue;
            make_spec(call, plan, edge, &spec);
            TRY(gbl_kernel_get(ctx->device, &spec, &kernels[edge], &ctx->message));
            taken = taken && gbl_kernel_takes(kernels[edge], plan->block * plan->thread_y);
        }
        if (taken || plan->block * plan->thread_y <= 1)
            return GABLE_OK;
        if (plan->thread_y > 1)
            narrower.value[BLOCKS_THREAD_Y] = plan->thread_y / 2;
        else
            narrower.value[BLOCKS_BLOCK] = plan->block / 2;
    }
}

gable_status gbl_gemv_blocks_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                 const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const bool t = transposed(call);
    blocks_plan plan;
    gbl_kernel *kernels[2];
    (void)self;
    TRY(get_kernels(ctx, call, params, &plan, kernels));
    void *A = call->A;
    const int64_t size = t ? (int64_t)2 * plan.thread_y * plan.elements : plan.block;
    bool second = false;
    for (int edge = 0; edge < 2; edge++) {
        int64_t left = edge ? plan.edge : plan.whole;
        plan.args.base = edge ? plan.whole * size : 0;
        for (; left > 0; left -= MOST_GROUPS, plan.args.base += MOST_GROUPS * size) {
            gbl_launch_spec launch = {
                .groups = {left < MOST_GROUPS ? left : MOST_GROUPS, 1},
                .group = {plan.block * plan.thread_y, 1},
                .overlap_previous = second,
                .buffer_count = 5,
                .buffers =
                    {gbl_scalar_buffer(&call->alpha, A), gbl_scalar_buffer(&call->beta, A), A,
                     gbl_first_element(call->x, t ? call->m : call->n, call->incx, call->dtype),
                     gbl_first_element(call->y, t ? call->n : call->m, call->incy, call->dtype)},
                .args = &plan.args,
                .args_bytes = sizeof plan.args,
            };
            TRY(gbl_launch(ctx, kernels[edge], &launch));
            second = true;
        }
    }
    return GABLE_OK;
}

bool gbl_gemv_blocks_fits_n(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return device->table->build != NULL && !transposed((const gbl_matrix_call *)call);
}
bool gbl_gemv_blocks_fits_t(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return device->table->build != NULL && transposed((const gbl_matrix_call *)call);
}

void gbl_gemv_blocks_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost)
{
    const gbl_matrix_routine *routine = self->detail;
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    blocks_plan plan;
    gbl_work least;
    make_plan(call, params, device, &plan);
    routine->work(call, &least);
    memset(cost, 0, sizeof *cost);
    cost->groups = (double)plan.whole + plan.edge;
    cost->memory_bytes = least.bytes_read + least.bytes_written;
    cost->cache_bytes = elem * (double)(transposed(call) ? call->m : call->n) * cost->groups;
    cost->flops = least.flops;
    cost->launches = (plan.whole > 0) + plan.edge;
    cost->group_items = plan.block * plan.thread_y;
    cost->bytes_in_flight = 2 * cost->group_items * plan.elements * elem;
}
