/* cg_specs.c: forms of the kernels of CG and of preconditioners, for those who compile all of them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse/solver/solver_cg_pipelined.h"

/* A product in each way to add up rows, with each preconditioner somewhere; vectors with x on any
 * address. */
static const struct {
    gable_format format;
    int64_t mean; /* entries per row */
    gbl_precond_name precond;
    int block, index_bytes;
    int32_t x_alignment;
    bool ordered;
} forms[] = {
    {GABLE_CSR, 5, GBL_PRECOND_NONE, 1, 4, 16, false},
    {GABLE_CSR, 30, GBL_PRECOND_BLOCK, 4, 4, 16, false},
    {GABLE_ELL, 5, GBL_PRECOND_JACOBI, 1, 4, 16, false},
    {GABLE_SELL, 5, GBL_PRECOND_NONE, 1, 4, 16, false},
    {GABLE_SELL, 5, GBL_PRECOND_JACOBI, 1, 8, 4, true},
    {GABLE_SELL, 5, GBL_PRECOND_BLOCK, 32, 4, 16, false},
    {GABLE_SELL, 5, GBL_PRECOND_NONE, 1, 8, 4, true},
};
#define FORMS (sizeof forms / sizeof forms[0])

static int put(const gbl_kernel_spec *spec, gbl_kernel_spec *specs, int at)
{
    if (specs != NULL)
        specs[at] = *spec;
    return 1;
}

int gbl_cg_specs(gbl_dtype dtype, gbl_kernel_spec *specs)
{
    const gbl_device gpu = {.table = &gbl_cuda_table,
                            .props = {.is_gpu = true, .units = 132, .simd = 32, .max_group = 1024}};
    const int32_t real = (int32_t)gbl_dtype_real_bytes(dtype);
    gbl_kernel_spec spec = {.file = "cg_scalars.cl", .dtype = dtype};
    int count = put(&spec, specs, 0);
    for (size_t i = 0; i < FORMS; i++) {
        gbl_cg_problem problem = {.layout = {.dtype = dtype,
                                             .format = (uint8_t)forms[i].format,
                                             .index_bytes = (uint8_t)forms[i].index_bytes,
                                             .rows = 1000000,
                                             .columns = 1000000,
                                             .entries = forms[i].mean * 1000000,
                                             .stored = forms[i].mean * 1000000,
                                             .longest = forms[i].mean,
                                             .width = forms[i].mean,
                                             .chunk = 32,
                                             .order = forms[i].ordered ? &problem : NULL},
                                  .precond = forms[i].precond,
                                  .block = forms[i].block,
                                  .x_alignment =
                                      forms[i].x_alignment < real ? real : forms[i].x_alignment};
        gbl_cg_plan plan;
        gbl_kernel_spec pair[2];
        gbl_cg_plan_make(&problem, &gpu, GBL_CG_VECTOR_ITEMS, GBL_CG_PRODUCT_ITEMS, &plan, pair);
        count += put(&pair[0], specs, count);
        count += put(&pair[1], specs, count);
        if (i > 2)
            continue;
        for (int kernel = GBL_BLOCK_GATHER; kernel <= GBL_BLOCK_APPLY; kernel++) {
            gbl_block_spec((gbl_block_kernel)kernel, &problem.layout,
                           i == 2   ? 1
                           : i == 1 ? 4
                                    : 32,
                           &spec);
            count += put(&spec, specs, count);
        }
    }
    return count;
}
