/* block_plan.c: reflectors taken out of a matrix block by block, as V and T.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "lapack/block_plan.h"
#include "lapack/turned.h"
#include "larft_args.h"

_Static_assert(sizeof(larft_args) == 3 * 8, "host and device must agree");

#define FEWEST_COLUMNS 8
/* On cpu calls cost little, and a block of all reflectors takes three times the flops of reflectors
 * one by one. Two cores of a Xeon with AVX-512, 2026-11-18, one block against blocks of an eighth
 * to a quarter: orgqr takes 0.4 to 0.6 of the time for k = 60 to 200 and 0.7 to 0.9 for k = 400. */
#define HOST_BLOCKS  8
#define HOST_COLUMNS 16

static const int32_t items[] = {1, 8, 16, 32, 64, 128};
static const int32_t columns[] = {8, 16, 32};
static const int32_t blocks[] = {32, 64, 128, 256};
const gbl_param gbl_block_space[BLOCK_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 32},
    {.name = "columns", GBL_VALUES(columns), .fallback = 32},
    {.name = "block", GBL_VALUES(blocks), .fallback = 128},
};

/* ---- Plans ---- */

void gbl_block_make_plan(const gbl_product_call *call, const gbl_params *params,
                         const gbl_device *device, gbl_block_plan *plan)
{
    const gbl_props *props = &device->props;
    const bool host = device->table->build == NULL;
    *plan = (gbl_block_plan){.items = params->value[BLOCK_ITEMS],
                             .columns = params->value[BLOCK_COLUMNS],
                             .block = params->value[BLOCK_SIZE]};
    if (!props->is_gpu && plan->items > 16)
        plan->items = 16;
    if (host)
        plan->items = 0;
    while (host && plan->columns > HOST_COLUMNS && 4 * (int64_t)plan->columns > call->k)
        plan->columns /= 2;
    /* larft_leaf.cl declares two squares. */
    while (plan->columns > FEWEST_COLUMNS &&
           (plan->columns / 2 >= call->k ||
            (plan->items > 0 &&
             2 * (int64_t)gbl_dtype_bytes(call->dtype) * plan->columns * plan->columns >
                 gbl_own_local_bytes(props))))
        plan->columns /= 2;
    while (plan->block > plan->columns &&
           plan->block / 2 >= (host ? call->k / HOST_BLOCKS : call->k))
        plan->block /= 2;
}

void gbl_block_make_whole(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device, gbl_block_plan *plan)
{
    gbl_block_make_plan(call, params, device, plan);
    plan->block = call->k > plan->columns ? call->k : plan->columns;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    gbl_block_plan *plan = planned;
    (void)self;
    gbl_block_make_plan(call, params, device, plan);
    while (plan->items > most_items && plan->items > 1)
        plan->items /= 2;
    memset(spec, 0, sizeof *spec);
    spec->file = "larft_leaf.cl";
    spec->dtype = call->dtype;
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->columns);
    return plan->items;
}

int gbl_block_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    gbl_block_plan plan;
    if (device->table->build == NULL || call->k == 0)
        return 0;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

bool gbl_block_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, uint64_t *hash)
{
    gbl_block_plan plan;
    (void)self;
    gbl_block_make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return device->table->build == NULL || gbl_group_legal(device, plan.items, 0);
}

bool gbl_block_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL || device->props.is_host;
}

gable_status gbl_block_trans(gable_context *ctx, const gbl_product_call *call, int number)
{
    CHECK_ARG(ctx, !gbl_dtype_complex(call->dtype) || call->trans != GABLE_TRANS, number, "trans",
              "is GABLE_TRANS; a unitary matrix is applied as it is or conjugate-transposed");
    return GABLE_OK;
}

/* ---- Blocks ---- */

