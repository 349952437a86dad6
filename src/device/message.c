/* message.c: the one function that writes messages.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "device/message.h"

gable_status gbl_fail(gbl_message *message, gable_status status, const char *format, ...)
{
    if (message == NULL)
        return status;

    /* A format may quote the old text of the same message, so build the new one aside. */
    char text[GBL_MESSAGE_BYTES];
    size_t used = 0;
    if (message->routine != NULL) {
        const int wrote = snprintf(text, sizeof text, "%s: ", message->routine);
        used = wrote > 0 && (size_t)wrote < sizeof text ? (size_t)wrote : 0;
    }
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
    text[sizeof text - 1] = '\0';
    memcpy(message->text, text, strlen(text) + 1);
    return status;
}
