/* profile.h: what a program's calls cost: counted per routine, or written down call by call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One profile at a time runs in a process, over all its contexts: asked for by $GABLE_PROFILE, read
 * when the first context opens, or by gable_profile_start. Without one the hooks of core stay
 * empty.
 */
#ifndef GBL_PROFILE_H
#define GBL_PROFILE_H

#include "core/op.h"
#include "model/call_view.h"

/* A context was opened, from this time on. Starts what $GABLE_PROFILE asks for, the first time it
 * is called: behind the opening of a device, so that the report at exit comes before a driver's
 * own clean-up. A value that means nothing is one sentence on the standard error, and there is no
 * profile. */
void gbl_profile_opened(int64_t from_ns);
/* Nanoseconds of the host's clock. */
int64_t gbl_profile_now(void);

#endif
