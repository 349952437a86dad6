/* safe_range.c: A and B of a system brought into the range where a factorization is safe, and its
 * solution back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_singular.h"
#include "lapack/safe_range.h"
#include "embed_args.h"
#include "range_args.h"
#include "range_one_args.h"

_Static_assert(sizeof(range_factors_args) == 2 * 8, "host and device must agree");
_Static_assert(sizeof(range_scale_args) == sizeof(part_args) + 4 * 8, "host and device must agree");
_Static_assert(sizeof(range_one_args) == 2 * 8, "host and device must agree");
_Static_assert(sizeof(range_info_args) == 8, "host and device must agree");
_Static_assert(sizeof(embed_args) == sizeof(part_args) + 8, "host and device must agree");

#define ITEMS           64 /* every device takes groups of so many */
#define COLUMNS         4
#define GROUPS_PER_UNIT 8

enum { LARGEST, FACTORS, SCALE, ONE, INFO, EMBED, KERNELS };
static const char *const files[KERNELS] = {"range_largest.cl", "range_factors.cl", "range_scale.cl",
                                           "range_one.cl",     "range_info.cl",    "embed.cl"};
static const gbl_task_function tasks[KERNELS][4] = {
    GBL_CPU_FOUR(range_largest), GBL_CPU_FOUR(range_factors), GBL_CPU_FOUR(range_scale),
    GBL_CPU_FOUR(range_one),     GBL_CPU_FOUR(range_info),    GBL_CPU_FOUR(embed)};

static void make_spec(int which, gbl_dtype dtype, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, files[which], dtype);
    if (which == INFO)
        return;
    gbl_kernel_add_macro(spec, "ITEMS", ITEMS);
    if (which != FACTORS && which != ONE)
        gbl_kernel_add_macro(spec, "COLUMNS", COLUMNS);
}

int gbl_range_specs(gbl_dtype dtype, const gbl_device *device, gbl_kernel_spec *specs)
{
    if (device->table->build == NULL)
        return 0;
    for (int i = 0; i < GBL_RANGE_KERNEL_COUNT; i++)
        make_spec(i, dtype, &specs[i]);
    return GBL_RANGE_KERNEL_COUNT;
}

static gbl_dtype real_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D;
}

/* The whole matrix, cut as part_plan.c does it. */
static int64_t part_of(const gbl_range_matrix *A, const gbl_device *device, part_args *args)
{
    const int64_t down = gbl_parts(A->m, ITEMS), over = gbl_parts(A->n, COLUMNS),
                  most = GROUPS_PER_UNIT * (int64_t)device->props.units,
                  strips = over < most ? over : most, rest = most / strips;
    *args = (part_args){
        .m = A->m, .n = A->n, .lda = A->lda, .first = -A->n, .last = A->m, .strips = strips};
    return strips * (down < rest ? down : rest);
}

static gable_status launch(gable_context *ctx, int which, gbl_dtype dtype, int64_t groups,
                           gbl_launch_spec spec)
{
    gbl_kernel_spec wanted;
    gbl_kernel *kernel;
    make_spec(which, dtype, &wanted);
    TRY(gbl_kernel_get(ctx->device, &wanted, &kernel, &ctx->message));
    spec.groups[0] = groups;
    spec.groups[1] = 1;
    spec.group[0] = which == INFO ? 1 : ITEMS;
    spec.group[1] = 1;
    return gbl_launch(ctx, kernel, &spec);
}

static gable_status run_task(gable_context *ctx, int which, gbl_dtype dtype,
                             const gbl_cpu_range_args *args)
{
    static const char *const names[] = {"range_largest", "range_factors", "range_scale"};
    return gbl_task(ctx, names[which], tasks[which][dtype], args, sizeof *args);
}

static gable_status run_one_task(gable_context *ctx, int which, gbl_dtype dtype,
                                 const gbl_cpu_range_one_args *args)
{
    static const char *const names[] = {
        [ONE] = "range_one", [INFO] = "range_info", [EMBED] = "embed"};
    return gbl_task(ctx, names[which], tasks[which][dtype], args, sizeof *args);
}

/* The largest numbers of each group go to `maxima`. */
static gable_status largest(gable_context *ctx, const gbl_range_matrix *A, void *maxima)
{
    part_args args;
    if (ctx->device->table->build == NULL) {
        const gbl_cpu_range_args task = {
            .m = A->m, .n = A->n, .A = A->A, .lda = A->lda, .factors = maxima};
        return run_task(ctx, LARGEST, A->dtype, &task);
    }
    const int64_t groups = part_of(A, ctx->device, &args);
    return launch(ctx, LARGEST, A->dtype, groups,
                  (gbl_launch_spec){.buffer_count = 2,
                                    .buffers = {A->A, maxima},
                                    .args = &args,
                                    .args_bytes = sizeof args});
}

