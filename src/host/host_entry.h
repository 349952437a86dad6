/* host_entry.h: the way into the standard door, for typed doors.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_HOST_ENTRY_H
#define GBL_HOST_ENTRY_H

#include "host/host_call.h"

/* Checks the call, runs it where it is faster and returns when the result is there. */
gable_status gbl_host_run(gable_context *ctx, const char *name, gbl_host_kind kind,
                          const gbl_product_call *call);

#endif
