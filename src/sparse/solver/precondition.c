/* precondition.c: Jacobi and block-Jacobi: the inverses of the blocks on the diagonal, and products
 * with them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Jacobi is block-Jacobi with blocks of one row. The blocks are gathered and inverted on the
 * device.
 */
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "block_args.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "core/observe.h"
#include "cpu/cpu_precondition.h"
#include "sparse/solver/solver.h"

#define ITEMS 128 /* per group */

_Static_assert(sizeof(block_args) == 4 * 8, "host and device must agree");

static int64_t block_count(const gable_solver *solver)
{
    return gbl_parts(solver->n, solver->block);
}

static size_t inverse_bytes(const gable_solver *solver)
{
    const size_t size = (size_t)solver->block;
    return (size_t)block_count(solver) * size * size * gbl_dtype_bytes(solver->dtype);
}

/* ---- The cpu ---- */

static gable_status run_task(gable_solver *solver, const char *name,
                             const gbl_task_function tasks[GBL_DTYPES],
                             const gbl_sparse_layout *layout, const void *x, void *y)
{
    const gbl_cpu_block_args args = {
        .A = *layout,
        .n = solver->n,
        .block = solver->block,
        .inverse = solver->inverse,
        .x = x,
        .y = y,
    };
    return gbl_task(solver->ctx, name, tasks[solver->dtype], &args, sizeof args);
}

/* ---- Kernels ---- */

static int32_t block_items(int block)
{
    return block == 1 ? ITEMS : block <= 5 ? 32 : 64;
}

/* What kernels are told of a layout: by macros, and as arguments. */
void gbl_sparse_row_macros(const gbl_sparse_layout *layout, int32_t unroll, gbl_kernel_spec *spec)
{
    gbl_kernel_add_macro(spec, "FORMAT", layout->format);
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * layout->index_bytes);
    gbl_kernel_add_macro(spec, "UNROLL", unroll);
    if (layout->format == GABLE_SELL) {
        gbl_kernel_add_macro(spec, "CHUNK", (int32_t)layout->chunk);
        gbl_kernel_add_macro(spec, "ORDERED", layout->order != NULL);
    }
}

static block_args args_of(const gable_solver *solver, const gbl_sparse_layout *layout)
{
    return (block_args){.matrix = {solver->n, layout->width, layout->stride},
                        .blocks = block_count(solver)};
}

static gable_status launch(gable_solver *solver, const gbl_kernel_spec *spec, int64_t groups,
                           int32_t items, gbl_launch_spec *given)
{
    gable_context *ctx = solver->ctx;
    gbl_kernel *kernel;
    TRY(gbl_kernel_get(ctx->device, spec, &kernel, &ctx->message));
    given->groups[0] = groups;
    given->groups[1] = given->group[1] = 1;
    given->group[0] = items;
    return gbl_launch(ctx, kernel, given);
}

int32_t gbl_block_spec(gbl_block_kernel kernel, const gbl_sparse_layout *layout, int block,
                       gbl_kernel_spec *spec)
{
    static const char *const files[] = {"block_gather.cl", "block_inverse.cl", "block_apply.cl"};
    const int32_t items = kernel == GBL_BLOCK_INVERSE ? block_items(block) : ITEMS;
    *spec = (gbl_kernel_spec){.file = files[kernel], .dtype = layout->dtype};
    if (kernel == GBL_BLOCK_GATHER)
        gbl_sparse_row_macros(layout, 1, spec);
    gbl_kernel_add_macro(spec, "BLOCK", block);
    gbl_kernel_add_macro(spec, "WX", items);
    return items;
}

static gable_status gather(gable_solver *solver, const gbl_sparse_layout *layout)
{
    const block_args args = args_of(solver, layout);
    gbl_kernel_spec spec;
    const int32_t items = gbl_block_spec(GBL_BLOCK_GATHER, layout, solver->block, &spec);
    const void *any = layout->value;
    gbl_launch_spec given = {
        .buffer_count = 5,
        .buffers = {layout->start != NULL ? layout->start : any, layout->column, layout->value,
                    layout->order != NULL ? layout->order : any, solver->inverse},
        .args = &args,
        .args_bytes = sizeof args};
    TRY(gbl_fill_bytes(solver->ctx, solver->inverse, 0, inverse_bytes(solver)));
    return launch(solver, &spec, gbl_parts(args.blocks * solver->block, items), items, &given);
}

