/* test_sparse_dialect.c: the kernels of products with sparse matrices and of pipelined CG as plain
 * C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays end with their blocks, so the address sanitizer sees an overrun; work-items are threads,
 * so the thread sanitizer sees a missing barrier. Lanes run together in s and d, and do not in c
 * and z.
 */
#include "cg_check.h"
#include "expect.h"
#include "fake_device.h"
#include "sparse_check.h"
#include "sparse_convert_check.h"

int main(void)
{
    const fake_settings settings = {.fence_device = true, .deferred = true};
    gable_context *ctx = NULL;
    char why[256];
    fake_install(&settings);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        for (int i = 0; i < sparse_way_count; i++)
            EXPECT(
                sparse_check(ctx, &sparse_ways[i], (gbl_dtype)dtype, dtype % 2 == 0 ? 4 : 8, why),
                "%c%s, k = %lld: %s", gbl_dtype_letter((gbl_dtype)dtype), sparse_ways[i].variant,
                (long long)sparse_ways[i].k, why);
    EXPECT(check_sparse_kernels(ctx) == 0, "the kernels that make and convert matrices are wrong");
    EXPECT(cg_check(ctx, GBL_D, 4, 0, GABLE_CSR) == 0, "CG with lanes that run together");
    EXPECT(cg_check(ctx, GBL_S, 4, 1, GABLE_ELL) == 0, "CG with Jacobi");
    EXPECT(cg_check(ctx, GBL_Z, 1, 2, GABLE_CSR) == 0, "CG with block-Jacobi");
    gable_close(ctx);
    EXPECT(fake_faults() == 0, "%d faults, the first: %s", fake_faults(), fake_first_fault());
    fake_remove();
    return expect_summary("test_sparse_dialect");
}
