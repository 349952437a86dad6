/* trsv.c: x := op(A)^-1 x, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Substitution is a chain: a row needs all before it. `progress_n` and `progress_t` keep the chain
 * in one launch of trsv.cl, whose groups hand their pieces of x to each other; it is for GPUs on
 * which a group sees what running groups write. `steps` is for all others: a launch of one group,
 * trsv_block.cl, for each diagonal block, and gemv for what is beside it. Both are substitution
 * with reciprocals of the diagonal; no block is inverted.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "blas/level1/stream_plan.h"
#include "blas/level2/triangle_variants.h"
#include "blas/level2/triangular.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "trsv_args.h"

_Static_assert(sizeof(trsv_args) == 9 * 8, "host and device must agree");

#define FEWEST_ROWS    16 /* of a block, where lanes do not run together */
#define FEWEST_COLUMNS 8  /* of a tile */
/* MOST_TILE_WORDS: of 4 bytes of a tile per work-item, which holds two; half as many in z and of
 * packed triangles. */
#define MOST_TILE_WORDS 64
#define MOST_STEP_WORDS 160   /* of 4 bytes of a triangle that a work-item solves with */
#define REGISTERS       65536 /* of 4 bytes that a group has; a quarter is for a tile */
#define STATIC_BYTES    256   /* of local memory beside the room of trsv.cl, and some to spare */

enum { TRSV_ITEMS, TRSV_ROWS, TRSV_TILE, TRSV_LANES, TRSV_VEC, TRSV_STEP, TRSV_GROUPS };
enum { STEPS_ITEMS, STEPS_ROWS, STEPS_PARAMS };
static const int32_t items[] = {32, 64, 128, 256, 512};
static const int32_t block_rows[] = {16, 32, 64, 128};
static const int32_t tiles[] = {8, 16, 32, 64, 128};
static const int32_t widths[] = {1, 2, 4, 8, 16, 32, 64};
static const int32_t vectors[] = {1, 2, 4};
static const int32_t step_rows[] = {1, 2, 4, 8, 16};
static const int32_t groups_a_unit[] = {1, 2, 4};
static const int32_t steps_items[] = {1, 32, 64, 128, 256};
static const int32_t steps_rows[] = {16, 32, 64};

const gbl_param gbl_trsv_space[GBL_TRSV_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "rows", GBL_VALUES(block_rows), .fallback = 128},
    {.name = "tile", GBL_VALUES(tiles), .fallback = 64},
    {.name = "lanes", GBL_VALUES(widths), .fallback = 32},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 4},
    {.name = "step", GBL_VALUES(step_rows), .fallback = 8},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 1},
};
static const gbl_param steps_space[STEPS_PARAMS] = {
    {.name = "items", GBL_VALUES(steps_items), .fallback = 64},
    {.name = "rows", GBL_VALUES(steps_rows), .fallback = 64},
};

typedef struct trsv_plan {
    trsv_args args;
    gbl_column_loads loads;
    int32_t items, rows, tile, wx, step;
    bool trans, conj;
} trsv_plan;

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

/* Bytes of the room in local memory that trsv.cl takes. */
static size_t room_bytes(const trsv_plan *plan, const gbl_device *device, size_t elem)
{
    const int32_t lanes = together(device);
    const int32_t left = plan->trans        ? plan->wx / least(plan->wx, lanes)
                         : plan->wx < lanes ? plan->items / lanes
                                            : plan->items / plan->wx;
    return (size_t)plan->rows * ((size_t)(plan->rows + 2 + left) * elem + GBL_WIDEST_LOAD);
}

/* Lanes of a tile: WX of VEC rows, and WY columns; the tunable is how many lanes lie along the rows
 * of op(A). The tile is narrowed until a group holds it in registers; a lane has at least an
 * element of it. */
