/* stedc_divide_variant.c: divide and conquer as a variant of stedc
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "lapack/stedc_divide_plan.h"

/* Vectors are C: of GABLE_VECTORS a matrix that is multiplied by them. */
static gbl_divide_call call_of(const gbl_product_call *call)
{
    return (gbl_divide_call){.dtype = call->dtype,
                             .n = call->n,
                             .d = call->d,
                             .e = call->e,
                             .update = call->job == GABLE_VECTORS,
                             .Z = call->C,
                             .ldz = call->ldc,
                             .info = call->info};
}

bool gbl_divide_variant_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    const gbl_divide_call divide = call_of(call);
    (void)self;
    return (call->job == GABLE_VECTORS || call->job == GABLE_IDENTITY_VECTORS) &&
           gbl_divide_fits(&divide, device);
}

gable_status gbl_divide_variant_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                    const gbl_params *params)
{
    const gbl_divide_call call = call_of(given);
    (void)self;
    return gbl_divide(ctx, "stedc", &call, params);
}

/* The products are half of the flops of full ones. */
void gbl_divide_variant_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                             const gbl_device *device, gbl_cost *out)
{
    const gbl_divide_call call = call_of(given);
    const double n = (double)call.n, elem = (double)gbl_dtype_real_bytes(call.dtype),
                 wide = gbl_dtype_complex(call.dtype) ? 2 : 1;
    const gbl_work all = {.bytes_read = 16 * elem * n * n,
                          .bytes_written = 8 * elem * n * n,
                          .flops = 15 * n * n + 4.0 / 3 * n * n * n +
                                   (call.update ? 2 * wide * n * n * n : 0)};
    (void)self;
    gbl_composed_cost(&all, gbl_divide_launches(&call, params, device), out);
    out->written_bytes = all.bytes_written;
    out->workspace_bytes = gbl_divide_bytes(&call, params);
}

int gbl_divide_variant_parts(const gbl_variant *self, const void *given, const gbl_params *params,
                             const gbl_device *device, gbl_part_call *parts)
{
    const gbl_divide_call call = call_of(given);
    (void)self;
    return gbl_divide_parts(&call, params, device, parts, 0);
}

int gbl_divide_variant_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                             const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_divide_call call = call_of(given);
    (void)self;
    return gbl_divide_specs(&call, params, device, specs);
}

/* Elsewhere than on GPUs gemm is not called. */
bool gbl_divide_variant_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                              const gbl_device *device, uint64_t *hash)
{
    gbl_divide_plan plan;
    (void)self;
    memset(&plan, 0, sizeof plan);
    plan.leaf = params->value[0];
    plan.gemm = device->props.is_gpu ? params->value[1] : 0;
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return call_of(given).n > 0;
}
