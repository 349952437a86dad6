/* json_line.h: reads one line that holds one JSON object, as Gable writes them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A line ends at '\n' or at the end of the text. Nothing is allocated: each question walks over the
 * line. Members of inner objects are named by a path: "args.m". Escapes other than \" \\ \/ are
 * refused.
 */
#ifndef GBL_JSON_LINE_H
#define GBL_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the line is one whole object and nothing else. */
bool gbl_json_valid(const char *line);

/* The member of a path: false where it is missing, of another kind, or the line is damaged before
 * it. */
bool gbl_json_number(const char *line, const char *path, double *value);
bool gbl_json_text(const char *line, const char *path, char *text, size_t text_bytes);

/* The member after *at of the object that a path names ("" for the whole line); *at = NULL for the
 * first. Its name goes to `name`. false: there is none. */
bool gbl_json_next(const char *line, const char *path, const char **at, char *name,
                   size_t name_bytes);

#endif
