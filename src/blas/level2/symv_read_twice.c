/* symv_read_twice.c: y := alpha A x + beta y, A symmetric or Hermitian and small beside the cache
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One launch, in which nobody waits for anybody: a group computes whole elements of y, so every
 * stored element is read twice, once from memory and once from the cache (symv_read_twice.cl). That
 * is for GPUs, and for triangles that stay in the cache from one reading to the other; for larger
 * ones symv.c reads once and takes a second launch.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "blas/level2/symv_read_twice.h"
#include "core/launch.h"
#include "symv_args.h"

_Static_assert(sizeof(symv_read_twice_args) == 10 * 8, "host and device must agree");

#define REGISTERS       65536 /* of 4 bytes that a group has, */
#define MOST_REGISTERS  255   /* and per work-item; */
#define OTHER_REGISTERS 44    /* those that hold no elements */
/* Strips that start within cache lines fetch more than they use, and launches are only one part of
 * the time: on an H200 (60 MiB of cache) it was faster than two_pass at n = 1024 (s, d) and 2048
 * (s), slower at 2048 (d) and at n = 300, 700, 1500 and 2000, where columns are no multiples of
 * lines. */
#define SHARE_OF_CACHE 6 /* the triangle is at most the cache by this */
#define LINE           128

enum { TWICE_ITEMS, TWICE_WX, TWICE_ROWS, TWICE_VEC, TWICE_LOADS };
static const int32_t items[] = {64, 128, 256, 512};
static const int32_t teams[] = {16, 32, 64};
static const int32_t strips[] = {4, 8, 16, 32};
static const int32_t vectors[] = {1, 2, 4};
static const int32_t loads[] = {2, 4, 8};

const gbl_param gbl_symv_read_twice_space[GBL_SYMV_READ_TWICE_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 512},
    {.name = "wx", GBL_VALUES(teams), .fallback = 32},
    {.name = "rows", GBL_VALUES(strips), .fallback = 8},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 4},
    {.name = "loads", GBL_VALUES(loads), .fallback = 8},
};

typedef struct twice_plan {
    symv_read_twice_args args;
    int64_t groups;
    int32_t items, team, rows, vec, loads, align;
} twice_plan;

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Lanes that the kernel lets run together: those of the dialects that have local memory by
 * launch. */
static int32_t together(const gbl_device *device)
{
    const gbl_props *props = &device->props;
    return props->max_dynamic_local_bytes > 0 && props->simd > 1 ? props->simd : 1;
}

/* A team should be as many lanes as run together: without exchanges all sums meet in local
 * memory. */
static void plan_shape(const gbl_params *params, const gbl_device *device, int32_t elem,
                       twice_plan *plan)
{
    const int32_t words = elem / 4;
    plan->items = params->value[TWICE_ITEMS];
    plan->team = least(params->value[TWICE_WX], plan->items);
    plan->rows = least(params->value[TWICE_ROWS], plan->team);
    plan->vec = least(least(params->value[TWICE_VEC], GBL_WIDEST_LOAD / elem), plan->rows);
    plan->loads = least(params->value[TWICE_LOADS], plan->rows);
    while (together(device) != plan->team && plan->items > plan->team &&
           (int64_t)plan->items * (plan->vec + plan->loads) * elem >
               gbl_scratch_bytes(&device->props))
        plan->items /= 2;
    const int32_t held = least(REGISTERS / plan->items, MOST_REGISTERS) - OTHER_REGISTERS;
    while (plan->loads > 1 && (plan->loads * (plan->vec + 2) + plan->vec) * words > held)
        plan->loads /= 2;
}

static void make_plan(const gbl_matrix_call *call, const gbl_params *params,
                      const gbl_device *device, twice_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype);
    memset(plan, 0, sizeof *plan);
    plan_shape(params, device, elem, plan);
    plan->align = plan->vec * elem; /* columns are whole lines */
    plan->args = (symv_read_twice_args){.n = call->n,
                                        .lda = call->lda,
                                        .incx = call->incx,
                                        .incy = call->incy,
                                        .scalars = gbl_scalars(&call->alpha, &call->beta)};
    plan->groups = (call->n + plan->rows - 1) / plan->rows;
}

static void make_spec(const gbl_matrix_call *call, const twice_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "symv_read_twice.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "TEAM", plan->team);
    gbl_kernel_add_macro(spec, "VEC", plan->vec);
    gbl_kernel_add_macro(spec, "ROWS", plan->rows);
    gbl_kernel_add_macro(spec, "LOADS", plan->loads);
    gbl_kernel_add_macro(spec, "ALIGN", plan->align);
    gbl_kernel_add_macro(spec, "UPPER", call->uplo == GABLE_UPPER);
    gbl_kernel_add_macro(spec, "HERMITIAN", call->conj);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    twice_plan *plan = planned;
    (void)self, (void)most_items;
    make_plan(given, params, device, plan);
    make_spec(given, plan, spec);
    return plan->items;
}

int gbl_symv_read_twice_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_kernel_spec *specs)
{
    twice_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

gable_status gbl_symv_read_twice_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                     const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    twice_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, TWICE_ITEMS, plan_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = 5,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A),
                    gbl_scalar_buffer(&call->beta, call->A), call->A,
                    gbl_first_element(call->x, call->n, call->incx, call->dtype),
                    gbl_first_element(call->y, call->n, call->incy, call->dtype)},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

bool gbl_symv_read_twice_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const double triangle = (double)elem * (double)call->n * (double)call->n / 2;
    (void)self;
    return device->table->build != NULL && device->props.is_gpu && call->storage == GBL_FULL &&
           SHARE_OF_CACHE * triangle <= (double)device->props.cache_bytes &&
           ((uintptr_t)call->A | (uintptr_t)call->lda * (uintptr_t)elem) % LINE == 0;
}

void gbl_symv_read_twice_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                              const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const gbl_matrix_routine *routine = self->detail;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->n;
    twice_plan plan;
    gbl_work least_work;
    make_plan(call, params, device, &plan);
    routine->work(call, &least_work);
    memset(out, 0, sizeof *out);
    out->memory_bytes = least_work.bytes_read + least_work.bytes_written;
    /* the second reading, and x once per strip */
    out->cache_bytes = elem * n * (n / 2 + (double)plan.groups);
    out->flops = least_work.flops;
    out->launches = 1;
    out->steps = gbl_reduce_steps(device, plan.items);
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight = elem * plan.items * plan.vec * plan.loads;
}

bool gbl_symv_read_twice_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                               const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    twice_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           (int64_t)plan.vec * plan.loads * (int64_t)gbl_dtype_bytes(call->dtype));
}
