/* names.h: the names that the command takes, for scripts, completions and suggestions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_NAMES_H
#define TOOL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include "nearest.h"

/* Prints "ops", "peers", "devices", "variants" or "kernels", one name a line. false: none of these.
 */
bool names_print(const char *what);

/* The op, by stem or typed name, that a word is nearest to. */
void names_nearest_op(const char *word, nearest *best);

/* The peers, "name, name". */
void names_of_peers(char *text, size_t text_bytes);

#define NAMES_BYTES 4096 /* enough for any list of names */

#endif
