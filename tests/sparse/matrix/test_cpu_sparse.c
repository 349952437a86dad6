/* test_cpu_sparse.c: products with sparse matrices on the cpu: all formats, precisions, teams.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device/cpu_features.h"
#include "harness/check.h"
#include "sparse/matrix/cpu_tests.h"

int main(void)
{
    test_start("test_cpu_sparse");
    s_products();
    d_products();
    c_products();
    z_products();
    if (gbl_cpu_gathers()) {
        gbl_cpu_features_hide(true);
        s_products();
        d_products();
        gbl_cpu_features_hide(false);
    }
    return test_finish();
}