static void plan_tile(const gbl_params *params, int32_t elem, bool packed, trsv_plan *plan)
{
    const int32_t most = least(elem > 8 || packed ? MOST_TILE_WORDS / 2 : MOST_TILE_WORDS,
                               REGISTERS / 4 / plan->items);
    plan->tile = least(params->value[TRSV_TILE], plan->rows);
    while (plan->tile > FEWEST_COLUMNS && plan->rows * plan->tile / plan->items * elem / 4 > most)
        plan->tile /= 2;
    while (plan->rows * plan->tile < plan->items && plan->tile < plan->rows)
        plan->tile *= 2;
    plan->items = least(plan->items, plan->rows * plan->tile);
    const int32_t tall = plan->trans ? plan->tile : plan->rows,
                  across = plan->trans ? plan->rows : plan->tile;
    plan->loads.vec = least(least(params->value[TRSV_VEC], GBL_WIDEST_LOAD / elem), tall);
    plan->wx = least(params->value[TRSV_LANES], plan->items);
    plan->wx = least(plan->trans ? plan->items / plan->wx : plan->wx, tall / plan->loads.vec);
    while (plan->items / plan->wx > across) {
        if (2 * plan->wx * plan->loads.vec > tall)
            plan->loads.vec /= 2;
        plan->wx *= 2;
    }
}

/* A lane has a row of the diagonal block at most, and the block must fit into local memory. */
static void plan_shape(const gbl_matrix_call *call, const gbl_params *params,
                       const gbl_device *device, trsv_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), lanes = together(device);
    const int32_t quick = GBL_WIDEST_LOAD / elem; /* elements per load from local memory */
    const int32_t fewest = lanes > 1 ? lanes : FEWEST_ROWS;
    const size_t room = (size_t)gbl_launch_local_bytes(&device->props);
    plan->items = params->value[TRSV_ITEMS];
    plan->rows = least(params->value[TRSV_ROWS], plan->items);
    plan->rows = plan->rows > lanes ? plan->rows : lanes;
    for (;; plan->rows /= 2) {
        plan_tile(params, elem, call->storage == GBL_PACKED, plan);
        if (plan->rows <= fewest || room_bytes(plan, device, (size_t)elem) + STATIC_BYTES <= room)
            break;
    }
    plan->step = params->value[TRSV_STEP];
    while (plan->step > 1 && plan->step * (plan->step + 1) / 2 * elem / 4 > MOST_STEP_WORDS)
        plan->step /= 2;
    plan->step = plan->step > quick ? plan->step : quick;
}

/* Counters whose memory holds x between groups, and one more by which it is aligned; all that there
 * are start at an aligned address. So many that they are not among the few that tickets come
 * from. */
static int64_t solved_counters(const gbl_matrix_call *call)
{
    const int64_t words = call->n * (int64_t)(gbl_dtype_bytes(call->dtype) / sizeof(int32_t));
    const int64_t wanted = words == GBL_MANY_COUNTERS ? words : words + 1;
    return wanted > GBL_COUNTERS ? wanted : GBL_COUNTERS + 1;
}

static void make_plan(const gbl_matrix_call *given, const gbl_params *params,
                      const gbl_device *device, trsv_plan *plan)
{
    const gbl_matrix_call stored = gbl_stored_columns(given), *call = &stored;
    memset(plan, 0, sizeof *plan);
    plan->trans = gbl_triangular_transposed(call);
    plan->conj = call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype);
    plan_shape(call, params, device, plan);
    gbl_columns_align(call, &plan->loads);
    gbl_columns_spread(call, &plan->loads);
    plan->args = (trsv_args){.n = call->n,
                             .lda = call->lda,
                             .incx = call->incx,
                             .shift = (plan->loads.vec - plan->loads.head % plan->loads.vec) %
                                      plan->loads.vec,
                             .upper = call->uplo == GABLE_UPPER,
                             .unit = call->diag == GABLE_UNIT,
                             .band = call->ku};
    plan->args.blocks = (call->n + plan->args.shift + plan->rows - 1) / plan->rows;
    /* The block that is not full is solved first: it has no tiles, and as the last it would have
     * the most, all of them with edges. Backward that is so by itself. */
    if ((call->uplo == GABLE_UPPER) == plan->trans) {
        const int64_t room = plan->args.blocks * plan->rows - call->n - plan->args.shift,
                      step = plan->loads.spread ? 1 : plan->loads.vec;
        plan->args.shift += room / step * step;
    }
    /* In a band nobody sees all words of `solved`, so nobody knows when all groups are done with
     * it. */
    plan->args.set_back = call->storage != GBL_BAND && solved_counters(call) <= GBL_MANY_COUNTERS;
}