static gable_status make_plan(gable_context *ctx, const gbl_variant *self, const char *routine,
                              const gbl_product_call *call, const gbl_params *params, int64_t rows,
                              gbl_blocks *b)
{
    *b = (gbl_blocks){.ctx = ctx,
                      .routine = routine,
                      .call = call,
                      .rows = rows,
                      .above = call->uplo == GABLE_UPPER,
                      .tau = call->tau};
    gbl_block_make_plan(call, params, ctx->device, &b->plan);
    return ctx->device->table->build == NULL ? GABLE_OK
                                             : gbl_plan_kernel(ctx, self, call, params, BLOCK_ITEMS,
                                                               plan_kernel, &b->plan, &b->kernel);
}

static gable_status take_room(gable_context *ctx, const gbl_product_call *call, int64_t rows,
                              gable_side side, int64_t wide, gbl_blocks *b)
{
    const gbl_dtype dtype = call->dtype;
    const int64_t most = b->plan.block < call->k ? b->plan.block : call->k;
    b->h.dtype = dtype;
    TRY(gbl_composed_room(ctx, dtype, rows, most, &b->h.V, &b->h.ldv));
    TRY(gbl_composed_room(ctx, dtype, most, most, &b->h.T, &b->h.ldt));
    TRY(gbl_composed_room(ctx, dtype, most, most, &b->G, &b->ldg));
    TRY(gbl_fill_bytes(ctx, b->h.T, 0, (size_t)(b->h.ldt * most) * gbl_dtype_bytes(dtype)));
    if (b->above && gbl_dtype_complex(dtype)) {
        void *tau;
        int64_t ld;
        TRY(gbl_composed_room(ctx, dtype, call->k, 1, &tau, &ld));
        TRY(gbl_turned(ctx, b->routine, dtype, 1, call->k, call->tau, 1, tau, ld));
        b->tau = tau;
    }
    const int64_t across = wide > most ? wide : most; /* joins need a block as well */
    return side == GABLE_LEFT ? gbl_reflect_take(ctx, dtype, most, across, &b->room)
                              : gbl_reflect_take(ctx, dtype, across, most, &b->room);
}

gable_status gbl_blocks_begin(gable_context *ctx, const gbl_variant *self, const char *routine,
                              const gbl_product_call *call, const gbl_params *params, int64_t rows,
                              gable_side side, int64_t wide, gbl_blocks *b)
{
    TRY(make_plan(ctx, self, routine, call, params, rows, b));
    return take_room(ctx, call, rows, side, wide, b);
}

gable_status gbl_blocks_begin_whole(gable_context *ctx, const gbl_variant *self,
                                    const char *routine, const gbl_product_call *call,
                                    const gbl_params *params, int64_t rows, gbl_blocks *b)
{
    TRY(make_plan(ctx, self, routine, call, params, rows, b));
    b->plan.block = call->k > b->plan.columns ? call->k : b->plan.columns;
    return take_room(ctx, call, rows, GABLE_LEFT, 0, b);
}

static gable_status multiply(const gbl_blocks *b, gbl_product_call product, const void *A,
                             int64_t lda, const void *B, int64_t ldb, void *C, int64_t ldc)
{
    product.A = (void *)(uintptr_t)A;
    product.lda = lda;
    product.B = (void *)(uintptr_t)B;
    product.ldb = ldb;
    product.C = C;
    product.ldc = ldc;
    return gbl_gemm(b->ctx, b->routine, &product);
}

/* The block T12 between two neighbours: -T11 (G12 T22). */
static gable_status join(const gbl_blocks *b, int64_t from, int64_t count)
{
    if (count <= b->plan.columns)
        return GABLE_OK;
    const gbl_dtype t = b->h.dtype;
    const int64_t half = gbl_reflect_half(count, b->plan.columns), middle = from + half,
                  rest = count - half;
    TRY(join(b, from, half));
    TRY(join(b, middle, rest));
    TRY(multiply(b, gbl_reflect_product(t, false, false, half, rest, rest, 1, 0),
                 gbl_element(t, b->G, b->ldg, from, middle), b->ldg,
                 gbl_element(t, b->h.T, b->h.ldt, middle, middle), b->h.ldt, b->room.W,
                 b->room.ld));
    return multiply(b, gbl_reflect_product(t, false, false, half, rest, half, -1, 0),
                    gbl_element(t, b->h.T, b->h.ldt, from, from), b->h.ldt, b->room.W, b->room.ld,
                    gbl_element(t, b->h.T, b->h.ldt, from, middle), b->h.ldt);
}

