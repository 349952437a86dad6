/* library_message.c: the library's last message, as a subcommand says it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "library_message.h"
#include <string.h>

const char *library_message(const gable_context *ctx)
{
    const char *text = gable_message(ctx), *colon = strstr(text, ": ");
    return strncmp(text, "gable_", 6) == 0 && colon != NULL ? colon + 2 : text;
}