static void make_spec(const gbl_matrix_call *call, const trsv_plan *plan, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "trsv.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->rows);
    gbl_kernel_add_macro(spec, "KB", plan->tile);
    gbl_kernel_add_macro(spec, "WX", plan->wx);
    gbl_kernel_add_macro(spec, "VEC", plan->loads.vec);
    gbl_kernel_add_macro(spec, "STEP", plan->step);
    gbl_kernel_add_macro(spec, "ALIGN", plan->loads.align);
    gbl_kernel_add_macro(spec, "TRANS", plan->trans);
    gbl_kernel_add_macro(spec, "CONJ", plan->conj);
    gbl_kernel_add_macro(spec, "SPREAD", plan->loads.spread);
    gbl_storage_macro(call, spec);
}

/* ---- progress ---- */

/* A group waits for groups that drew their ticket before, and must see what they write. */
static bool has_progress(const gbl_device *device)
{
    return device->table->build != NULL && device->props.is_gpu && device->props.fence_device;
}

/* Two variants, because lanes lie best in other ways where A is transposed. */
bool gbl_trsv_fits_n(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return has_progress(device) && ((const gbl_matrix_call *)call)->trans == GABLE_NO_TRANS;
}

bool gbl_trsv_fits_t(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return has_progress(device) && ((const gbl_matrix_call *)call)->trans != GABLE_NO_TRANS;
}

static int64_t group_count(const trsv_plan *plan, const gbl_params *params,
                           const gbl_device *device)
{
    const int64_t most = (int64_t)params->value[TRSV_GROUPS] * device->props.units;
    if (!has_progress(device))
        return 1;
    return plan->args.blocks < most ? plan->args.blocks : most;
}

/* Where groups leave x for each other, all of it 0: small ones in counters, which the kernel sets
 * back; others in scratch memory, which takes a launch more. One group has nobody to wait for: then
 * what is not solved yet needs no mark. */
static gable_status take_solved(gable_context *ctx, const gbl_matrix_call *call,
                                const trsv_plan *plan, bool alone, void **solved)
{
    const size_t bytes = (size_t)call->n * gbl_dtype_bytes(call->dtype);
    if (plan->args.set_back) {
        const uintptr_t real = gbl_dtype_real_bytes(call->dtype);
        void *counters;
        TRY(gbl_arena_counters(ctx->arena, ctx->queue, (int)solved_counters(call), &counters,
                               &ctx->message));
        *solved = (void *)(((uintptr_t)counters + real - 1) / real * real);
        return GABLE_OK;
    }
    TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, solved, &ctx->message));
    return alone ? GABLE_OK : gbl_fill_bytes(ctx, *solved, 0, bytes);
}

static int32_t plan_progress(const gbl_variant *self, const void *given, const gbl_params *params,
                             const gbl_device *device, int32_t most_items, void *planned,
                             gbl_kernel_spec *spec)
{
    trsv_plan *plan = planned;
    (void)self, (void)most_items;
    make_plan(given, params, device, plan);
    make_spec(given, plan, spec);
    return plan->items;
}