static gable_status scale(gable_context *ctx, const gbl_range_matrix *A, int64_t rows,
                          int64_t above, int64_t below, void *factors, int64_t *info)
{
    range_scale_args args = {.rows = rows, .above = above, .below = below, .clears = info != NULL};
    if (ctx->device->table->build == NULL) {
        const gbl_cpu_range_args task = {.m = A->m,
                                         .n = A->n,
                                         .A = A->A,
                                         .lda = A->lda,
                                         .factors = factors,
                                         .rows = rows,
                                         .above = above,
                                         .below = below,
                                         .info = info};
        return run_task(ctx, SCALE, A->dtype, &task);
    }
    const int64_t groups = part_of(A, ctx->device, &args.part);
    return launch(
        ctx, SCALE, A->dtype, groups,
        (gbl_launch_spec){.buffer_count = 3,
                          .buffers = {factors, A->A, info != NULL ? (void *)info : factors},
                          .args = &args,
                          .args_bytes = sizeof args});
}

gable_status gbl_range_enter(gable_context *ctx, const gbl_range_matrix *A,
                             const gbl_range_matrix *B, void **factors)
{
    const size_t real = gbl_dtype_real_bytes(A->dtype);
    const bool host = ctx->device->table->build == NULL;
    part_args unused;
    const range_factors_args args = {.groups_a = host ? 1 : part_of(A, ctx->device, &unused),
                                     .groups_b = host ? 1 : part_of(B, ctx->device, &unused)};
    void *maxima;
    TRY(gbl_arena_take(ctx->arena, ctx->device, RANGE_FACTORS * real, factors, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)(args.groups_a + args.groups_b) * real,
                       &maxima, &ctx->message));
    void *of_b = (char *)maxima + (size_t)args.groups_a * real;
    TRY(largest(ctx, A, maxima));
    TRY(largest(ctx, B, of_b));
    if (host) {
        const gbl_cpu_range_args task = {.A = maxima, .factors = *factors};
        TRY(run_task(ctx, FACTORS, A->dtype, &task));
    } else {
        TRY(launch(ctx, FACTORS, A->dtype, 1,
                   (gbl_launch_spec){.buffer_count = 3,
                                     .buffers = {maxima, of_b, *factors},
                                     .args = &args,
                                     .args_bytes = sizeof args}));
    }
    TRY(scale(ctx, A, A->m, RANGE_A, RANGE_A, *factors, NULL));
    return scale(ctx, B, B->m, RANGE_B, RANGE_B, *factors, NULL);
}

gable_status gbl_range_leave(gable_context *ctx, const gbl_range_matrix *X, int64_t rows,
                             void *factors, int64_t *info)
{
    return scale(ctx, X, rows, RANGE_X, RANGE_BELOW, factors, info);
}

/* ---- One matrix ---- */

gable_status gbl_range_one_look(gable_context *ctx, const gbl_range_matrix *matrices, int count,
                                int64_t exponent, void **numbers)
{
    const gbl_dtype dtype = matrices[0].dtype;
    const size_t real = gbl_dtype_real_bytes(dtype);
    const bool host = ctx->device->table->build == NULL;
    range_one_args args = {.exponent = exponent};
    part_args unused;
    void *maxima;
    for (int i = 0; i < count; i++)
        args.groups += host ? 1 : part_of(&matrices[i], ctx->device, &unused);
    TRY(gbl_arena_take(ctx->arena, ctx->device, RANGE_ONE_NUMBERS * real, numbers, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)args.groups * real, &maxima,
                       &ctx->message));
    char *at = maxima;
    for (int i = 0; i < count; i++) {
        TRY(largest(ctx, &matrices[i], at));
        at += (size_t)(host ? 1 : part_of(&matrices[i], ctx->device, &unused)) * real;
    }
    if (host) {
        const gbl_cpu_range_one_args task = {
            .largest = maxima, .groups = args.groups, .numbers = *numbers, .exponent = exponent};
        return run_one_task(ctx, ONE, dtype, &task);
    }
    return launch(ctx, ONE, dtype, 1,
                  (gbl_launch_spec){.buffer_count = 2,
                                    .buffers = {maxima, *numbers},
                                    .args = &args,
                                    .args_bytes = sizeof args});
}

gable_status gbl_range_one_enter(gable_context *ctx, const gbl_range_matrix *A, int64_t exponent,
                                 void **numbers)
{
    TRY(gbl_range_one_look(ctx, A, 1, exponent, numbers));
    return scale(ctx, A, A->m, RANGE_ONE_FACTOR, RANGE_ONE_FACTOR, *numbers, NULL);
}

static gable_status tell_info(gable_context *ctx, gbl_dtype dtype, void *numbers, int64_t *info,
                              int64_t bad)
{
    const gbl_dtype real = real_of(dtype);
    const range_info_args args = {.info = bad};
    const gbl_cpu_range_one_args task = {.numbers = numbers, .info = info, .value = bad};
    if (ctx->device->table->build == NULL)
        return run_one_task(ctx, INFO, real, &task);
    return launch(ctx, INFO, real, 1,
                  (gbl_launch_spec){.buffer_count = 2,
                                    .buffers = {numbers, info},
                                    .args = &args,
                                    .args_bytes = sizeof args});
}

