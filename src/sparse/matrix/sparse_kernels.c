/* sparse_kernels.c: the kernels that make and change sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "sparse/matrix/sparse_host.h"
#include "sparse/matrix/sparse_kernels.h"

_Static_assert(sizeof(sparse_convert_args) == 8 * 8, "host and device must agree");

/* Of kernels that look: 1024 work-items, which keep a multiprocessor's loads in flight. What groups
 * find is 48 bytes each: some 50 KB on an H200 cross the link. */
#define GROUPS_PER_UNIT 8
/* Work-items of a group: they need few registers, so any GPU takes them. */
#define ITEMS 128

/* Of a kernel: whether it touches values; which macros it has; how its findings are put
 * together. */
static const struct {
    const char *file;
    bool typed, placed, rest;
    int ways[SPARSE_FINDINGS]; /* SPARSE_LEAST ... */
} kernels[GBL_SPARSE_KERNELS] = {
    [GBL_SPARSE_PACK] = {.file = "sparse_pack.cl", .typed = true, .placed = true},
    [GBL_SPARSE_REST] = {.file = "sparse_rest.cl", .typed = true},
    [GBL_SPARSE_LENGTHS] = {.file = "sparse_lengths.cl", .placed = true},
    [GBL_SPARSE_UNPACK] = {.file = "sparse_unpack.cl", .typed = true, .placed = true, .rest = true},
    [GBL_SPARSE_STARTS] = {.file = "sparse_starts.cl"},
    [GBL_SPARSE_COUNTS] = {.file = "sparse_counts.cl"},
    [GBL_SPARSE_SCAN] = {.file = "sparse_scan.cl"},
    [GBL_SPARSE_SORT] = {.file = "sparse_sort.cl"},
    [GBL_SPARSE_CHECK_ROWS] = {.file = "sparse_check_rows.cl",
                               .ways = {SPARSE_LEAST, SPARSE_LEAST, SPARSE_SUM, SPARSE_MOST,
                                        SPARSE_LEAST, SPARSE_SUM}},
    [GBL_SPARSE_CHECK_ENTRIES] = {.file = "sparse_check_entries.cl",
                                  .ways = {SPARSE_LEAST, SPARSE_LEAST, SPARSE_LEAST, SPARSE_SUM,
                                           SPARSE_SUM, SPARSE_SUM}},
    [GBL_SPARSE_LONGER] = {.file = "sparse_longer.cl",
                           .ways = {SPARSE_SUM, SPARSE_SUM, SPARSE_SUM, SPARSE_SUM, SPARSE_SUM,
                                    SPARSE_SUM}},
    [GBL_SPARSE_LOOK] = {.file = "sparse_look.cl",
                         .typed = true,
                         .ways = {SPARSE_MOST, SPARSE_SUM, SPARSE_SUM, SPARSE_BITS, SPARSE_SUM,
                                  SPARSE_SUM}},
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
    if (form->kernel == GBL_SPARSE_COUNTS) {
        gbl_kernel_add_macro(spec, "KIND", form->kind);
        gbl_kernel_add_macro(spec, "ORDERED", form->ordered);
        gbl_kernel_add_macro(spec, "REST", form->rest);
    }
    if (form->kernel == GBL_SPARSE_SORT)
        gbl_kernel_add_macro(spec, "WINDOW", form->window);
}

static int group_of(const gable_context *ctx)
{
    const int most = ctx->device->props.max_group;
    return most < ITEMS ? most : ITEMS;
}

/* Groups of a launch for so many items. */
static int64_t groups_of(const gbl_sparse_form *form, int64_t items, int group,
                         const sparse_convert_args *args)
{
    switch (form->kernel) {
    case GBL_SPARSE_SORT:
        return items;
    case GBL_SPARSE_COUNTS:
    case GBL_SPARSE_SCAN:
        return gbl_some_parts(items, args->lanes);
    case GBL_SPARSE_REST:
        return gbl_some_parts(items, (int64_t)group * SPARSE_EACH);
    case GBL_SPARSE_PACK:
        return gbl_some_parts(items, form->sliced ? (int64_t)group * SPARSE_EACH : group);
    default:
        return gbl_some_parts(items, group);
    }
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
        .groups = {groups_of(form, items, group, args), 1},
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
    return kernels[kernel].ways[finding] == SPARSE_LEAST ? SPARSE_NOWHERE : 0;
}

int64_t gbl_sparse_together(gbl_sparse_kernel kernel, int finding, int64_t a, int64_t b)
{
    switch (kernels[kernel].ways[finding]) {
    case SPARSE_LEAST:
        return a < b ? a : b;
    case SPARSE_MOST:
        return a > b ? a : b;
    case SPARSE_SUM:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    default:
        return a | b;
    }
}

