/* eigen_steps.c: the small steps around the reduction of a symmetric matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_eigen.h"
#include "eigen_args.h"
#include "lapack/eigen.h"

_Static_assert(sizeof(eigen_begin_args) == 8, "host and device must agree");
_Static_assert(sizeof(eigen_end_args) == 4 * 8, "host and device must agree");
_Static_assert(sizeof(eigen_pick_args) == 9 * 8, "host and device must agree");
_Static_assert(GBL_EIGEN_FROM == EIGEN_FROM && GBL_EIGEN_TO == EIGEN_TO &&
                   GBL_EIGEN_BACK == EIGEN_BACK,
               "numbers stand where kernels put them");

#define ITEMS           64 /* every device takes groups of so many */
#define GROUPS_PER_UNIT 8

static const char *const files[GBL_EIGEN_KERNELS] = {"eigen_begin.cl", "eigen_end.cl",
                                                     "eigen_pick.cl"};
static const char *const names[GBL_EIGEN_KERNELS] = {"eigen_begin", "eigen_end", "eigen_pick"};
static const gbl_task_function tasks[GBL_EIGEN_KERNELS][4] = {
    GBL_CPU_FOUR(eigen_begin), GBL_CPU_FOUR(eigen_end), GBL_CPU_FOUR(eigen_pick)};

static void make_spec(int which, gbl_dtype dtype, int items, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, files[which], dtype);
    gbl_kernel_add_macro(spec, "ITEMS", items);
}

/* eigen_end is a kernel of its own for each routine that another of them calls, so that a variant
 * tells of what it uses itself. */
static int end_items(bool scaled, bool has_before)
{
    return scaled ? ITEMS : has_before ? ITEMS / 2 : ITEMS / 4;
}

int gbl_eigen_outcome_specs(gbl_dtype dtype, const gbl_device *device, bool has_before,
                            gbl_kernel_spec *specs)
{
    if (device->table->build == NULL)
        return 0;
    make_spec(GBL_EIGEN_END, gbl_eigen_real(dtype), end_items(false, has_before), specs);
    return 1;
}

int gbl_eigen_specs(gbl_dtype dtype, const gbl_device *device, bool picks, gbl_kernel_spec *specs)
{
    const int count = picks ? GBL_EIGEN_KERNELS : GBL_EIGEN_KERNELS - 1;
    if (device->table->build == NULL)
        return 0;
    for (int i = 0; i < count; i++)
        make_spec(i, i == GBL_EIGEN_PICK ? dtype : gbl_eigen_real(dtype), ITEMS, &specs[i]);
    return count;
}

static gable_status launch(gable_context *ctx, int which, gbl_dtype dtype, int items,
                           int64_t groups, gbl_launch_spec spec)
{
    gbl_kernel_spec wanted;
    gbl_kernel *kernel;
    make_spec(which, dtype, items, &wanted);
    TRY(gbl_kernel_get(ctx->device, &wanted, &kernel, &ctx->message));
    spec.groups[0] = groups;
    spec.groups[1] = 1;
    spec.group[0] = items;
    spec.group[1] = 1;
    return gbl_launch(ctx, kernel, &spec);
}

/* ---- Before the reduction ---- */

static gbl_product_call norm_of(const gbl_product_call *call, void *result)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .norm = GABLE_MAX_NORM,
                              .uplo = call->uplo,
                              .conj = gbl_dtype_complex(call->dtype),
                              .by_parts = gbl_dtype_complex(call->dtype),
                              .m = call->n,
                              .n = call->n,
                              .A = call->A,
                              .lda = call->lda,
                              .C = result};
}

static gbl_product_call scaled_of(const gbl_product_call *call, char *numbers)
{
    const size_t real = gbl_dtype_real_bytes(call->dtype);
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .real_alpha = true,
                              .real_beta = true,
                              .m = call->n,
                              .n = call->n,
                              .alpha = {.device = numbers + GBL_EIGEN_FROM * real},
                              .beta = {.device = numbers + GBL_EIGEN_TO * real},
                              .A = call->A,
                              .lda = call->lda};
}

gable_status gbl_eigen_begin(gable_context *ctx, const char *name, const gbl_product_call *call,
                             void **numbers)
{
    const gbl_dtype dtype = gbl_eigen_real(call->dtype);
    const size_t real = gbl_dtype_bytes(dtype);
    const eigen_begin_args args = {0};
    void *most;
    TRY(gbl_arena_take(ctx->arena, ctx->device, GBL_EIGEN_NUMBERS * real, numbers, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, real, &most, &ctx->message));
    const gbl_product_call norm = norm_of(call, most), scaled = scaled_of(call, *numbers);
    TRY(gbl_lansy(ctx, name, &norm));
    if (ctx->device->table->build == NULL) {
        const gbl_cpu_eigen_args task = {.most = most, .numbers = *numbers};
        TRY(gbl_task(ctx, names[GBL_EIGEN_BEGIN], tasks[GBL_EIGEN_BEGIN][dtype], &task,
                     sizeof task));
    } else {
        TRY(launch(ctx, GBL_EIGEN_BEGIN, dtype, ITEMS, 1,
                   (gbl_launch_spec){.buffer_count = 2,
                                     .buffers = {most, *numbers},
                                     .args = &args,
                                     .args_bytes = sizeof args}));
    }
    return gbl_lascl(ctx, name, &scaled);
}