static gable_status invert(gable_solver *solver, const gbl_sparse_layout *layout)
{
    const block_args args = args_of(solver, layout);
    gbl_kernel_spec spec;
    const int32_t items = gbl_block_spec(GBL_BLOCK_INVERSE, layout, solver->block, &spec);
    gbl_launch_spec given = {
        .buffer_count = 1, .buffers = {solver->inverse}, .args = &args, .args_bytes = sizeof args};
    const int64_t groups = solver->block == 1 ? gbl_parts(args.blocks, items) : args.blocks;
    return launch(solver, &spec, groups, items, &given);
}

/* ---- What solver.c calls ---- */

static gable_status make_from(gable_solver *solver, const gbl_sparse_layout *layout)
{
    static const gbl_task_function tasks[] = {gbl_cpu_sblock_inverse, gbl_cpu_dblock_inverse,
                                              gbl_cpu_cblock_inverse, gbl_cpu_zblock_inverse};
    if (solver->ctx->device->props.is_host)
        return run_task(solver, "block_inverse", tasks, layout, NULL, NULL);
    TRY(gather(solver, layout));
    return invert(solver, layout);
}

static gable_status make(gable_solver *solver)
{
    gable_context *ctx = solver->ctx;
    gable_sparse *rows = NULL;
    const gbl_sparse_layout *layout = &solver->layout;
    TRY(gable_alloc(ctx, inverse_bytes(solver), &solver->inverse));
    if (layout->format == GABLE_COO || layout->format == GABLE_HYB) {
        TRY(gbl_sparse_convert(ctx, solver->A, GABLE_CSR, 0, 0, &rows));
        layout = &rows->layout;
    }
    const gable_status status = make_from(solver, layout);
    const gable_status freed = rows != NULL ? gable_sparse_destroy(ctx, rows) : GABLE_OK;
    return status != GABLE_OK ? status : freed;
}

gable_status gbl_precondition_make(gable_solver *solver)
{
    const double bytes = (double)gbl_sparse_memory(&solver->layout) + (double)inverse_bytes(solver);
    const gbl_span span = {.kind = GBL_EVENT_WORK,
                           .name = solver->block == 1 ? "jacobi_inverse" : "block_inverse",
                           .typed = true,
                           .dtype = solver->dtype,
                           .class = gbl_span_class(bytes),
                           .bytes = bytes};
    gbl_span_begin(solver->ctx, &span);
    gable_status status = make(solver);
    if (status == GABLE_OK) /* its time, and that a fault shows here */
        status = solver->ctx->device->table->sync(solver->ctx->queue, &solver->ctx->message);
    return gbl_span_end(solver->ctx, &span, status);
}

gable_status gbl_precondition_apply(gable_solver *solver, const void *x, void *y)
{
    static const gbl_task_function tasks[] = {gbl_cpu_sblock_apply, gbl_cpu_dblock_apply,
                                              gbl_cpu_cblock_apply, gbl_cpu_zblock_apply};
    if (solver->ctx->device->props.is_host)
        return run_task(solver, "block_apply", tasks, &solver->layout, x, y);
    const block_args args = args_of(solver, &solver->layout);
    gbl_kernel_spec spec;
    const int32_t items = gbl_block_spec(GBL_BLOCK_APPLY, &solver->layout, solver->block, &spec);
    gbl_launch_spec given = {.buffer_count = 3,
                             .buffers = {solver->inverse, x, y},
                             .args = &args,
                             .args_bytes = sizeof args};
    return launch(solver, &spec, gbl_parts(solver->n, items), items, &given);
}

void gbl_precondition_free(gable_solver *solver)
{
    if (solver->inverse != NULL)
        gable_free(solver->ctx, solver->inverse);
    solver->inverse = NULL;
}
