/* stream_plan.c: how vectors are cut up for the stream kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads are as wide as the pointers allow: single elements are peeled off until all vectors stand
 * on an aligned address. Where no number of elements achieves that, a GPU's work-items load single
 * elements, as many more of them in flight, so that neighbours still share cache lines; a CPU's
 * narrow their loads.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "reduce_args.h"

_Static_assert(sizeof(stream_args) == 7 * 8, "host and device must agree");
_Static_assert(sizeof(reduce_args) == 10 * 8, "host and device must agree");

static const int32_t locals[] = {1, 32, 64, 128, 256, 512, 1024};
static const int32_t groups_a_unit[] = {1,  2,  4,  6, 8,
                                        12, 16, 32, 0}; /* 0: as many as there is work */
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t ranges[] = {0, 1};
static const int32_t unrolls[] = {1, 2, 4, 8};

const gbl_param gbl_stream_space[STREAM_PARAMS] = {
    {.name = "local", GBL_VALUES(locals), .fallback = 256},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 8},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 2},
    {.name = "range", GBL_VALUES(ranges), .fallback = 0},
    {.name = "unroll", GBL_VALUES(unrolls), .fallback = 4},
};

/* The widest alignment at most `align` that x, y and w reach together after *head elements. */
static int32_t find_alignment(int32_t align, size_t elem, size_t real, uintptr_t x, uintptr_t y,
                              uintptr_t w, int64_t *head)
{
    for (; align > (int32_t)real; align /= 2) {
        const int64_t tries = (size_t)align > elem ? align / (int64_t)elem : 1;
        for (int64_t h = 0; h < tries; h++) {
            const uintptr_t shift = (uintptr_t)h * elem;
            if (((x + shift) | (y + shift) | (w + shift)) % (uintptr_t)align == 0) {
                *head = h;
                return align;
            }
        }
    }
    *head = 0;
    return (int32_t)real;
}

int32_t gbl_stream_alignment(const void *given)
{
    const gbl_vector_call *call = given;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const uintptr_t x = (uintptr_t)call->x, y = call->y != NULL ? (uintptr_t)call->y : x;
    uintptr_t w = call->w != NULL ? (uintptr_t)call->w : x;
    int64_t head;
    if (call->count > 1)
        w = x + (uintptr_t)call->ldx * elem;
    return find_alignment(GBL_WIDEST_LOAD, elem, gbl_dtype_real_bytes(call->dtype), x, y, w, &head);
}

void gbl_stream_plan(const gbl_vector_call *call, const gbl_params *params,
                     const gbl_device *device, int64_t max_groups, gbl_stream *plan)
{
    const size_t elem = gbl_dtype_bytes(call->dtype), real = gbl_dtype_real_bytes(call->dtype);
    const int64_t n = call->n;
    const uintptr_t x = (uintptr_t)call->x;
    const uintptr_t y = call->y != NULL ? (uintptr_t)call->y : x;
    const uintptr_t w = call->w != NULL ? (uintptr_t)call->w : x;
    memset(plan, 0, sizeof *plan);
    plan->args.n = n;
    plan->args.incx = call->incx;
    plan->args.incy = call->incy;
    plan->args.incw = call->incw;
    plan->strided = call->incx != 1 || (call->y != NULL && call->incy != 1) ||
                    (call->w != NULL && call->incw != 1);
    plan->vec = plan->strided ? 1 : params->value[STREAM_VEC];
    plan->local = params->value[STREAM_LOCAL];
    plan->unroll = params->value[STREAM_UNROLL];
    int32_t widest = plan->vec * (int32_t)elem;
    widest = widest < GBL_WIDEST_LOAD ? widest : GBL_WIDEST_LOAD;
    plan->align = find_alignment(widest, elem, real, x, y, w, &plan->args.head);
    if (plan->align < widest && device->props.is_gpu) {
        plan->unroll *= plan->vec;
        plan->vec = 1;
    }
    if (plan->vec == 1) {
        plan->args.head = 0;
        plan->align = (int32_t)(((x | y | w) % elem == 0) ? elem : real);
    }
    if (plan->args.head > n)
        plan->args.head = n;
    plan->args.vectors = (n - plan->args.head) / plan->vec;

    const int64_t a_group = (int64_t)plan->local * plan->unroll;
    int64_t groups = (plan->args.vectors + a_group - 1) / a_group;
    int64_t limit = (int64_t)params->value[STREAM_GROUPS] * device->props.units;
    if (limit == 0 || limit > INT32_MAX)
        limit = INT32_MAX;
    if (max_groups > 0 && limit > max_groups)
        limit = max_groups;
    groups = groups < limit ? groups : limit;
    plan->groups = groups > 1 ? groups : 1;

    /* A range is whole rounds of the group, so that its loads stay aligned like the first. */
    const int64_t a_round = plan->groups * plan->local;
    plan->args.per_group = (plan->args.vectors + a_round - 1) / a_round * plan->local;
}

