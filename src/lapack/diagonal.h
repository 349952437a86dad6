/* diagonal.h: whether a triangular matrix is singular: info says which element of its diagonal is
 * 0.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_DIAGONAL_H
#define GBL_DIAGONAL_H

#include "core/kernel.h"
#include "lapack/lapack.h"

#define GBL_DIAGONAL_KERNELS "diagonal_zero.cl"

/* info := the first i, from 1, with A(i, i) = 0, of n; else 0. A diagonal that is taken as ones is
 * not looked at. */
gable_status gbl_diagonal_info(gable_context *ctx, const gbl_product_call *call, int64_t n);
/* Its kernel, for `specs`; none where it is a task. */
int gbl_diagonal_specs(const gbl_product_call *call, const gbl_device *device,
                       gbl_kernel_spec *specs);
/* What it costs, for `parts`. */
void gbl_diagonal_cost(const gbl_product_call *call, int64_t n, gbl_cost *cost);

#endif