/* ---- Behind it ---- */

gable_status gbl_eigen_end(gable_context *ctx, const gbl_product_call *call, void *numbers,
                           int64_t number, const int64_t *stage, const int64_t *before)
{
    const gbl_dtype dtype = gbl_eigen_real(call->dtype);
    const eigen_end_args args = {
        .n = call->n, .number = number, .has_before = before != NULL, .scaled = numbers != NULL};
    if (ctx->device->table->build == NULL) {
        const gbl_cpu_eigen_args task = {.n = call->n,
                                         .number = number,
                                         .numbers = numbers,
                                         .w = call->d,
                                         .stage = stage,
                                         .before = before,
                                         .info = call->info};
        return gbl_task(ctx, names[GBL_EIGEN_END], tasks[GBL_EIGEN_END][dtype], &task, sizeof task);
    }
    return launch(
        ctx, GBL_EIGEN_END, dtype, end_items(numbers != NULL, before != NULL),
        numbers != NULL ? gbl_parts(call->n, ITEMS) : 1,
        (gbl_launch_spec){
            .buffer_count = 5,
            .buffers = {numbers != NULL ? numbers : call->d, call->d, (void *)(uintptr_t)stage,
                        (void *)(uintptr_t)(before != NULL ? before : stage), call->info},
            .args = &args,
            .args_bytes = sizeof args});
}

gable_status gbl_eigen_outcome(gable_context *ctx, const gbl_product_call *call,
                               const int64_t *stage)
{
    return gbl_eigen_end(ctx, call, NULL, gbl_eigen_number(call), stage, NULL);
}

gable_status gbl_eigen_picked(gable_context *ctx, const gbl_product_call *call,
                              const gbl_eigen_pick *pick)
{
    const bool by_values = call->range == GABLE_RANGE_VALUES, vectors = pick->vectors != NULL;
    const eigen_pick_args args = {.n = call->n,
                                  .first = pick->first,
                                  .count = pick->count,
                                  .by_values = by_values,
                                  .vectors = vectors,
                                  .ldv = pick->ldv,
                                  .ldz = call->ldc,
                                  .from = call->alpha.re,
                                  .to = call->beta.re};
    if (ctx->device->table->build == NULL) {
        const gbl_cpu_pick_args task = {.n = call->n,
                                        .first = pick->first,
                                        .count = pick->count,
                                        .by_values = by_values,
                                        .from = call->alpha.re,
                                        .to = call->beta.re,
                                        .all = pick->all,
                                        .vectors = pick->vectors,
                                        .ldv = pick->ldv,
                                        .w = call->d,
                                        .Z = vectors ? call->C : NULL,
                                        .ldz = call->ldc,
                                        .stage = pick->stage,
                                        .found = call->found,
                                        .failed = call->ipiv};
        return gbl_task(ctx, names[GBL_EIGEN_PICK], tasks[GBL_EIGEN_PICK][call->dtype], &task,
                        sizeof task);
    }
    const int64_t most = GROUPS_PER_UNIT * (int64_t)ctx->device->props.units,
                  groups = call->n < most ? call->n : most;
    return launch(
        ctx, GBL_EIGEN_PICK, call->dtype, ITEMS, groups,
        (gbl_launch_spec){.buffer_count = 7,
                          .buffers = {pick->all, vectors ? pick->vectors : pick->all, call->d,
                                      vectors ? call->C : call->d, (void *)(uintptr_t)pick->stage,
                                      call->found, vectors ? call->ipiv : call->found},
                          .args = &args,
                          .args_bytes = sizeof args});
}

/* ---- For the model ---- */

int gbl_eigen_parts(const gbl_product_call *call, gbl_part_call *parts, int count)
{
    const double real = (double)gbl_dtype_real_bytes(call->dtype);
    const gbl_product_call norm = norm_of(call, call->d), scaled = scaled_of(call, call->d);
    const gbl_cost small = {.memory_bytes = 2 * real * (double)call->n + 64,
                            .written_bytes = real * (double)call->n,
                            .launches = 1,
                            .groups = (double)gbl_parts(call->n, ITEMS),
                            .group_items = ITEMS,
                            .bytes_in_flight = real * ITEMS};
    count = gbl_composed_call(parts, count, &gbl_lansy_op, &norm, 1);
    count = gbl_composed_call(parts, count, &gbl_lascl_op, &scaled, 1);
    return gbl_composed_kernel(parts, count, &small, 2);
}
