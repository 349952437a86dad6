/* info_tuning.h: the part of `gable info` about the tuning database.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_INFO_TUNING_H
#define TOOL_INFO_TUNING_H

#include <stdbool.h>

/* Shows the database and what it holds for a device (NULL: the default), as text or as a member
 * "tuning". A device that cannot be opened is left out. */
void info_tuning(bool json, const char *device);

#endif
