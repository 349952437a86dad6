/* krylov_specs.c: forms of the kernels of BiCGStab and GMRES, for those who compile all of them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/kernel_args.h"
#include "gmres_args.h"
#include "sparse/solver/bicgstab_plan.h"
#include "sparse/solver/gmres.h"
#include "sparse/solver/krylov_host.h"

/* Each way to add up rows, with each preconditioner somewhere. Format 0: products are calls. */
static const struct {
    uint8_t format, index_bytes;
    int64_t mean; /* entries per row */
    gbl_precond_name precond;
    bool ordered;
} forms[] = {
    {0, 4, 0, GBL_PRECOND_NONE, false},           {0, 4, 0, GBL_PRECOND_USER, false},
    {GABLE_CSR, 4, 2, GBL_PRECOND_NONE, false},   {GABLE_CSR, 8, 30, GBL_PRECOND_JACOBI, false},
    {GABLE_ELL, 4, 5, GBL_PRECOND_JACOBI, false}, {GABLE_SELL, 4, 5, GBL_PRECOND_NONE, false},
    {GABLE_SELL, 8, 5, GBL_PRECOND_JACOBI, true},
};
#define FORMS (sizeof forms / sizeof forms[0])

static void put(gbl_kernel_spec *specs, int *count, const gbl_kernel_spec *spec)
{
    if (specs != NULL)
        specs[*count] = *spec;
    ++*count;
}

static void put_products(gbl_dtype dtype, const gbl_device *gpu, size_t form,
                         gbl_kernel_spec *specs, int *count)
{
    gable_solver solver = {.dtype = dtype,
                           .n = 1000000,
                           .precond = forms[form].precond,
                           .layout = {.dtype = dtype,
                                      .format = forms[form].format,
                                      .index_bytes = forms[form].index_bytes,
                                      .rows = 1000000,
                                      .columns = 1000000,
                                      .entries = forms[form].mean * 1000000,
                                      .chunk = 32,
                                      .order = forms[form].ordered ? &solver : NULL}};
    gbl_fused_rows plan;
    gbl_kernel_spec spec;
    gbl_bicgstab_plan(gpu, &solver, &plan);
    for (int which = 0; which < GBL_BICGSTAB_KERNELS; which++) {
        if (form > 0 && which > GBL_BICGSTAB_UPDATE)
            break; /* the same for all */
        gbl_bicgstab_spec(&solver, &plan, (gbl_bicgstab_kernel)which, &spec);
        put(specs, count, &spec);
    }
    if (!plan.fused)
        return;
    gbl_gmres_product_spec(gpu, &solver, &plan, &spec);
    put(specs, count, &spec);
}

int gbl_krylov_specs(gbl_dtype dtype, gbl_kernel_spec *specs)
{
    const gbl_device gpu = {.props = {.is_gpu = true,
                                      .units = 132,
                                      .simd = 32,
                                      .max_group = 1024,
                                      .max_dynamic_local_bytes = 232448}};
    static const int64_t cycles[] = {30, GMRES_MOST};
    int count = 0;
    for (int i = 0; i < 2; i++) {
        gbl_gmres cycle;
        gbl_gmres_shape(&gpu, dtype, 1000000, cycles[i], &cycle);
        for (int which = 0; which < GBL_GMRES_KERNELS; which++) {
            gbl_kernel_spec spec;
            gbl_gmres_spec(&cycle, (gbl_gmres_kernel)which, &spec);
            put(specs, &count, &spec);
        }
    }
    for (size_t form = 0; form < FORMS; form++)
        put_products(dtype, &gpu, form, specs, &count);
    return count;
}
