/* test_bicgstab.c: BiCGStab: all precisions, formats and preconditioners, operators, outcomes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Solutions are checked by their residuals in wider arithmetic. Iterations stay within 25 % of a plain loop in the same
 * precision.
 */
#include "sparse/krylov_case.h"

int main(void)
{
    test_start("test_bicgstab");
    const krylov_test t = {
        .ctx = test_open(), .method = "bicgstab", .most = 0.25, .plain = plain_bicgstab};
    /* Kernels compile slowly on PoCL: half of the precisions there but in check-all. */
    const bool slow = strncmp(test_device(), "opencl", 6) == 0 && !test_all();
    for (int dtype = 0; dtype < GBL_DTYPES; dtype++) {
        const bool usual = dtype == GBL_D || dtype == GBL_C;
        if (slow && !usual)
            continue;
        krylov_settings(&t, (gbl_dtype)dtype);
        krylov_callbacks(&t, (gbl_dtype)dtype);
        if (usual || test_all()) {
            krylov_sizes(&t, (gbl_dtype)dtype);
            krylov_outcomes(&t, (gbl_dtype)dtype);
        }
    }
    krylov_files(&t);
    krylov_repeat(&t);
    gable_close(t.ctx);
    return test_finish();
}
