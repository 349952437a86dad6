/* fused_rows_plan.h: products inside kernels of solvers: which fit, how they are cut up.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_FUSED_ROWS_PLAN_H
#define GBL_FUSED_ROWS_PLAN_H

#include "core/kernel_args.h"
#include "core/kernel.h"
#include "fused_rows_args.h"
#include "sparse/solver/solver.h"

#define GBL_FUSED_BUFFERS 5 /* start, column, value, order, inverse */

typedef struct gbl_fused_rows {
    bool fused; /* false: gbl_solver_apply makes the product, kernels find it as a vector */
    int local, lanes, unroll;
    bool run; /* groups are one work-item with a run of rows */
    int64_t groups;
    fused_rows_args args;
} gbl_fused_rows;

/* At most so many groups. Nothing is read of the solver's context: the device may be another. */
void gbl_fused_rows_plan(const gbl_device *device, const gable_solver *solver, int64_t most_groups,
                         gbl_fused_rows *plan);
/* Adds the macros of kernels/solver/fused_rows.h. */
void gbl_fused_rows_macros(const gable_solver *solver, const gbl_fused_rows *plan,
                           gbl_kernel_spec *spec);
/* The first GBL_FUSED_BUFFERS buffers. Where the matrix has none of a kind another address stands
 * in; buffers[0] has one for operators. */
void gbl_fused_rows_buffers(const gable_solver *solver, const gbl_fused_rows *plan,
                            const void **buffers);
/* Lanes that run together on the device, in the words of kernels. */
int gbl_warp_size(const gbl_device *device);

#endif
