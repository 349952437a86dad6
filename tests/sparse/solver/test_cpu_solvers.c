/* test_cpu_solvers.c: the fused solvers of the cpu: all methods, formats, precisions, teams.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/check.h"
#include "sparse/matrix/cpu_tests.h"

int main(void)
{
    test_start("test_cpu_solvers");
    s_solvers();
    d_solvers();
    c_solvers();
    z_solvers();
    return test_finish();
}