void gbl_stream_kernel(const char *file, gbl_dtype dtype, const gbl_stream *plan,
                       const gbl_params *params, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, file, dtype);
    gbl_kernel_add_macro(spec, "WX", plan->local);
    gbl_kernel_add_macro(spec, "VEC", plan->vec);
    gbl_kernel_add_macro(spec, "UNROLL", plan->unroll);
    gbl_kernel_add_macro(spec, "RANGE", params->value[STREAM_RANGE]);
    gbl_kernel_add_macro(spec, "STRIDED", plan->strided);
    gbl_kernel_add_macro(spec, "ALIGN", plan->align);
}

void gbl_stream_spec(const gbl_vector_call *call, const gbl_params *params,
                     const gbl_device *device, const gbl_stream_use *use, gbl_stream *plan,
                     gbl_kernel_spec *spec)
{
    gbl_stream_plan(call, params, device, use->max_groups, plan);
    gbl_stream_kernel(use->file, call->dtype, plan, params, spec);
    for (int i = 0; i < use->macro_count; i++)
        gbl_kernel_add_macro(spec, use->macros[i].name, use->macros[i].value);
}

gable_status gbl_stream_prepare(gable_context *ctx, const gbl_vector_call *call,
                                const gbl_params *given, const gbl_stream_use *use,
                                gbl_stream *plan, gbl_kernel **kernel)
{
    gbl_params params = *given;
    for (;; params.value[STREAM_LOCAL] /= 2, params.value[STREAM_GROUPS] *= 2) {
        gbl_kernel_spec spec;
        gbl_stream_spec(call, &params, ctx->device, use, plan, &spec);
        TRY(gbl_kernel_get(ctx->device, &spec, kernel, &ctx->message));
        /* NVIDIA's OpenCL (driver 580) reports 256 for kernels that require groups of 512. */
        const int most = (*kernel)->code->max_group;
        if (most <= 0 || most >= plan->local || plan->local == 1)
            return GABLE_OK;
    }
}

bool gbl_stream_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    return device->table->build != NULL;
}

double gbl_reduce_steps(const gbl_device *device, int64_t items)
{
    double steps = GBL_END_STEPS;
    for (int64_t lanes = items; lanes > 1; lanes /= 2)
        steps++;
    return items > device->props.simd ? steps + GBL_LOCAL_STEPS : steps;
}

/* reduce_launches: 0 for no reduction, 1 for one in one pass, 2 for one in two. */
static void cost_of(const gbl_variant *self, const gbl_vector_call *call, const gbl_params *params,
                    const gbl_device *device, int reduce_launches, gbl_cost *cost)
{
    const gbl_vector_routine *routine = self->detail;
    gbl_stream plan;
    gbl_work least;
    routine->work(call, &least);
    gbl_stream_plan(call, params, device, reduce_launches > 0 ? STREAM_MAX_PARTIALS : 0, &plan);
    const double loaded = call->n > 0 ? least.bytes_read / (double)call->n : 0;
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = least.bytes_read + least.bytes_written;
    cost->flops = least.flops;
    cost->launches = reduce_launches > 1 ? reduce_launches : 1;
    cost->barriers = reduce_launches == 1 && plan.groups > 1 ? 1 : 0;
    cost->steps = reduce_launches * gbl_reduce_steps(device, plan.local);
    cost->groups = (double)plan.groups;
    cost->group_items = plan.local;
    cost->bytes_in_flight = (double)plan.local * plan.unroll * plan.vec * loaded;
}

void gbl_stream_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost)
{
    cost_of(self, call, params, device, 0, cost);
}

bool gbl_stream_legal(const gbl_variant *variant, const void *given, const gbl_params *params,
                      const gbl_device *device, uint64_t *hash)
{
    const gbl_vector_call *call = given;
    struct {
        gbl_stream stream;
        int32_t range, batch, groups;
    } plan;
    const bool columns = variant->space_count > STREAM_PARAMS;
    memset(&plan, 0, sizeof plan);
    gbl_stream_plan(call, params, device, 0, &plan.stream);
    plan.range = params->value[STREAM_RANGE];
    plan.batch = columns ? params->value[STREAM_PARAMS] : 1;
    plan.groups = columns ? params->value[STREAM_GROUPS] : 0; /* shared by batches of columns */
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.stream.local,
                           (int64_t)plan.stream.unroll * plan.stream.vec * plan.batch *
                               (int64_t)gbl_dtype_bytes(call->dtype));
}

/* ---- Reductions ---- */

