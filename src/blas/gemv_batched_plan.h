/* gemv_batched_plan.h: between the files of many products at once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMV_BATCHED_PLAN_H
#define GBL_GEMV_BATCHED_PLAN_H

#include "blas/level2.h"
#include "core/kernel.h"

/* For those who compile without running: the kernel of a call with a variant's tunables on a device, of which only the properties are looked at. */
void gbl_gemv_batched_kernel(const gbl_matrix_call *call, const gbl_params *params,
                             const gbl_device *device, gbl_kernel_spec *spec);

#endif
