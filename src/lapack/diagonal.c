/* diagonal.c: whether a triangular matrix is singular.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "diagonal_args.h"
#include "lapack/diagonal.h"

_Static_assert(sizeof(diagonal_args) == 2 * 8, "host and device must agree");

#define ITEMS 64 /* every device takes groups of so many */

static bool is_unit(const gbl_product_call *call)
{
    return call->diag == GABLE_UNIT;
}

int gbl_diagonal_specs(const gbl_product_call *call, const gbl_device *device,
                       gbl_kernel_spec *specs)
{
    if (device->table->build == NULL)
        return 0;
    memset(specs, 0, sizeof *specs);
    specs->file = "diagonal_zero.cl";
    specs->dtype = call->dtype;
    gbl_kernel_add_macro(specs, "ITEMS", ITEMS);
    return 1;
}

gable_status gbl_diagonal_info(gable_context *ctx, const gbl_product_call *call, int64_t n)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_sdiagonal_zero, gbl_cpu_ddiagonal_zero,
                                               gbl_cpu_cdiagonal_zero, gbl_cpu_zdiagonal_zero};
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    n = is_unit(call) ? 0 : n; /* of nothing info is 0 */
    if (gbl_diagonal_specs(call, ctx->device, &spec) == 0) {
        const gbl_cpu_diagonal_args task = {
            .n = n, .A = call->A, .lda = call->lda, .info = call->info};
        return gbl_task(ctx, "diagonal_zero", tasks[call->dtype], &task, sizeof task);
    }
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    const diagonal_args args = {.n = n, .lda = call->lda};
    gbl_launch_spec launch = {
        .groups = {1, 1},
        .group = {ITEMS, 1},
        .buffer_count = 2,
        .buffers = {call->A, call->info},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* Each element is a cache line of its own. */
void gbl_diagonal_cost(const gbl_product_call *call, int64_t n, gbl_cost *cost)
{
    const double line = 32, lines = is_unit(call) ? 0 : (double)n;
    *cost = (gbl_cost){.memory_bytes = line * lines + 8,
                       .written_bytes = 8,
                       .launches = 1,
                       .steps = 6 * GBL_LOCAL_STEPS,
                       .groups = 1,
                       .group_items = ITEMS,
                       .bytes_in_flight = line * ITEMS};
}
