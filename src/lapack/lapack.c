/* lapack.c: what LAPACK's routines share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/launch.h"
#include "lapack/lapack.h"

size_t gbl_info_element(const void *call)
{
    (void)call;
    return sizeof(int64_t);
}

bool gbl_lapack_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL || device->props.is_host;
}

gable_status gbl_info_run(gable_context *ctx, const char *name, const gbl_op *op,
                          const gbl_product_call *given)
{
    TRY(gbl_enter(ctx, name));
    if (ctx->depth > 0)
        return gbl_call_empty(op, given) ? gbl_fill_bytes(ctx, given->info, 0, sizeof *given->info)
                                         : gbl_op_run(ctx, op, given);
    /* On the host info is where it belongs. */
    const gbl_known_call *known = given->info != NULL ? gbl_call_known(ctx, op, given) : NULL;
    if (known != NULL) {
        if (op->rules != NULL)
            TRY(op->rules(ctx, given));
        return gbl_op_run_known(ctx, known, given);
    }
    gbl_result result;
    TRY(gbl_arguments_check(ctx, op, given));
    TRY(gbl_result_begin(ctx, gbl_argument_number(op, given, PRODUCT_AT(info)), "info", given->info,
                         sizeof *given->info, &result));
    gbl_product_call call = *given;
    call.info = result.address;
    if (gbl_call_empty(op, &call))
        TRY(gbl_fill_bytes(ctx, call.info, 0, sizeof *call.info));
    else
        TRY(gbl_call_run_checked(ctx, op, &call));
    return gbl_result_end(ctx, &result);
}
