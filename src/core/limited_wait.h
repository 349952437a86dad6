/* limited_wait.h: waits for a device that end.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_LIMITED_WAIT_H
#define GBL_LIMITED_WAIT_H

#include "core/loan.h"
#include "device/device.h"

/* Waits for a mark for at most `limit` seconds, then it is GABLE_DEVICE_LOST: what is under way,
 * and the memory that it uses, stays with the device. 0: no limit. A driver that answers that it is
 * not done yet shows the loan a sign of life. */
gable_status gbl_wait_limited(gbl_mark *mark, double limit, gbl_loan *loan, gbl_message *message);

#endif
