/* json.h: writes JSON, one object per line.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Members are separated by commas without further ado; names are given plain. Numbers that JSON
 * cannot say (NaN, infinity) become null.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where to write from now on; the standard output without further ado. */
void json_to(FILE *stream);

void json_open(const char *name);      /* { or "name":{ */
void json_open_list(const char *name); /* [ or "name":[ */
void json_close(void); /* what was opened last; the outermost ends the line, flushed */
void json_text(const char *name, const char *text);
void json_number(const char *name, double value); /* six digits */
void json_exact(const char *name, double value);  /* all of them */
void json_integer(const char *name, int64_t value);
void json_bool(const char *name, bool value);

#endif