gable_status gbl_sparse_find_begin(gable_context *ctx, const gbl_sparse_form *form, int64_t n,
                                   const void *const *buffers, int buffer_count,
                                   const sparse_convert_args *args, gbl_sparse_looking *looking)
{
    const int group = group_of(ctx), units = ctx->device->props.units;
    const int64_t parts = gbl_some_parts(n, group),
                  most = (int64_t)GROUPS_PER_UNIT * (units > 0 ? units : 1);
    const void *given[GBL_MAX_BUFFERS];
    *looking = (gbl_sparse_looking){.kernel = form->kernel, .groups = parts < most ? parts : most};
    sparse_convert_args counted = *args;
    counted.lanes = looking->groups * group;
    TRY(gbl_arena_take(ctx->arena, ctx->device,
                       (size_t)looking->groups * SPARSE_FINDINGS * sizeof(int64_t), &looking->far,
                       &ctx->message));
    for (int i = 0; i < buffer_count; i++)
        given[i] = buffers[i];
    given[buffer_count] = looking->far;
    return gbl_sparse_launch(ctx, form, counted.lanes, given, buffer_count + 1, &counted);
}

gable_status gbl_sparse_find_end(gable_context *ctx, const gbl_sparse_looking *looking,
                                 int64_t *findings)
{
    const size_t bytes = SPARSE_FINDINGS * sizeof(int64_t);
    void *room;
    TRY(gbl_sparse_room(ctx, looking->groups, bytes, &room));
    const int64_t *all = room;
    const gable_status status =
        gable_get_vector(ctx, looking->groups, bytes, looking->far, 1, room, 1);
    for (int k = 0; k < SPARSE_FINDINGS && status == GABLE_OK; k++) {
        findings[k] = gbl_sparse_unfound(looking->kernel, k);
        for (int64_t group = 0; group < looking->groups; group++)
            findings[k] = gbl_sparse_together(looking->kernel, k, findings[k],
                                              all[group * SPARSE_FINDINGS + k]);
    }
    free(room);
    return status;
}

gable_status gbl_sparse_find(gable_context *ctx, const gbl_sparse_form *form, int64_t n,
                             const void *const *buffers, int buffer_count,
                             const sparse_convert_args *args, int64_t *findings)
{
    gbl_sparse_looking looking;
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    gable_status status =
        gbl_sparse_find_begin(ctx, form, n, buffers, buffer_count, args, &looking);
    if (status == GABLE_OK)
        status = gbl_sparse_find_end(ctx, &looking, findings);
    gbl_arena_release(ctx->arena, mark);
    return status;
}

/* ---- Kernels that count ---- */

gable_status gbl_sparse_scan(gable_context *ctx, const gbl_sparse_form *form, int64_t n,
                             const void *start, const void *other, void *counts, void *total,
                             const sparse_convert_args *args)
{
    const int group = group_of(ctx);
    gbl_sparse_form scan = *form;
    sparse_convert_args run = *args;
    void *sums;
    scan.kernel = GBL_SPARSE_SCAN;
    run.places = n;
    run.lanes = gbl_some_parts(gbl_some_parts(n, SPARSE_SCAN_GROUPS), group) * group;
    TRY(gbl_arena_take(ctx->arena, ctx->device, SPARSE_SCAN_GROUPS * sizeof(int64_t), &sums,
                       &ctx->message));
    const void *const counting[] = {start, other != NULL ? other : start, counts, sums};
    TRY(gbl_sparse_launch(ctx, form, n, counting, 4, &run));
    const void *const scanning[] = {sums, counts, total};
    return gbl_sparse_launch(ctx, &scan, n, scanning, 3, &run);
}

/* Of counts: all kinds, and those with an order or a rest; of sort: the usual windows. */
static int more_specs(int bytes, gbl_kernel_spec *specs)
{
    static const struct {
        int kind;
        bool ordered, rest;
    } counted[] = {{SPARSE_OF_SLICES, false, false},
                   {SPARSE_OF_SLICES, true, false},
                   {SPARSE_OF_RESTS, false, false},
                   {SPARSE_OF_ROWS, false, false},
                   {SPARSE_OF_ROWS, false, true}};
    static const int windows[] = {256, 1024, GBL_SPARSE_WINDOW};
    int count = 0;
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++, count++) {
        const gbl_sparse_form form = {.kernel = GBL_SPARSE_COUNTS,
                                      .index_bytes = bytes,
                                      .kind = counted[i].kind,
                                      .ordered = counted[i].ordered,
                                      .rest = counted[i].rest};
        if (specs != NULL)
            make_spec(&form, ITEMS, &specs[count]);
    }
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++, count++) {
        const gbl_sparse_form form = {
            .kernel = GBL_SPARSE_SORT, .index_bytes = bytes, .window = windows[i]};
        if (specs != NULL)
            make_spec(&form, ITEMS, &specs[count]);
    }
    return count;
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
                    (!kernels[k].typed && dtype != GBL_S) || k == GBL_SPARSE_COUNTS ||
                    k == GBL_SPARSE_SORT)
                    continue;
                if (specs != NULL)
                    make_spec(&form, ITEMS, &specs[count]);
                count++;
            }
    for (int bytes = 4; bytes <= 8 && dtype == GBL_S; bytes += 4)
        count += more_specs(bytes, specs != NULL ? specs + count : NULL);
    return count;
}