int gbl_trsv_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs)
{
    trsv_plan plan;
    plan_progress(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

gable_status gbl_trsv_run(gable_context *ctx, const gbl_variant *self, const void *given,
                          const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    trsv_plan plan;
    gbl_kernel *kernel;
    void *solved, *counter;
    TRY(gbl_plan_kernel(ctx, self, call, params, TRSV_ITEMS, plan_progress, &plan, &kernel));
    TRY(gbl_arena_counter(ctx->arena, ctx->queue, &counter, &ctx->message));
    const int64_t groups = group_count(&plan, params, ctx->device);
    TRY(take_solved(ctx, call, &plan, groups == 1, &solved));
    gbl_launch_spec launch = {
        .groups = {groups, 1},
        .group = {plan.items, 1},
        .dynamic_local_bytes = ctx->device->props.max_dynamic_local_bytes > 0
                                   ? room_bytes(&plan, ctx->device, gbl_dtype_bytes(call->dtype))
                                   : 0,
        .buffer_count = 4,
        .buffers = {gbl_stored_columns(call).A,
                    gbl_first_element(call->x, call->n, call->incx, call->dtype), solved, counter},
        .args = &plan.args,
        .args_bytes = sizeof plan.args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

void gbl_trsv_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                   const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->n;
    trsv_plan plan;
    gbl_work work;
    make_plan(call, params, device, &plan);
    ((const gbl_matrix_routine *)self->detail)->work(call, &work);
    const int64_t blocks = plan.args.blocks, groups = group_count(&plan, params, device);
    const double reach =
        (double)(call->ku + plan.rows); /* elements of x that a block of a band takes */
    memset(out, 0, sizeof *out);
    out->memory_bytes = work.bytes_read + work.bytes_written;
    out->cache_bytes = elem * n * (2 + (double)blocks / 2);
    if (call->storage == GBL_BAND && reach < n / 2)
        out->cache_bytes = elem * (2 * n + reach * (double)blocks);
    out->flops = work.flops;
    out->launches = groups > 1 && !plan.args.set_back ? 2 : 1;
    /* One after the other, the chain: a row is a shuffle of its words and two operations, and a
     * block the sum over its last tile. Most of a hand-over passes while the rows before it are
     * solved. */
    out->barriers = blocks > 1;
    out->steps = n * (1 + elem / 4) * 2 / 3 + (double)(blocks - 1) * GBL_LOCAL_STEPS;
    out->overlapped = true;
    out->groups = (double)groups;
    out->group_items = plan.items;
    out->bytes_in_flight = 2 * elem * plan.rows * plan.tile;
}

/* ---- steps ---- */

static bool fits_steps(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return device->table->build != NULL && ((const gbl_matrix_call *)call)->storage == GBL_FULL;
}

/* Elements [first, first + count) of x, by the low end where BLAS points. */
static void *piece_of_x(const gbl_matrix_call *call, int64_t first, int64_t count)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    const int64_t lowest = call->incx > 0 ? first : call->n - first - count;
    return (char *)call->x + (call->incx > 0 ? lowest : -lowest) * call->incx * elem;
}

static void *element(const gbl_matrix_call *call, int64_t row, int64_t column)
{
    return (char *)call->A + (row + column * call->lda) * (int64_t)gbl_dtype_bytes(call->dtype);
}

/* Takes rows [first, first + count) of x, which are solved, out of rows [from, from + rest). */
static gable_status take_out(gable_context *ctx, const gbl_matrix_call *call, int64_t first,
                             int64_t count, int64_t from, int64_t rest)
{
    const bool t = gbl_triangular_transposed(call);
    const gbl_matrix_call beside = {.dtype = call->dtype,
                                    .trans = call->trans,
                                    .m = t ? count : rest,
                                    .n = t ? rest : count,
                                    .alpha = {.re = -1},
                                    .beta = {.re = 1},
                                    .A =
                                        t ? element(call, first, from) : element(call, from, first),
                                    .lda = call->lda,
                                    .x = piece_of_x(call, first, count),
                                    .incx = call->incx,
                                    .y = piece_of_x(call, from, rest),
                                    .incy = call->incx};
    return rest > 0 ? gbl_gemv(ctx, "trsv", &beside) : GABLE_OK;
}

static void block_spec(const gbl_matrix_call *call, const gbl_params *params, gbl_kernel_spec *spec)
{
    const bool conj = call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype);
    gbl_kernel_begin(spec, "trsv_block.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", params->value[STEPS_ITEMS]);
    gbl_kernel_add_macro(spec, "NB", params->value[STEPS_ROWS]);
    gbl_kernel_add_macro(spec, "TRANS", gbl_triangular_transposed(call));
    gbl_kernel_add_macro(spec, "CONJ", conj);
}

/* Solves for rows [first, first + count) of x, at most as many as the kernel takes. */
static gable_status solve_block(gable_context *ctx, const gbl_matrix_call *call, int64_t first,
                                int64_t count, int lanes, gbl_kernel *kernel)
{
    const trsv_args args = {.n = count,
                            .lda = call->lda,
                            .incx = call->incx,
                            .blocks = 1,
                            .upper = call->uplo == GABLE_UPPER,
                            .unit = call->diag == GABLE_UNIT};
    gbl_launch_spec launch = {
        .groups = {1, 1},
        .group = {lanes, 1},
        .buffer_count = 2,
        .buffers = {element(call, first, first), gbl_first_element(piece_of_x(call, first, count),
                                                                   count, call->incx, call->dtype)},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* Rows of a diagonal block, whose triangle, reciprocals and right-hand side stand in local memory
 * (trsv_block.cl). */
static int32_t rows_per_step(const gbl_matrix_call *call, const gbl_params *params,
                             const gbl_device *device)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    int32_t rows = params->value[STEPS_ROWS];
    while (rows > FEWEST_ROWS &&
           (rows * (rows + 1) / 2 + 2 * rows) * elem > gbl_own_local_bytes(&device->props))
        rows /= 2;
    return rows;
}

/* The tunables are all there is to plan, where a block has room. */
static int32_t plan_steps(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, int32_t most_items, void *plan,
                          gbl_kernel_spec *spec)
{
    gbl_params *fitted = plan;
    (void)self, (void)most_items;
    *fitted = *params;
    fitted->value[STEPS_ROWS] = rows_per_step(call, params, device);
    block_spec(call, fitted, spec);
    return params->value[STEPS_ITEMS];
}

static int specs_steps(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_params plan;
    plan_steps(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

static gable_status run_steps(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const int64_t n = call->n;
    const bool backward = (call->uplo == GABLE_UPPER) != gbl_triangular_transposed(call);
    gbl_params plan;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, STEPS_ITEMS, plan_steps, &plan, &kernel));
    const int64_t most = plan.value[STEPS_ROWS];
    for (int64_t done = 0; done < n; done += most) {
        const int64_t count = n - done < most ? n - done : most, rest = n - done - count;
        const int64_t first = backward ? rest : done;
        TRY(solve_block(ctx, call, first, count, plan.value[STEPS_ITEMS], kernel));
        TRY(take_out(ctx, call, first, count, backward ? 0 : first + count, rest));
    }
    return GABLE_OK;
}

static void cost_steps(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_cost *out)
{
    const gbl_matrix_call *call = given;
    const int32_t rows = rows_per_step(call, params, device);
    const double steps = (double)((call->n + rows - 1) / rows);
    gbl_matrix_cost(self, given, params, device, out);
    out->cache_bytes = (double)gbl_dtype_bytes(call->dtype) * (double)call->n * steps;
    out->launches = 2 * steps - 1;
}

/* Panels of 64 columns, each with two forks, and with a triangle that one thread solves. */
static gbl_host_walk walk(const gbl_matrix_call *call)
{
    const double panels = (double)call->n / 64;
    gbl_host_walk walk = gbl_host_triangle(call, 2 * panels);
    walk.alone = 3 * panels;
    return walk;
}

static const gbl_matrix_routine routine = {
    .stem = "trsv",
    .work = gbl_triangular_work,
    .walk = walk,
    .omp = GBL_CPU_FOUR(trsv_omp),
    .blas = GBL_CPU_FOUR(trsv_blas),
    .one_scalar = true,
};

/* There is nothing to plan: all tunables count. */
static bool steps_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, uint64_t *hash)
{
    (void)self, (void)call;
    *hash = gbl_plan_hash(params, sizeof *params);
    return gbl_group_legal(device, params->value[STEPS_ITEMS], 0);
}

/* Tiles are narrowed to what registers hold. */
bool gbl_trsv_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash)
{
    trsv_plan plan;
    (void)self;
    make_plan(given, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan) ^ (uint64_t)params->value[TRSV_GROUPS];
    return gbl_group_legal(device, plan.items, 0);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("steps", .fits = fits_steps, .run = run_steps, .cost = cost_steps,
                .space = steps_space, .space_count = STEPS_PARAMS, .legal = steps_legal,
                .detail = &routine, .kernels = "trsv_block.cl", .specs = specs_steps),
    GBL_TRSV_VARIANTS(&routine),
    GBL_MATRIX_VARIANTS(&routine),
};

static const gbl_operand operands[] = {GBL_TRIANGULAR_FULL};

const gbl_op gbl_trsv_op = {GBL_MATRIX_OP("trsv", operands, variants),
                            .plain = gbl_triangular_plain, .work = gbl_triangular_work};
