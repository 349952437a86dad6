/* roofs_wanted.c: roofs for subcommands that need measured ones.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <time.h>
#include "core/context.h"
#include "model/busy.h"
#include "roofs_wanted.h"
#include "terminal.h"

/* What others take of the processors now. */
static double busy_now(void)
{
    const struct timespec pause = {0, 100000000};
    gbl_busy first, last;
    gbl_busy_look(&first);
    nanosleep(&pause, NULL);
    gbl_busy_look(&last);
    return gbl_busy_between(&first, &last);
}

static bool worth_measuring(const gbl_device *device, const gbl_roofs *roofs)
{
    if (roofs->source != GBL_ROOFS_MEASURED)
        return true;
    const bool unknown = roofs->busy < 0 && roofs->unsteady < 0;
    if (device->props.is_gpu)
        return unknown || roofs->unsteady > GBL_ROOFS_BUSY;
    const double busy = unknown ? 1 : roofs->busy;
    if (busy <= GBL_ROOFS_BUSY)
        return false;
    const double now = busy_now();
    return now >= 0 && now <= busy - GBL_ROOFS_BUSY;
}

gable_status roofs_wanted(gable_context *ctx, gbl_roofs *roofs,
                          void (*progress)(const char *text, double done))
{
    gbl_roofs_get(ctx->device, roofs);
    if (!worth_measuring(ctx->device, roofs))
        return GABLE_OK;
    const bool needed = roofs->source != GBL_ROOFS_MEASURED;
    static gbl_roofs_outcome outcome;
    const gable_status status = gbl_roofs_measure(ctx, false, roofs, &outcome, progress);
    if (status == GABLE_OK && !outcome.stored) {
        terminal_progress_erase();
        fprintf(stderr, "gable: the roofs are not kept: %s\n", outcome.unstored);
    }
    if (status == GABLE_OK || needed)
        return status;
    gbl_roofs_get(ctx->device, roofs);
    return GABLE_OK;
}

void roofs_wanted_text(const gbl_roofs *roofs, char *text, size_t text_bytes)
{
    char how[GBL_ROOFS_TEXT_BYTES];
    gbl_roofs_circumstances(roofs, how);
    snprintf(text, text_bytes, "%s%s%s", gbl_roofs_source_name(roofs->source),
             how[0] != '\0' ? ": " : "", how);
}

const char *roofs_wanted_again(const gbl_roofs *roofs)
{
    if (gbl_roofs_disturbed(roofs) > GBL_ROOFS_BUSY)
        return "The roof was measured on a busy machine: `gable info --roofs` on a quiet one "
               "measures it again.";
    return "The roof is too low: `gable info --roofs --again` measures it again.";
}
