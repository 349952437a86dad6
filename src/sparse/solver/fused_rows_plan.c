/* fused_rows_plan.c: products inside kernels of solvers: which fit, how they are cut up.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse/solver/fused_rows_plan.h"
#include "blas/level1/stream_plan.h"
#include "sparse/matrix/sparse_plan.h"

_Static_assert(sizeof(fused_rows_args) == 4 * 8, "host and device must agree");

#define ITEMS 256 /* per group on GPUs */
/* GROUPS_PER_UNIT: with ITEMS all that a multiprocessor of NVIDIA's holds; fewer where groups read
 * the sums of all. */
#define GROUPS_PER_UNIT 8
#define MOST_ENTRIES    8 /* of a row that a work-item of a GPU asks for at once */
#define RUNS_PER_UNIT   4 /* CPUs: so that a slow core does not keep the others waiting */

int gbl_warp_size(const gbl_device *device)
{
    const gbl_props *props = &device->props;
    return props->max_dynamic_local_bytes > 0 && props->simd > 1 ? props->simd : 1;
}

static bool fused_fits(const gable_solver *solver)
{
    const int format = solver->layout.format;
    const gbl_form form = solver->options.form;
    if (form == GBL_STANDARD || (form == GBL_FORM_AUTO && solver->long_rows))
        return false; /* products by calls divide long rows */
    return (format == GABLE_CSR || format == GABLE_ELL || format == GABLE_SELL) &&
           (solver->precond == GBL_PRECOND_NONE || solver->precond == GBL_PRECOND_JACOBI);
}

/* Lanes for a row of CSR: about half its mean length, so that each has two entries or more. */
static int lanes_of(const gbl_device *device, const gable_solver *solver)
{
    const gbl_sparse_layout *layout = &solver->layout;
    const int together = gbl_warp_size(device);
    int lanes = 1;
    while (layout->format == GABLE_CSR && lanes < together &&
           4 * (int64_t)lanes * layout->rows <= layout->entries)
        lanes *= 2;
    return lanes;
}

void gbl_fused_rows_plan(const gbl_device *device, const gable_solver *solver, int64_t most_groups,
                         gbl_fused_rows *plan)
{
    const gbl_props *props = &device->props;
    const int64_t rows = solver->n;
    *plan = (gbl_fused_rows){.fused = fused_fits(solver), .lanes = 1, .local = 1, .unroll = 1};
    plan->run = !props->is_gpu;
    int64_t groups = (int64_t)props->units * (plan->run ? RUNS_PER_UNIT : GROUPS_PER_UNIT);
    if (!plan->run) {
        plan->local = props->max_group < ITEMS ? props->max_group : ITEMS;
        plan->unroll = 4;
        if (plan->fused)
            plan->lanes = lanes_of(device, solver);
        if (plan->fused && solver->layout.format != GABLE_CSR)
            plan->unroll = gbl_sparse_unroll(&solver->layout, MOST_ENTRIES);
    }
    if (groups > most_groups)
        groups = most_groups;
    const int64_t each = plan->local / plan->lanes, useful = (rows + each - 1) / each;
    plan->groups = groups < useful ? groups : useful;
    plan->args = (fused_rows_args){
        .matrix = {.rows = rows, .width = solver->layout.width, .stride = solver->layout.stride},
        .run = (rows + plan->groups - 1) / plan->groups};
}

void gbl_fused_rows_macros(const gable_solver *solver, const gbl_fused_rows *plan,
                           gbl_kernel_spec *spec)
{
    const gbl_sparse_layout *layout = &solver->layout;
    const int format = plan->fused ? layout->format : 0;
    gbl_kernel_add_macro(spec, "WX", plan->local);
    gbl_kernel_add_macro(spec, "RUN", plan->run);
    gbl_kernel_add_macro(spec, "LANES", plan->lanes);
    gbl_kernel_add_macro(spec, "FORMAT", format);
    gbl_kernel_add_macro(spec, "SCALED", plan->fused && solver->precond == GBL_PRECOND_JACOBI);
    if (format == 0)
        return;
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * layout->index_bytes);
    gbl_kernel_add_macro(spec, "UNROLL", plan->unroll);
    if (format == GABLE_SELL) {
        gbl_kernel_add_macro(spec, "CHUNK", (int32_t)layout->chunk);
        gbl_kernel_add_macro(spec, "ORDERED", layout->order != NULL);
    }
}

void gbl_fused_rows_buffers(const gable_solver *solver, const gbl_fused_rows *plan,
                            const void **buffers)
{
    const gbl_sparse_layout *layout = &solver->layout;
    const void *given[GBL_FUSED_BUFFERS] = {layout->start, layout->column, layout->value,
                                            layout->order, solver->inverse};
    const void *other = layout->value != NULL ? layout->value : buffers[0];
    for (int i = 0; i < GBL_FUSED_BUFFERS; i++)
        buffers[i] = plan->fused && given[i] != NULL ? given[i] : other;
}
