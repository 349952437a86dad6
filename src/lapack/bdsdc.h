/* bdsdc.h: what the drivers of singular values need to know of bdsdc beside its op.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_BDSDC_H
#define GBL_BDSDC_H

#include "core/kernel.h"
#include "lapack/lapack.h"

/* Whether such a call can run now: where the installed LAPACK computes it, it is there, and no
 * recording is made. For drivers, before they change anything. */
gable_status gbl_bdsdc_check(gable_context *ctx, const gbl_product_call *call);

/* bdsdc_host.c: by the installed LAPACK, of arrays in host memory. */

/* Why the library cannot compute it, a sentence; NULL: it can. */
const char *gbl_bdsdc_installed_flaw(const gbl_product_call *call);
/* Bytes of workspace that it wants. */
size_t gbl_bdsdc_installed_bytes(const gbl_product_call *call);
/* All operands of the call, info too, are in host memory. Where d or e is not finite nothing is
 * called: outputs are NaN and info is -4. */
void gbl_bdsdc_installed(const gbl_product_call *call, void *work);

gable_status gbl_bdsdc_host_check(gable_context *ctx, const gbl_product_call *call);
gable_status gbl_bdsdc_host_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params);
int gbl_bdsdc_host_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs);
gable_status gbl_bdsdc_task_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params);

/* bdsdc_bisect.c: values by bisection. */
bool gbl_bdsdc_bisect_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_bdsdc_bisect_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params);
void gbl_bdsdc_bisect_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *cost);
int gbl_bdsdc_bisect_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs);

#endif