bool gbl_reduce_fits_one_pass(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return gbl_stream_fits(self, call, device) && device->props.fence_device;
}

void gbl_reduce_cost_one_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_cost *cost)
{
    cost_of(self, call, params, device, 1, cost);
}

void gbl_reduce_cost_two_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_cost *cost)
{
    cost_of(self, call, params, device, 2, cost);
}

/* The routines that add alpha to their sum get it behind the result. */
static void add_result(gbl_launch_spec *launch, const gbl_vector_routine *routine,
                       const gbl_vector_call *call)
{
    launch->buffers[launch->buffer_count++] = call->result;
    if (routine->adds_alpha)
        launch->buffers[launch->buffer_count++] =
            call->alpha.device != NULL ? call->alpha.device : call->x;
}

static gbl_stream_use reduce_use(const gbl_vector_routine *routine, const gbl_vector_call *call,
                                 bool one_pass)
{
    gbl_stream_use use = {
        .file = routine->kernel,
        .max_groups = STREAM_MAX_PARTIALS,
        .macro_count = call->y != NULL ? 2 : 1,
        .macros = {{"ONE_PASS", one_pass}, {"CONJ", call->conj}},
    };
    if (routine->adds_alpha) {
        use.macros[1].name = "WIDE_RESULT";
        use.macros[1].value = call->wide_result;
    }
    return use;
}

static void finish_spec(const gbl_vector_routine *routine, const gbl_vector_call *call,
                        const gbl_stream *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, routine->finish, call->dtype);
    gbl_kernel_add_macro(spec, "WX", plan->local);
    if (routine->adds_alpha)
        gbl_kernel_add_macro(spec, "WIDE_RESULT", call->wide_result);
}

int gbl_reduce_specs_one_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_stream_use use = reduce_use(self->detail, call, true);
    gbl_stream plan;
    gbl_stream_spec(call, params, device, &use, &plan, specs);
    return 1;
}

int gbl_reduce_specs_two_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_stream_use use = reduce_use(self->detail, call, false);
    gbl_stream plan;
    gbl_stream_spec(call, params, device, &use, &plan, &specs[0]);
    finish_spec(self->detail, call, &plan, &specs[1]);
    return 2;
}

static gable_status finish(gable_context *ctx, const gbl_vector_routine *routine,
                           const gbl_vector_call *call, const gbl_stream *plan,
                           const void *partials, const reduce_args *args)
{
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    finish_spec(routine, call, plan, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {1, 1},
        .group = {plan->local, 1},
        .buffer_count = 1,
        .buffers = {partials},
        .args = args,
        .args_bytes = sizeof *args,
    };
    add_result(&launch, routine, call);
    return gbl_launch(ctx, kernel, &launch);
}

static gable_status reduce(gable_context *ctx, const gbl_vector_routine *routine,
                           const gbl_vector_call *call, const gbl_params *params, bool one_pass)
{
    gbl_stream plan;
    gbl_kernel *kernel;
    void *partials, *counter;
    const int simd = ctx->device->props.simd;
    if (simd > 1 && params->value[STREAM_LOCAL] % simd != 0)
        return gbl_fail(
            &ctx->message, GABLE_NOT_SUPPORTED,
            "local=%d is no choice for a reduction on %s, whose lanes run together by %d",
            (int)params->value[STREAM_LOCAL], ctx->device->info.name, simd);
    const gbl_stream_use use = reduce_use(routine, call, one_pass);
    TRY(gbl_stream_prepare(ctx, call, params, &use, &plan, &kernel));
    TRY(gbl_arena_take(ctx->arena, ctx->device,
                       (size_t)plan.groups * routine->partial_bytes[call->dtype], &partials,
                       &ctx->message));
    TRY(gbl_arena_counter(ctx->arena, ctx->queue, &counter, &ctx->message));

    const reduce_args args = {plan.args, plan.groups, call->alpha.re, call->alpha.device != NULL};
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.local, 1},
        .args = &args,
        .args_bytes = sizeof args,
    };
    launch.buffers[launch.buffer_count++] =
        gbl_first_element(call->x, call->n, call->incx, call->dtype);
    if (call->y != NULL)
        launch.buffers[launch.buffer_count++] =
            gbl_first_element(call->y, call->n, call->incy, call->dtype);
    launch.buffers[launch.buffer_count++] = partials;
    launch.buffers[launch.buffer_count++] = counter;
    add_result(&launch, routine, call);
    TRY(gbl_launch(ctx, kernel, &launch));
    return one_pass ? GABLE_OK : finish(ctx, routine, call, &plan, partials, &args);
}

gable_status gbl_reduce_one_pass(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    return reduce(ctx, self->detail, call, params, true);
}

gable_status gbl_reduce_two_pass(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    return reduce(ctx, self->detail, call, params, false);
}
