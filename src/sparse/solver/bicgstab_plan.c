/* bicgstab_plan.c: how the kernels of BiCGStab are launched.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse/solver/bicgstab_plan.h"
#include "blas/level1/stream_plan.h"

#define MOST_GROUPS 1024 /* each of which reads the sums of all */
#define UNIT_GROUPS 4    /* per multiprocessor, for the same reason */

void gbl_bicgstab_plan(const gbl_device *device, const gable_solver *solver, gbl_fused_rows *plan)
{
    const int64_t wanted = (int64_t)device->props.units * UNIT_GROUPS;
    gbl_fused_rows_plan(device, solver, wanted < MOST_GROUPS ? wanted : MOST_GROUPS, plan);
}

int gbl_bicgstab_precond(const gable_solver *solver, const gbl_fused_rows *plan)
{
    return solver->precond == GBL_PRECOND_NONE ? 0 : plan->fused ? 1 : 2;
}

void gbl_bicgstab_spec(const gable_solver *solver, const gbl_fused_rows *plan,
                       gbl_bicgstab_kernel which, gbl_kernel_spec *spec)
{
    static const char *const files[] = {
        "bicgstab_product.cl", "bicgstab_product.cl", "bicgstab_half.cl", "bicgstab_update.cl",
        "bicgstab_start.cl",   "bicgstab_judge.cl",   "bicgstab_keep.cl"};
    const bool is_product = which <= GBL_BICGSTAB_SECOND;
    gbl_fused_rows vectors = *plan; /* one element per work-item */
    vectors.fused = false;
    vectors.lanes = 1;
    *spec = (gbl_kernel_spec){.file = files[which], .dtype = solver->dtype};
    gbl_fused_rows_macros(solver, is_product ? plan : &vectors, spec);
    if (is_product)
        gbl_kernel_add_macro(spec, "SECOND", which == GBL_BICGSTAB_SECOND);
    if (which == GBL_BICGSTAB_UPDATE)
        gbl_kernel_add_macro(spec, "PRECOND", gbl_bicgstab_precond(solver, plan));
}
