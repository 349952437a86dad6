/* call_view.h: what a profile shows of a call.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CALL_VIEW_H
#define GBL_CALL_VIEW_H

#include "model/profile.h"

/* Flags and sizes of a call of any op in the list; nothing of others. */
void gbl_view_call(const gbl_op *op, const void *call, gbl_call_view *view);

#endif
