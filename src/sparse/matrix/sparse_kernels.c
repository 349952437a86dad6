/* sparse_kernels.c: the kernels that make and change sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "sparse/matrix/sparse_kernels.h"

_Static_assert(sizeof(sparse_convert_args) == 8 * 8, "host and device must agree");

/* Of kernels that look: 1024 work-items, which keep a multiprocessor's loads in flight. */
#define GROUPS_PER_UNIT 8
/* Work-items of a group: they need few registers, so any GPU takes them. */
#define ITEMS 128

/* Of a kernel: whether it touches values; which macros it has; how its findings are put
 * together. */
static const struct {
    const char *file;
    bool typed, placed, rest;
    gbl_finding ways[SPARSE_FINDINGS];
} kernels[GBL_SPARSE_KERNELS] = {
    [GBL_SPARSE_PACK] = {.file = "sparse_pack.cl", .typed = true, .placed = true},
    [GBL_SPARSE_REST] = {.file = "sparse_rest.cl", .typed = true},
    [GBL_SPARSE_LENGTHS] = {.file = "sparse_lengths.cl", .placed = true},
    [GBL_SPARSE_UNPACK] = {.file = "sparse_unpack.cl", .typed = true, .placed = true, .rest = true},
    [GBL_SPARSE_STARTS] = {.file = "sparse_starts.cl"},
    [GBL_SPARSE_CHECK_STARTS] = {.file = "sparse_check_starts.cl",
                                 .ways = {GBL_FIND_LEAST, GBL_FIND_MOST}},
    [GBL_SPARSE_CHECK_ROWS] = {.file = "sparse_check_rows.cl",
                               .ways = {GBL_FIND_LEAST, GBL_FIND_LEAST}},
    [GBL_SPARSE_CHECK_ENTRIES] = {.file = "sparse_check_entries.cl",
                                  .ways = {GBL_FIND_LEAST, GBL_FIND_LEAST, GBL_FIND_LEAST}},
    [GBL_SPARSE_LOOK] = {.file = "sparse_look.cl",
                         .typed = true,
                         .ways = {GBL_FIND_MOST, GBL_FIND_SUM, GBL_FIND_SUM, GBL_FIND_BITS}},
};

static void make_spec(const gbl_sparse_form *form, int items, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, kernels[form->kernel].file,
                     kernels[form->kernel].typed ? form->dtype : GBL_S);
    gbl_kernel_add_macro(spec, "ITEMS", items);
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * form->index_bytes);
    if (kernels[form->kernel].placed) {
        gbl_kernel_add_macro(spec, "SLICED", form->sliced);
        gbl_kernel_add_macro(spec, "ORDERED", form->ordered);
    }
    if (kernels[form->kernel].rest)
        gbl_kernel_add_macro(spec, "REST", form->rest);
}

static int group_of(const gable_context *ctx)
{
    const int most = ctx->device->props.max_group;
    return most < ITEMS ? most : ITEMS;
}

gable_status gbl_sparse_launch(gable_context *ctx, const gbl_sparse_form *form, int64_t items,
                               const void *const *buffers, int buffer_count,
                               const sparse_convert_args *args)
{
    const int group = group_of(ctx);
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    if (ctx->device->props.is_host) {
        gbl_sparse_run_on_cpu(form, items, buffers, args);
        return GABLE_OK;
    }
    make_spec(form, group, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {gbl_some_parts(items, group), 1},
        .group = {group, 1},
        .buffer_count = buffer_count,
        .args = args,
        .args_bytes = sizeof *args,
    };
    for (int i = 0; i < buffer_count; i++)
        launch.buffers[i] = buffers[i];
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- Kernels that look ---- */

int64_t gbl_sparse_unfound(gbl_sparse_kernel kernel, int finding)
{
    return kernels[kernel].ways[finding] == GBL_FIND_LEAST ? SPARSE_NOWHERE : 0;
}

int64_t gbl_sparse_together(gbl_sparse_kernel kernel, int finding, int64_t a, int64_t b)
{
    switch (kernels[kernel].ways[finding]) {
    case GBL_FIND_LEAST:
        return a < b ? a : b;
    case GBL_FIND_MOST:
        return a > b ? a : b;
    case GBL_FIND_SUM:
        return a + b;
    default:
        return a | b;
    }
}

static gable_status find(gable_context *ctx, const gbl_sparse_form *form, int64_t lanes,
                         const void *const *buffers, int buffer_count,
                         const sparse_convert_args *args, int64_t *all)
{
    const size_t bytes = SPARSE_FINDINGS * sizeof(int64_t);
    const void *given[GBL_MAX_BUFFERS];
    void *far;
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)lanes * bytes, &far, &ctx->message));
    for (int i = 0; i < buffer_count; i++)
        given[i] = buffers[i];
    given[buffer_count] = far;
    TRY(gbl_sparse_launch(ctx, form, lanes, given, buffer_count + 1, args));
    return gable_get_vector(ctx, lanes, bytes, far, 1, all, 1);
}

gable_status gbl_sparse_find(gable_context *ctx, const gbl_sparse_form *form, int64_t n,
                             const void *const *buffers, int buffer_count,
                             const sparse_convert_args *args, int64_t *findings)
{
    const int group = group_of(ctx), units = ctx->device->props.units;
    const int64_t parts = gbl_some_parts(n, group),
                  most = (int64_t)GROUPS_PER_UNIT * (units > 0 ? units : 1),
                  lanes = (parts < most ? parts : most) * group;
    sparse_convert_args counted = *args;
    counted.lanes = lanes;
    int64_t *all = calloc((size_t)lanes, SPARSE_FINDINGS * sizeof *all);
    if (all == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for %lld findings",
                        (long long)lanes);
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    const gable_status status = find(ctx, form, lanes, buffers, buffer_count, &counted, all);
    gbl_arena_release(ctx->arena, mark);
    for (int k = 0; k < SPARSE_FINDINGS; k++) {
        findings[k] = gbl_sparse_unfound(form->kernel, k);
        for (int64_t lane = 0; lane < lanes; lane++)
            findings[k] =
                gbl_sparse_together(form->kernel, k, findings[k], all[lane * SPARSE_FINDINGS + k]);
    }
    free(all);
    return status;
}

int gbl_convert_specs(gbl_dtype dtype, gbl_kernel_spec *specs)
{
    int count = 0;
    for (int k = 0; k < GBL_SPARSE_KERNELS; k++)
        for (int bytes = 4; bytes <= 8; bytes += 4)
            for (int way = 0; way < 4; way++) { /* ELL, SELL, SELL in another order, HYB */
                const gbl_sparse_form form = {.kernel = (gbl_sparse_kernel)k,
                                              .dtype = dtype,
                                              .index_bytes = bytes,
                                              .sliced = way == 1 || way == 2,
                                              .ordered = way == 2,
                                              .rest = way == 3};
                if ((way > 0 && !kernels[k].placed) || (way == 3 && !kernels[k].rest) ||
                    (!kernels[k].typed && dtype != GBL_S))
                    continue;
                if (specs != NULL)
                    make_spec(&form, ITEMS, &specs[count]);
                count++;
            }
    return count;
}
