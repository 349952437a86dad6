/* update_variants.c: plan, run and cost of the kernels of ger, syr, syr2, spr and spr2.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has one tile: a block of rows of a strip of columns (kernels/level2/rank_update.h). Tiles
 * are small and many, so that the hardware levels the work. Of a triangle only the tiles that touch
 * it count: strips p and S - 1 - p have together nearly the same number of blocks whatever p is,
 * and get `width` groups.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level2/update_variants.h"
#include "blas/level1/stream_plan.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "rank_update_args.h"

_Static_assert(sizeof(rank_update_args) == 16 * 8, "host and device must agree");

#define MOST_LOADS  16  /* in flight per work-item, where they are of single elements, */
#define MOST_BYTES  128 /* and in them, where parts of x and y are loaded with them */
#define LINE        128 /* bytes of a cache line */
#define MOST_GROUPS ((int64_t)1 << 30)

enum { RANK_ITEMS, RANK_WX, RANK_VEC, RANK_UNROLL, RANK_COLUMNS };
static const int32_t items[] = {1, 32, 64, 128, 256, 512};
static const int32_t widths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t unrolls[] = {1, 2, 4, 8};
static const int32_t columns[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};

/* columns: those that a work-item walks along. */
const gbl_param gbl_rank_space[GBL_RANK_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "wx", GBL_VALUES(widths), .fallback = 64},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 2},
    {.name = "unroll", GBL_VALUES(unrolls), .fallback = 4},
    {.name = "columns", GBL_VALUES(columns), .fallback = 4},
};

typedef struct rank_plan {
    rank_update_args args;
    int64_t groups;
    int64_t farthest; /* rows above row 0 at which a column may start, */
    int64_t lead;     /* and those of them that count in kernels/level2/rank_update.h */
    gbl_column_loads loads;
    int32_t items, wx;
} rank_plan;

/* The rows of each column of a packed triangle start at a cache line
 * (kernels/level2/rank_update.h). */
static void plan_lines(const gbl_matrix_call *call, rank_plan *plan)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype), line = LINE / elem;
    gbl_column_loads *loads = &plan->loads;
    while (loads->unroll > 1 && loads->unroll * loads->vec * elem > MOST_BYTES)
        loads->unroll /= 2;
    plan->args.shift = (int64_t)((uintptr_t)call->A / (uintptr_t)elem) % line;
    plan->lead = call->uplo == GABLE_UPPER ? line - 1 : 0;
    plan->farthest = line - 1;
}

static void plan_loads(const gbl_matrix_call *call, const gbl_device *device, rank_plan *plan)
{
    gbl_column_loads *loads = &plan->loads;
    gbl_columns_align(call, loads);
    if (device->props.is_gpu && !loads->alike) {
        gbl_columns_spread(call, loads);
        while (loads->unroll > 1 && loads->unroll * loads->vec > MOST_LOADS)
            loads->unroll /= 2;
        if (call->storage == GBL_PACKED)
            plan_lines(call, plan);
    } else if (loads->head > 0) {
        plan->farthest = loads->align / (int32_t)gbl_dtype_bytes(call->dtype) - loads->head;
        plan->args.shift = plan->lead = plan->farthest;
    }
}

/* Groups that a pair of strips needs at most. With h = lead and R rows per block, strip s of a
 * lower triangle has blocks - floor((s columns + h) / R) of them, of an upper one at most floor(((s
 * + 1) columns - 1 + h) / R) + 1; and floor(a) + floor(b) is floor(a + b) or one less. */
static int64_t pair_width(const rank_update_args *a, int64_t lead, int64_t rows)
{
    if (a->strips == 1)
        return a->blocks;
    const int64_t both = a->upper
                             ? ((a->strips + 1) * a->columns - 2 + 2 * lead) / rows + 2
                             : 2 * a->blocks - ((a->strips - 1) * a->columns + 2 * lead) / rows + 1;
    return both < 2 * a->blocks ? both : 2 * a->blocks;
}