gable_status gbl_range_one_leave(gable_context *ctx, gbl_dtype dtype, int64_t count, void *values,
                                 void *numbers, int64_t *info, int64_t bad)
{
    const gbl_range_matrix column = {
        .dtype = real_of(dtype), .m = count, .n = 1, .A = values, .lda = count > 0 ? count : 1};
    TRY(scale(ctx, &column, count, RANGE_ONE_BACK, RANGE_ONE_BACK, numbers, NULL));
    return tell_info(ctx, dtype, numbers, info, bad);
}

static gbl_range_matrix embedded(const gbl_embedding *made)
{
    return (gbl_range_matrix){
        .dtype = made->dtype, .m = made->m, .n = made->n, .A = made->C, .lda = made->ldc};
}

gable_status gbl_embed(gable_context *ctx, const gbl_embedding *made, void *numbers)
{
    const gbl_range_matrix C = embedded(made);
    embed_args args = {.order = made->order};
    const gbl_cpu_range_one_args task = {.numbers = numbers,
                                         .m = made->m,
                                         .n = made->n,
                                         .C = made->C,
                                         .ldc = made->ldc,
                                         .B = made->B,
                                         .ldb = made->ldb,
                                         .order = made->order};
    if (ctx->device->table->build == NULL)
        return run_one_task(ctx, EMBED, made->dtype, &task);
    const int64_t groups = part_of(&C, ctx->device, &args.part);
    args.part.ldb = made->ldb;
    return launch(ctx, EMBED, made->dtype, groups,
                  (gbl_launch_spec){.buffer_count = 3,
                                    .buffers = {numbers, made->B, made->C},
                                    .args = &args,
                                    .args_bytes = sizeof args});
}

int gbl_range_one_specs(gbl_dtype dtype, unsigned uses, const gbl_device *device,
                        gbl_kernel_spec *specs)
{
    const gbl_dtype real = real_of(dtype);
    int count = 0;
    if (device->table->build == NULL)
        return 0;
    make_spec(LARGEST, dtype, &specs[count++]);
    make_spec(ONE, dtype, &specs[count++]);
    if (uses & GBL_RANGE_ONE_SCALES)
        make_spec(SCALE, dtype, &specs[count++]);
    if ((uses & GBL_RANGE_ONE_SCALES) && real != dtype)
        make_spec(SCALE, real, &specs[count++]);
    if (uses & GBL_RANGE_ONE_SCALES)
        make_spec(INFO, real, &specs[count++]);
    if (uses & GBL_RANGE_ONE_EMBEDS)
        make_spec(EMBED, dtype, &specs[count++]);
    return count;
}

/* Of a few numbers. */
static const gbl_cost small = {.memory_bytes = 64,
                               .written_bytes = 32,
                               .launches = 1,
                               .groups = 1,
                               .group_items = ITEMS,
                               .bytes_in_flight = 64,
                               .steps = 6 * GBL_LOCAL_STEPS};

/* So many bytes per element of a matrix, of which `written` are written. */
static gbl_cost walk_cost(const gbl_range_matrix *A, const gbl_device *device, double bytes,
                          double written)
{
    const double elements = (double)A->m * (double)A->n;
    part_args args;
    return (gbl_cost){.memory_bytes = bytes * elements,
                      .written_bytes = written > 0 ? written * elements : bytes,
                      .launches = 1,
                      .groups = (double)part_of(A, device, &args),
                      .group_items = ITEMS,
                      .bytes_in_flight = bytes * ITEMS * COLUMNS,
                      .steps = 6 * GBL_LOCAL_STEPS};
}

/* The matrix is read once; the other steps read a few numbers in the usual case. */
int gbl_range_one_parts(const gbl_range_matrix *A, const gbl_device *device, gbl_part_call *parts,
                        int count)
{
    const gbl_cost look = walk_cost(A, device, (double)gbl_dtype_bytes(A->dtype), 0);
    count = gbl_composed_kernel(parts, count, &look, 1);
    return gbl_composed_kernel(parts, count, &small, 4);
}

int gbl_embed_parts(const gbl_embedding *made, const gbl_device *device, gbl_part_call *parts,
                    int count)
{
    const gbl_range_matrix C = embedded(made);
    const double elem = (double)gbl_dtype_bytes(made->dtype);
    const gbl_cost look = walk_cost(&C, device, 2 * elem, elem);
    return gbl_composed_kernel(parts, count, &look, 1);
}

/* ---- What two matrices take ---- */

/* Both are read once; the steps that scale read a few numbers in the usual case. */
int gbl_range_parts(const gbl_range_matrix *A, const gbl_range_matrix *B, const gbl_device *device,
                    gbl_part_call *parts, int count)
{
    const gbl_range_matrix *both[] = {A, B};
    for (int i = 0; i < 2; i++) {
        const gbl_cost look = walk_cost(both[i], device, (double)gbl_dtype_bytes(A->dtype), 0);
        count = gbl_composed_kernel(parts, count, &look, 1);
    }
    return gbl_composed_kernel(parts, count, &small, 4);
}
