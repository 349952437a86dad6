/* sparse_kernels.c: the kernels that make and change sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "blas/stream_plan.h"
#include "sparse/sparse_kernels.h"

_Static_assert(sizeof(sparse_convert_args) == 7 * 8, "host and device must agree");

#define ITEMS                                                                                      \
    128 /* a few registers each: any GPU takes them, and four such groups fill a processor's slots */

/* What a kernel knows: whether values; which macros. */
static const struct {
    const char *file;
    bool typed, placed, rest;
} kernels[GBL_SPARSE_KERNELS] = {
    [GBL_SPARSE_PACK] = {.file = "sparse_pack.cl", .typed = true, .placed = true},
    [GBL_SPARSE_REST] = {.file = "sparse_rest.cl", .typed = true},
    [GBL_SPARSE_LENGTHS] = {.file = "sparse_lengths.cl", .placed = true},
    [GBL_SPARSE_UNPACK] = {.file = "sparse_unpack.cl", .typed = true, .placed = true, .rest = true},
    [GBL_SPARSE_STARTS] = {.file = "sparse_starts.cl"},
};

static void make_spec(const gbl_sparse_form *form, int items, gbl_kernel_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    spec->file = kernels[form->kernel].file;
    spec->dtype = kernels[form->kernel].typed ? form->dtype : GBL_S;
    gbl_kernel_add_macro(spec, "ITEMS", items);
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * form->index_bytes);
    if (kernels[form->kernel].placed) {
        gbl_kernel_add_macro(spec, "SLICED", form->sliced);
        gbl_kernel_add_macro(spec, "ORDERED", form->ordered);
    }
    if (kernels[form->kernel].rest)
        gbl_kernel_add_macro(spec, "REST", form->rest);
}

gable_status gbl_sparse_launch(gable_context *ctx, const gbl_sparse_form *form, int64_t items,
                               const void *const *buffers, int buffer_count,
                               const sparse_convert_args *args)
{
    const int most = ctx->device->props.max_group, group = most < ITEMS ? most : ITEMS;
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

int gbl_sparse_specs(gbl_dtype dtype, gbl_kernel_spec *specs)
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