static void plan_tiles(const gbl_rank_update *update, const gbl_matrix_call *call,
                       const gbl_params *params, rank_plan *plan)
{
    rank_update_args *args = &plan->args;
    const int64_t rows = (int64_t)plan->wx * plan->loads.vec, wy = plan->items / plan->wx;
    const int32_t along = params->value[RANK_COLUMNS];
    int64_t rounds;
    args->blocks = gbl_parts(call->m + plan->farthest, rows);
    args->columns = wy * (along > plan->loads.unroll ? along : plan->loads.unroll);
    for (;;) {
        args->strips = gbl_parts(call->n, args->columns);
        args->width = update->triangle ? pair_width(args, plan->lead, rows) : args->blocks;
        rounds = update->triangle ? gbl_parts(args->strips, 2) : args->strips;
        if (rounds <= MOST_GROUPS / args->width || args->strips == 1)
            break;
        args->columns *= 2;
    }
    plan->groups = rounds * args->width;
}

static void make_plan(const gbl_rank_update *update, const gbl_matrix_call *given,
                      const gbl_params *params, const gbl_device *device, rank_plan *plan)
{
    const gbl_matrix_call stored = gbl_stored_columns(given), *call = &stored;
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[RANK_ITEMS];
    plan->wx = params->value[RANK_WX] < plan->items ? params->value[RANK_WX] : plan->items;
    plan->loads.vec = params->value[RANK_VEC];
    plan->loads.unroll = params->value[RANK_UNROLL];
    while (plan->wx > 1 && plan->wx / 2 * plan->loads.vec >= call->m)
        plan->wx /= 2; /* more lanes than rows would idle */
    plan_loads(call, device, plan);

    rank_update_args *args = &plan->args;
    args->m = call->m;
    args->n = call->n;
    args->lda = call->lda;
    args->incx = call->incx;
    args->incy = call->incy;
    args->upper = update->triangle && call->uplo == GABLE_UPPER;
    args->conj = call->conj && gbl_dtype_complex(call->dtype);
    args->alpha_re = call->alpha.re;
    args->alpha_im = call->alpha.im;
    args->alpha_on_device = call->alpha.device != NULL;
    args->alpha_real = call->real_scalars;
    plan_tiles(update, call, params, plan);
}

static void make_spec(const gbl_rank_update *update, const gbl_matrix_call *call,
                      const rank_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, update->file, call->dtype);
    gbl_columns_macros(plan->items, plan->wx, &plan->loads, spec);
    gbl_kernel_add_macro(spec, "SPREAD", plan->loads.spread);
    gbl_storage_macro(call, spec);
}

/* syr and spr: y is x. */
static gbl_matrix_call with_y(const gbl_rank_update *update, const gbl_matrix_call *given)
{
    gbl_matrix_call call = *given;
    if (update->triangle && update->terms == 1) {
        call.y = call.x;
        call.incy = call.incx;
    }
    return call;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    rank_plan *plan = planned;
    (void)most_items;
    make_plan(self->detail, given, params, device, plan);
    make_spec(self->detail, given, plan, spec);
    return plan->items;
}

int gbl_rank_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    rank_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

gable_status gbl_rank_run(gable_context *ctx, const gbl_variant *self, const void *given,
                          const gbl_params *params)
{
    const gbl_matrix_call call = with_y(self->detail, given);
    rank_plan plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, &call, params, RANK_ITEMS, plan_kernel, &plan, &kernel));
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.items, 1},
        .buffer_count = 4,
        .buffers = {gbl_scalar_buffer(&call.alpha, call.A), call.A,
                    gbl_first_element(call.x, call.m, call.incx, call.dtype),
                    gbl_first_element(call.y, call.n, call.incy, call.dtype)},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

bool gbl_rank_nothing(const void *call)
{
    return gbl_scalar_zero(&((const gbl_matrix_call *)call)->alpha);
}

