/* library_message.h: the library's last message, as a subcommand says it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_LIBRARY_MESSAGE_H
#define TOOL_LIBRARY_MESSAGE_H

#include "gable/gable.h"

/* Without the name of the routine in front: the command's own stands there. */
const char *library_message(const gable_context *ctx);

#endif
