/* test_gmres.c: GMRES: all precisions, formats and preconditioners, operators, outcomes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Solutions are checked by their residuals in wider arithmetic. Iterations stay within 5 % of a
 * plain loop in the same precision.
 */
#include "sparse/solver/krylov_case.h"

int main(void)
{
    const krylov_test t = {.method = "gmres", .most = 0.05, .plain = plain_gmres};
    return krylov_all("test_gmres", t);
}
