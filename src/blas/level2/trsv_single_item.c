/* trsv_single_item.c: the plain solve of packed triangles and bands, by one work-item.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "blas/level2/triangle_variants.h"
#include "core/launch.h"
#include "trsv_args.h"

bool gbl_trsv_single_item_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL;
}

int gbl_trsv_single_item_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                               const gbl_device *device, gbl_kernel_spec *spec)
{
    const gbl_matrix_call *call = given;
    (void)self, (void)params, (void)device;
    gbl_kernel_begin(spec, "trsv_single_item.cl", call->dtype);
    gbl_kernel_add_macro(spec, "TRANS", call->trans != GABLE_NO_TRANS);
    gbl_kernel_add_macro(spec, "CONJ",
                         call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype));
    gbl_storage_macro(call, spec);
    return 1;
}

gable_status gbl_trsv_single_item_run(gable_context *ctx, const gbl_variant *self,
                                      const void *given, const gbl_params *params)
{
    const gbl_matrix_call *call = given;
    const gbl_matrix_call stored = gbl_stored_columns(call);
    const trsv_args args = {.n = call->n,
                            .lda = stored.lda,
                            .incx = call->incx,
                            .upper = call->uplo == GABLE_UPPER,
                            .unit = call->diag == GABLE_UNIT,
                            .band = call->ku};
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    gbl_trsv_single_item_specs(self, call, params, ctx->device, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {1, 1},
        .group = {1, 1},
        .buffer_count = 2,
        .buffers = {stored.A, gbl_first_element(call->x, call->n, call->incx, call->dtype)},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* One element waits for the one before, on GPUs for its load too; a core of a CPU has several
 * columns' loads on their way. */
void gbl_trsv_single_item_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                               const gbl_device *device, gbl_cost *cost)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->n;
    gbl_work work;
    (void)params;
    ((const gbl_matrix_routine *)self->detail)->work(call, &work);
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = work.bytes_read + work.bytes_written;
    cost->flops = work.flops;
    cost->launches = 1;
    cost->steps = device->props.is_gpu ? 20 * work.bytes_read / elem : n;
    cost->groups = 1;
    cost->group_items = 1;
    cost->bytes_in_flight = device->props.is_gpu ? elem : 512;
}
