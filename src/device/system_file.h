/* system_file.h: reads text files in which the kernel describes the machine.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SYSTEM_FILE_H
#define GBL_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The value of the first line "key : value" of a text file; false when there is none. */
bool gbl_read_field(const char *path, const char *key, char *value, size_t value_bytes);
/* The first line of a small file; false when it is not there or empty. */
bool gbl_read_line(const char *path, char *text, size_t text_bytes);

#endif