static gable_status small_blocks(const gbl_blocks *b, const void *tau)
{
    const gbl_reflectors *h = &b->h;
    if (b->kernel == NULL) {
        static const gbl_task_function tasks[4] = {gbl_cpu_slarft_leaf, gbl_cpu_dlarft_leaf,
                                                   gbl_cpu_clarft_leaf, gbl_cpu_zlarft_leaf};
        const gbl_cpu_larft_args task = {.k = h->k,
                                         .columns = b->plan.columns,
                                         .G = b->G,
                                         .tau = tau,
                                         .t = h->T,
                                         .ldg = b->ldg,
                                         .ldt = h->ldt};
        return gbl_task(b->ctx, "larft_leaf", tasks[h->dtype], &task, sizeof task);
    }
    const larft_args args = {.k = h->k, .ldg = b->ldg, .ldt = h->ldt};
    gbl_launch_spec launch = {
        .groups = {gbl_parts(h->k, b->plan.columns), 1},
        .group = {b->plan.items, 1},
        .buffer_count = 3,
        .buffers = {b->G, (void *)(uintptr_t)tau, h->T},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(b->ctx, b->kernel, &launch);
}

/* V := rows [i, i + m) of the block's columns from j on: all of them, or a triangle; it starts in
 * row `to` of V. */
static gable_status copy_vectors(const gbl_blocks *b, gable_uplo part, int64_t i, int64_t j,
                                 int64_t m, int64_t to)
{
    const gbl_product_call *call = b->call;
    const gbl_reflectors *h = &b->h;
    const gbl_product_call vectors = {.dtype = h->dtype,
                                      .uplo = part,
                                      .m = m,
                                      .n = h->k,
                                      .A = gbl_element(h->dtype, call->A, call->lda, i, j),
                                      .lda = call->lda,
                                      .B = gbl_element(h->dtype, h->V, h->ldv, to, 0),
                                      .ldb = h->ldv};
    return m == 0 ? GABLE_OK : gbl_lacpy(b->ctx, b->routine, &vectors);
}

/* The ones on a diagonal of V that starts in row `to`, and the zeros on one side of it. */
static gable_status put_ones(const gbl_blocks *b, gable_uplo part, int64_t m, int64_t to)
{
    const gbl_reflectors *h = &b->h;
    const gbl_product_call ones = {.dtype = h->dtype,
                                   .uplo = part,
                                   .m = m,
                                   .n = h->k,
                                   .beta = {.re = 1},
                                   .A = gbl_element(h->dtype, h->V, h->ldv, to, 0),
                                   .lda = h->ldv};
    return gbl_laset(b->ctx, b->routine, &ones);
}

gable_status gbl_blocks_take(gbl_blocks *b, int64_t at)
{
    const int64_t rest = b->call->k - at;
    gbl_reflectors *h = &b->h;
    h->k = rest < b->plan.block ? rest : b->plan.block;
    h->m = b->above ? at + h->k : b->rows - at;
    if (b->above) {
        TRY(copy_vectors(b, GABLE_GENERAL, 0, at, at, 0));
        TRY(copy_vectors(b, GABLE_UPPER, at, at, h->k, at));
        TRY(put_ones(b, GABLE_LOWER, h->k, at));
    } else {
        TRY(copy_vectors(b, GABLE_LOWER, at, at, h->m, 0));
        TRY(put_ones(b, GABLE_UPPER, h->m, 0));
    }
    TRY(multiply(b, gbl_reflect_product(h->dtype, true, false, h->k, h->k, h->m, 1, 0), h->V,
                 h->ldv, h->V, h->ldv, b->G, b->ldg));
    TRY(small_blocks(b, gbl_element(h->dtype, b->tau, 0, at, 0)));
    return join(b, 0, h->k);
}

gable_status gbl_blocks_apply(const gbl_blocks *b, gable_side side, bool adjoint, int64_t n,
                              void *C, int64_t ldc)
{
    return gbl_reflect(b->ctx, b->routine, side, adjoint, &b->h, n, C, ldc, &b->room);
}

/* ---- What it costs ---- */

double gbl_block_launches(const gbl_product_call *call, const gbl_block_plan *plan)
{
    const double leaves = (double)gbl_parts(plan->block, plan->columns);
    return (double)gbl_parts(call->k, plan->block) * (4 + 2 * (leaves - 1) + 3);
}

int gbl_block_parts(const gbl_product_call *call, const gbl_block_plan *plan, int64_t rows,
                    gable_side side, int64_t wide, gbl_part_call *parts)
{
    const gbl_dtype t = call->dtype;
    const int64_t k = plan->block < call->k ? plan->block : call->k,
                  mean = rows - call->k / 2 > k ? rows - call->k / 2 : k;
    const double times = (double)gbl_parts(call->k, plan->block);
    const bool left = side == GABLE_LEFT;
    const gbl_product_call vectors = {.dtype = t,
                                      .uplo = GABLE_LOWER,
                                      .m = mean,
                                      .n = k,
                                      .A = call->A,
                                      .lda = call->lda,
                                      .B = call->A,
                                      .ldb = gbl_composed_ld(t, mean)},
                           ones = {.dtype = t,
                                   .uplo = GABLE_UPPER,
                                   .m = mean,
                                   .n = k,
                                   .beta = {.re = 1},
                                   .A = call->A,
                                   .lda = gbl_composed_ld(t, mean)},
                           squares = gbl_reflect_product(t, true, false, k, k, mean, 1, 0);
    const gbl_cost leaf = {
        .memory_bytes = (double)gbl_dtype_bytes(t) * 2 * (double)(k * k),
        .written_bytes = (double)gbl_dtype_bytes(t) * (double)(k * k),
        .flops = gbl_lapack_flops(call, (double)k * plan->columns * plan->columns / 6),
        .launches = 1,
        .groups = (double)gbl_parts(k, plan->columns),
        .group_items = plan->items > 0 ? plan->items : 1,
        .bytes_in_flight = (double)gbl_dtype_bytes(t) * plan->columns,
        .steps = plan->items > 0 ? 2.0 * plan->columns * plan->columns : 0};
    int count = gbl_composed_call(parts, 0, &gbl_lacpy_op, &vectors, times);
    count = gbl_composed_call(parts, count, &gbl_laset_op, &ones, times);
    count = gbl_composed_product(parts, count, &squares, times);
    count = gbl_composed_kernel(parts, count, &leaf, times);
    double nodes = times;
    for (int64_t half = plan->block / 2; half >= plan->columns && half < k; half /= 2) {
        const gbl_product_call small = gbl_reflect_product(t, false, false, half, half, half, 1, 0);
        count = gbl_composed_product(parts, count, &small, 2 * nodes);
        nodes *= 2;
    }
    if (wide < 1)
        return count;
    const gbl_product_call down = left ? gbl_reflect_product(t, true, false, k, wide, mean, 1, 0)
                                       : gbl_reflect_product(t, false, false, wide, k, mean, 1, 0),
                           small = left ? gbl_reflect_product(t, false, false, k, wide, k, 1, 0)
                                        : gbl_reflect_product(t, false, false, wide, k, k, 1, 0),
                           up = left ? gbl_reflect_product(t, false, false, mean, wide, k, -1, 1)
                                     : gbl_reflect_product(t, false, true, wide, mean, k, -1, 1);
    count = gbl_composed_product(parts, count, &down, times);
    count = gbl_composed_product(parts, count, &small, times);
    return gbl_composed_product(parts, count, &up, times);
}
