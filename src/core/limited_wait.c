/* limited_wait.c: waits for a device that end.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/limited_wait.h"

#define SLICE 0.1 /* seconds between signs of life */

gable_status gbl_wait_limited(gbl_mark *mark, double limit, gbl_loan *loan, gbl_message *message)
{
    const gbl_device *device = mark->queue->device;
    double left = limit;
    bool reached = true;
    if (limit <= 0)
        return device->table->mark_wait(mark, message);
    do {
        const double slice = left < SLICE ? left : SLICE;
        TRY(device->table->mark_wait_until(mark, slice, &reached, message));
        gbl_loan_show_life(loan);
        left -= slice;
    } while (!reached && left > 0);
    return reached ? GABLE_OK
                   : gbl_fail(message, GABLE_DEVICE_LOST,
                              "%s did not answer within %.0f seconds; it is no longer used",
                              device->info.name, limit);
}
