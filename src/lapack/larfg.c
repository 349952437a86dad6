/* larfg.c: the elementary reflector of a vector: H^H (alpha, x) = (beta, 0), H = I - tau v v^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `group` is one group, or a task on cpu. The reflector is that of geqrf (kernels/lapack/
 * reflector.h): sums of squares neither overflow nor underflow, and where the norm is near an end
 * of the range all numbers are multiplied by a power of two first.
 */
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "lapack/lapack.h"
#include "larfg_args.h"

_Static_assert(sizeof(larfg_args) == 2 * 8, "host and device must agree");

#define MOST_APART   32 /* work-items where lanes do not exchange numbers: as geqrf's leaf */
#define SINGLE_STEPS 16 /* norm, root, quotients */

enum { GROUP_ITEMS, LARFG_PARAMS };
static const int32_t items[] = {1, 8, 16, 32, 64, 128, 256, 512, 1024};
static const gbl_param space[LARFG_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 512}};

static int32_t items_of(const gbl_params *params, const gbl_device *device)
{
    const int32_t wanted = params->value[GROUP_ITEMS];
    if (!device->props.is_gpu)
        return wanted < 16 ? wanted : 16;
    return gbl_lanes_exchange(&device->props) || wanted < MOST_APART ? wanted : MOST_APART;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    int32_t *count = planned;
    (void)self;
    *count = items_of(params, device);
    while (*count > most_items && *count > 1)
        *count /= 2;
    gbl_kernel_begin(spec, "larfg.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", *count);
    return *count;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    int32_t count;
    if (device->table->build == NULL)
        return 0;
    plan_kernel(self, call, params, device, INT32_MAX, &count, specs);
    return 1;
}

/* x one element behind the other, for the task: copied there and back where it is not. */
static gable_status run_task(gable_context *ctx, const gbl_product_call *call)
{
    static const gbl_task_function tasks[4] = GBL_CPU_FOUR(larfg);
    const int64_t count = call->m - 1;
    const bool copied = call->ldb != 1 && count > 0;
    gbl_cpu_larfg_args task = {.n = call->m, .alpha = call->A, .x = call->B, .tau = call->tau};
    if (copied)
        TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)count * gbl_dtype_bytes(call->dtype),
                           &task.x, &ctx->message));
    const gbl_vector_call there = {.dtype = call->dtype,
                                   .n = count,
                                   .incx = call->ldb,
                                   .incy = 1,
                                   .x = call->B,
                                   .y = task.x},
                          back = {.dtype = call->dtype,
                                  .n = count,
                                  .incx = 1,
                                  .incy = call->ldb,
                                  .x = task.x,
                                  .y = call->B};
    if (copied)
        TRY(gbl_copy(ctx, "larfg", &there));
    TRY(gbl_task(ctx, "larfg", tasks[call->dtype], &task, sizeof task));
    return copied ? gbl_copy(ctx, "larfg", &back) : GABLE_OK;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const larfg_args args = {.n = call->m - 1, .incx = call->ldb};
    gbl_kernel *kernel;
    int32_t count;
    if (ctx->device->table->build == NULL)
        return run_task(ctx, call);
    TRY(gbl_plan_kernel(ctx, self, call, params, GROUP_ITEMS, plan_kernel, &count, &kernel));
    gbl_launch_spec launch = {
        .groups = {1, 1},
        .group = {count, 1},
        .buffer_count = 3,
        .buffers = {call->A, args.n > 0 ? call->B : call->A, call->tau},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->m;
    *least = (gbl_work){.bytes_read = elem * n,
                        .bytes_written = elem * (n + 1),
                        .flops = gbl_lapack_flops(call, 1.5 * n)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const int32_t count = items_of(params, device);
    gbl_work least;
    (void)self;
    work(call, &least);
    *out = (gbl_cost){.memory_bytes = 1.5 * least.bytes_read + least.bytes_written,
                      .written_bytes = least.bytes_written,
                      .flops = least.flops,
                      .launches = 1,
                      .groups = 1,
                      .group_items = count,
                      .bytes_in_flight = (double)gbl_dtype_bytes(call->dtype) * count,
                      .steps = SINGLE_STEPS + 2 * GBL_LOCAL_STEPS};
}

static bool legal(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    const int32_t count = items_of(params, device);
    (void)self, (void)call;
    *hash = gbl_plan_hash(&count, sizeof count);
    return device->table->build == NULL ||
           (gbl_group_legal(device, count, 0) &&
            (!gbl_lanes_exchange(&device->props) || count % (int32_t)device->props.simd == 0));
}

static const gbl_variant variants[] = {{.name = "group",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .space = space,
                                        .space_count = LARFG_PARAMS,
                                        .legal = legal,
                                        .kernels = "larfg.cl",
                                        .specs = specs}};

static int64_t one(const void *call)
{
    (void)call;
    return 1;
}

static int64_t behind_alpha(const void *given)
{
    const gbl_product_call *call = given;
    return call->m - 1;
}

/* Of nothing tau is still written. */
static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    return call->m == 0 ? gbl_check_address(ctx, 6, "tau", call->tau) : GABLE_OK;
}

/* x is a matrix of one row: its leading dimension is the stride, which is at least 1. */
static const gbl_operand operands[] = {
    {.name = "n", .kind = GBL_SIZE, .at = PRODUCT_AT(m)},
    {.name = "alpha",
     .kind = GBL_NUMBERS,
     .access = GBL_READ_WRITE,
     .at = PRODUCT_AT(A),
     .rows = one},
    {.name = "x",
     .kind = GBL_MATRIX,
     .access = GBL_READ_WRITE,
     .at = PRODUCT_AT(B),
     .step = PRODUCT_AT(ldb),
     .rows = one,
     .columns = behind_alpha},
    {.name = "incx", .kind = GBL_LD, .at = PRODUCT_AT(ldb), .least = "1"},
    GBL_LAPACK_TAU(GBL_WRITE, one),
};

const gbl_op gbl_larfg_op = {
    .stem = "larfg",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_larfg(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    TRY(gbl_call_run(ctx, name, &gbl_larfg_op, call));
    if (call->m > 0)
        return GABLE_OK;
    const gbl_product_call zero = {
        .dtype = call->dtype, .uplo = GABLE_GENERAL, .m = 1, .n = 1, .A = call->tau, .lda = 1};
    return gbl_laset(ctx, name, &zero);
}
