/* sparse_specs.h: the kernels of src/sparse that belong to no op, for those who compile all of
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SPARSE_SPECS_H
#define GBL_SPARSE_SPECS_H

#include "core/kernel.h"

/* Forms in which a GPU may run them in a precision: how many. specs may be NULL. */
int gbl_sparse_specs(gbl_dtype dtype, gbl_kernel_spec *specs);

#endif
