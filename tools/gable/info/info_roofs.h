/* info_roofs.h: the part of `gable info` that measures and shows what a device can do.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_INFO_ROOFS_H
#define TOOL_INFO_ROOFS_H

#include "gable/args.h"

/* Measures a device (NULL: the default one), stores the roofs and shows them. again: what was
 * measured before no longer counts. Roofs that could not be stored are shown, and are a failure. In
 * JSON as the member "roofs" of the object that is open; on failure that is closed. Returns an exit
 * code. */
int info_roofs(const args_command *command, const char *device, bool again, bool as_json);

#endif