bool gbl_rank_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    return device->table->build != NULL;
}

static bool real_or_hermitian(const gbl_matrix_call *call)
{
    return call->conj || !gbl_dtype_complex(call->dtype);
}

bool gbl_rank_fits_blas(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_rank_update *update = self->detail;
    const gbl_matrix_call call = with_y(update, given);
    return (!update->complex_blas_is_hermitian || real_or_hermitian(&call)) &&
           gbl_matrix_fits_blas(self, &call, device);
}

bool gbl_rank_fits_vendor(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_rank_update *update = self->detail;
    const gbl_matrix_call call = with_y(update, given);
    return call.incy != 0 && (!update->vendor_is_hermitian || real_or_hermitian(&call)) &&
           gbl_matrix_fits_vendor(self, &call, device);
}

/* The work of a matrix (triangle = false, m by n) or of one triangle of it. */
static void rank_work(const gbl_matrix_call *call, bool triangle, int terms, gbl_work *least)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)call->m,
                 n = (double)call->n, elements = triangle ? n * (n + 1) / 2 : m * n;
    const double vectors_read = triangle && terms == 1 ? n : m + n;
    *least = (gbl_work){.bytes_read = elem * (elements + vectors_read),
                        .bytes_written = elem * elements,
                        .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * terms * elements};
}

void gbl_rank_work_whole(const void *call, gbl_work *least)
{
    rank_work(call, false, 1, least);
}

void gbl_rank_work_one(const void *call, gbl_work *least)
{
    rank_work(call, true, 1, least);
}

void gbl_rank_work_two(const void *call, gbl_work *least)
{
    rank_work(call, true, 2, least);
}

gbl_host_walk gbl_rank_walk(const gbl_matrix_call *call)
{
    return gbl_host_triangle(call, 1);
}

static bool plain(const gable_context *ctx, const gbl_matrix_call *call, bool has_y)
{
    return gbl_matrix_plain(ctx, call, call->storage == GBL_PACKED ? 0 : call->m, has_y) &&
           gbl_uplo_legal(call->uplo);
}

bool gbl_rank_plain_x(const gable_context *ctx, const void *call)
{
    return plain(ctx, call, false);
}

bool gbl_rank_plain_xy(const gable_context *ctx, const void *call)
{
    return plain(ctx, call, true);
}

void gbl_rank_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_cost *out)
{
    const gbl_rank_update *update = self->detail;
    const gbl_matrix_call matrix = with_y(update, call);
    rank_plan plan;
    gbl_work least;
    make_plan(update, &matrix, params, device, &plan);
    update->routine.work(call, &least);
    memset(out, 0, sizeof *out);
    const double elem = (double)gbl_dtype_bytes(matrix.dtype);
    const double rows = (double)plan.wx * plan.loads.vec, strip = (double)plan.args.columns;
    out->memory_bytes = least.bytes_read + least.bytes_written;
    /* Columns that start within cache lines: the rows of a tile touch half a line more. */
    if (device->props.is_gpu && matrix.storage == GBL_FULL &&
        (uint64_t)matrix.lda * gbl_dtype_bytes(matrix.dtype) % LINE != 0)
        out->memory_bytes *= 1 + LINE / 2 / (rows * elem);
    out->written_bytes = out->memory_bytes / 2;
    out->cache_bytes = elem * update->terms * (rows + strip) * (double)plan.groups;
    out->flops = least.flops;
    out->launches = 1;
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight = elem * plan.items * plan.loads.unroll * plan.loads.vec;
}

bool gbl_rank_legal(const gbl_variant *variant, const void *given, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    const gbl_matrix_call *call = given;
    rank_plan plan;
    make_plan(variant->detail, call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items,
                           (int64_t)plan.loads.unroll * plan.loads.vec *
                               (int64_t)gbl_dtype_bytes(call->dtype));
}
