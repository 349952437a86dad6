/* bdsdc_bisect.c: singular values of a bidiagonal matrix by bisection: how it is launched.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Values go to the workspace first, because d is read until all of them are found.
 */
#include "blas/host_cost.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_singular.h"
#include "lapack/bdsdc.h"
#include "lapack/bisect.h"
#include "lapack/safe_range.h"
#include "bdsdc_bisect_args.h"

_Static_assert(sizeof(bdsdc_bisect_args) == 2 * 8, "host and device must agree");

#define BAD_D (-4) /* LAPACK's number of d */

#define GROUP_ITEMS 128
/* A division that waits for the one before, and the rest of a pivot, in exchanges between
 * work-items. */
#define PIVOT_STEPS 4

static int items_for(const gbl_device *device, int64_t n)
{
    return device->props.is_gpu ? GROUP_ITEMS : 1 << gbl_bisect_log2_points(n, device);
}

static int rounds_of(gbl_dtype dtype, int bits)
{
    const int exponent = dtype == GBL_S ? 7 : 10, mantissa = dtype == GBL_S ? 23 : 52;
    return (exponent + bits - 1) / bits + (mantissa + bits - 1) / bits;
}

static void make_spec(const gbl_product_call *call, const gbl_device *device, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "bdsdc_bisect.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", items_for(device, call->n));
    gbl_kernel_add_macro(spec, "BITS", gbl_bisect_log2_points(call->n, device));
}

bool gbl_bdsdc_bisect_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    return call->job == GABLE_NO_VECTORS && gbl_lapack_fits(self, call, device);
}

static gable_status bisect(gable_context *ctx, const gbl_product_call *call, void *numbers,
                           void *values)
{
    const gbl_cpu_bisect_args task = {.n = call->n,
                                      .d = call->d,
                                      .e = call->e,
                                      .numbers = numbers,
                                      .values = values,
                                      .info = call->info,
                                      .bad = BAD_D};
    const bdsdc_bisect_args args = {.n = call->n, .bad = BAD_D};
    gbl_kernel_spec wanted;
    gbl_kernel *kernel;
    if (ctx->device->table->build == NULL) {
        static const gbl_task_function tasks[4] = GBL_CPU_FOUR(bisect);
        return gbl_task(ctx, "bdsdc_bisect", tasks[call->dtype], &task, sizeof task);
    }
    make_spec(call, ctx->device, &wanted);
    TRY(gbl_kernel_get(ctx->device, &wanted, &kernel, &ctx->message));
    const int items = items_for(ctx->device, call->n),
              bits = gbl_bisect_log2_points(call->n, ctx->device);
    gbl_launch_spec launch = {.groups = {gbl_parts(call->n, items >> bits), 1},
                              .group = {items, 1},
                              .buffer_count = 5,
                              .buffers = {call->d, call->e, numbers, values, call->info},
                              .args = &args,
                              .args_bytes = sizeof args};
    return gbl_launch(ctx, kernel, &launch);
}

gable_status gbl_bdsdc_bisect_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                  const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t n = call->n;
    const size_t bytes = (size_t)n * gbl_dtype_bytes(call->dtype);
    const gbl_range_matrix both[] = {
        {.dtype = call->dtype, .m = n, .n = 1, .A = call->d, .lda = n},
        {.dtype = call->dtype, .m = n - 1, .n = 1, .A = call->e, .lda = n}};
    void *numbers, *values;
    (void)self, (void)params;
    TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &values, &ctx->message));
    TRY(gbl_range_one_look(ctx, both, n > 1 ? 2 : 1,
                           call->dtype == GBL_S ? BISECT_RANGE_SINGLE : BISECT_RANGE_DOUBLE,
                           &numbers));
    TRY(bisect(ctx, call, numbers, values));
    return gbl_copy_on_device(ctx, call->d, values, bytes);
}

void gbl_bdsdc_bisect_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, gbl_cost *cost)
{
    const gbl_product_call *call = given;
    const int bits = gbl_bisect_log2_points(call->n, device), items = items_for(device, call->n);
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype),
                 pivots = rounds_of(call->dtype, bits) * 2 * n, points = (1 << bits) - 1;
    (void)self, (void)params;
    if (device->props.is_host) {
        const gbl_host_walk walk = gbl_host_vectors();
        const gbl_work least = {.bytes_read = elem * 2 * n,
                                .bytes_written = elem * n,
                                .flops = rounds_of(call->dtype, 3) * 2 * n * 7 * n * 6};
        gbl_host_cost(&least, &walk, device, cost);
        return;
    }
    /* A division is some ten multiply-adds. */
    *cost = (gbl_cost){.memory_bytes = elem * 3 * n,
                       .written_bytes = elem * n,
                       .cache_bytes = 0,
                       .flops = pivots * n * points * 24,
                       .launches = 5,
                       .steps = pivots * PIVOT_STEPS,
                       .in_waves = true,
                       .groups = (double)gbl_parts(call->n, items >> bits),
                       .group_items = items,
                       .bytes_in_flight = elem * items};
    cost->workspace_bytes = elem * n;
}

int gbl_bdsdc_bisect_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    (void)self, (void)params;
    if (device->table->build == NULL)
        return 0;
    const int count = gbl_range_one_specs(call->dtype, 0, device, specs);
    make_spec(call, device, &specs[count]);
    return count + 1;
}
