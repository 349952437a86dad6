/* calibrate.c: the door to the measurement of a device.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/context.h"
#include "core/observe.h"
#include "model/roofs.h"

gable_status gable_calibrate(gable_context *ctx)
{
    gbl_roofs roofs;
    TRY(gbl_enter(ctx, "gable_calibrate"));
    const gbl_span span = {.kind = GBL_EVENT_WORK, .name = "gable_calibrate"};
    gbl_span_begin(ctx, &span);
    return gbl_span_end(ctx, &span, gbl_roofs_measure(ctx, false, &roofs, NULL, NULL));
}
