/* solver_methods.c: the methods, and the forms of CG, as tables.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse/solver/solver.h"

static const gbl_method methods[] = {
    [GBL_METHOD_CG] = gbl_solve_cg,
    [GBL_METHOD_BICGSTAB] = gbl_solve_bicgstab,
    [GBL_METHOD_GMRES] = gbl_solve_gmres,
};

gbl_method gbl_solver_method(gbl_method_name name)
{
    return (size_t)name < sizeof methods / sizeof methods[0] ? methods[name] : NULL;
}

/* The first that fits and is of the form that was asked for. */
static const gbl_cg_form forms[] = {
    {GBL_PERSISTENT, "persistent", gbl_cg_persistent_fits, gbl_solve_cg_persistent},
    {GBL_PIPELINED, "pipelined", gbl_cg_pipelined_fits, gbl_solve_cg_pipelined},
    {GBL_PIPELINED, "pipelined", gbl_cg_host_fits, gbl_solve_cg_host},
    {GBL_STANDARD, "standard", gbl_cg_standard_fits, gbl_solve_cg_standard},
};

const gbl_cg_form *gbl_cg_forms(int *count)
{
    *count = sizeof forms / sizeof forms[0];
    return forms;
}
