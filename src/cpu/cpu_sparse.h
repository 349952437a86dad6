/* cpu_sparse.h: products with sparse matrices on the cpu, as tasks. They take gbl_sparse_args.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_SPARSE_H
#define GBL_CPU_SPARSE_H

#include "cpu/cpu_kernels.h"
#include "device/sparse_args.h"

/* Y := alpha A X + beta Y: all formats, both widths of indices, any number of columns. With alpha =
 * 0 neither A nor X is read, with beta = 0 Y is not. The result does not depend on the number of
 * threads. */
GBL_CPU_TASKS(sparse_mv);

#endif
