/* krylov_host.h: BiCGStab and GMRES on the cpu, and what the methods share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_KRYLOV_HOST_H
#define GBL_KRYLOV_HOST_H

#include "sparse/solver/fused_rows_plan.h"
#include "sparse/solver/solver.h"

/* A round on the cpu: tasks of src/cpu where there is a matrix, calls otherwise. */
gable_status gbl_solve_bicgstab_host(gbl_solve *solve, gbl_round *round);
gable_status gbl_solve_gmres_host(gbl_solve *solve, gbl_round *round);
/* Of BLAS calls, with numbers on the host: for operators and preconditioners of the user's. */
gable_status gbl_solve_bicgstab_calls(gbl_solve *solve, gbl_round *round);
gable_status gbl_solve_gmres_calls(gbl_solve *solve, gbl_round *round);

/* r := b - A x and its norm. */
gable_status gbl_krylov_residual(gbl_solve *solve);

/* What an iteration must move; of GMRES the mean over a cycle of m steps. */
double gbl_bicgstab_bytes(const gable_solver *solver);
double gbl_gmres_bytes(const gable_solver *solver, int64_t m);

/* solver_gmres.c: its product on a device. plan->fused may be false: then there is none. */
void gbl_gmres_product_spec(const gbl_device *device, const gable_solver *solver,
                            gbl_fused_rows *plan, gbl_kernel_spec *spec);

/* Iterations of BiCGStab without a new best residual, after which it stagnates. */
#define GBL_BICGSTAB_WAITING 1000
/* Breakdowns of BiCGStab in a round, behind which it starts again. */
#define GBL_BICGSTAB_RESTARTS 20
/* Cycles of GMRES within which |r|^2 must fall below so much of it. */
#define GBL_GMRES_WINDOW      8
#define GBL_GMRES_NO_PROGRESS 0.98

#endif
