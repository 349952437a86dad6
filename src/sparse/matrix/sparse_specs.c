/* sparse_specs.c: the kernels of src/sparse that belong to no op, for those who compile all of
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each file that launches such kernels has a function that lists their forms. A new one is a line
 * here.
 */
#include "sparse/solver/solver.h"
#include "sparse/matrix/sparse_kernels.h"
#include "sparse/matrix/sparse_specs.h"

typedef int (*lister)(gbl_dtype dtype, gbl_kernel_spec *specs);

static const lister listers[] = {
    gbl_convert_specs, gbl_cg_specs, gbl_cg_persistent_specs, gbl_krylov_specs, gbl_factor_specs,
};

int gbl_sparse_specs(gbl_dtype dtype, gbl_kernel_spec *specs)
{
    int count = 0;
    for (size_t i = 0; i < sizeof listers / sizeof listers[0]; i++)
        count += listers[i](dtype, specs != NULL ? specs + count : NULL);
    return count;
}
