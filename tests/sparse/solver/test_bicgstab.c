/* test_bicgstab.c: BiCGStab: all precisions, formats and preconditioners, operators, outcomes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Solutions are checked by their residuals in wider arithmetic. Iterations stay within 25 % of a
 * plain loop in the same precision.
 */
#include "sparse/solver/krylov_case.h"

int main(void)
{
    const krylov_test t = {.method = "bicgstab", .most = 0.25, .plain = plain_bicgstab};
    return krylov_all("test_bicgstab", t);
}
