/* bicgstab_plan.h: how the kernels of BiCGStab are launched, and forms of the kernels of BiCGStab
 * and GMRES.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_BICGSTAB_PLAN_H
#define GBL_BICGSTAB_PLAN_H

#include "sparse/solver/fused_rows_plan.h"

typedef enum gbl_bicgstab_kernel {
    GBL_BICGSTAB_FIRST, /* product */
    GBL_BICGSTAB_SECOND,
    GBL_BICGSTAB_HALF,
    GBL_BICGSTAB_UPDATE,
    GBL_BICGSTAB_START,
    GBL_BICGSTAB_JUDGE,
    GBL_BICGSTAB_KEEP_BEST,
    GBL_BICGSTAB_KERNELS
} gbl_bicgstab_kernel;

/* The plan of the products, whose groups all kernels have. */
void gbl_bicgstab_plan(const gbl_device *device, const gable_solver *solver, gbl_fused_rows *plan);
/* What bicgstab_update calls PRECOND: 0 none, 1 a diagonal, 2 vectors M^-1 p and M^-1 s. */
int gbl_bicgstab_precond(const gable_solver *solver, const gbl_fused_rows *plan);
void gbl_bicgstab_spec(const gable_solver *solver, const gbl_fused_rows *plan,
                       gbl_bicgstab_kernel which, gbl_kernel_spec *spec);

#endif
