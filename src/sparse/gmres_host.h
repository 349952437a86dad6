/* gmres_host.h: GMRES on the cpu, and what an iteration must move.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GMRES_HOST_H
#define GBL_GMRES_HOST_H

#include "sparse/solver.h"

/* A round on the cpu. */
gable_status gbl_solve_gmres_host(gbl_solve *solve, gbl_round *round);
/* Of calls, with numbers on the host: for operators and preconditioners of the user's. */
gable_status gbl_solve_gmres_calls(gbl_solve *solve, gbl_round *round);

/* The mean over a cycle of m steps. */
double gbl_gmres_bytes(const gable_solver *solver, int64_t m);

#endif
