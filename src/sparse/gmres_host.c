/* gmres_host.c: GMRES on the cpu: tasks of many iterations where the matrix is there, calls otherwise.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse/gmres_host.h"

gable_status gbl_solve_gmres_host(gbl_solve *solve, gbl_round *round)
{
    return gbl_solve_gmres_calls(solve, round);
}
