/* json_line.c: reads one line that holds one JSON object.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/json_line.h"
#include "core/number_text.h"

#define DEEPEST 8 /* objects and lists in one another */

static const char *skip_space(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

/* Behind a string that starts at p, or NULL. Where text is given, the string goes there if it has
 * room. */
static const char *read_string(const char *p, char *text, size_t bytes)
{
    size_t used = 0;
    if (*p++ != '"')
        return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < ' ')
            return NULL;
        if (*p == '\\' && *++p != '"' && *p != '\\' && *p != '/')
            return NULL;
        if (text != NULL) {
            if (used + 1 >= bytes)
                return NULL;
            text[used++] = *p;
        }
    }
    if (text != NULL)
        text[used] = '\0';
    return p + 1;
}

/* Behind a number as JSON has them, or NULL. */
static const char *read_number(const char *p, double *value)
{
    const char *end = gbl_number_read(p, value);
    return end != NULL && strspn(end, "0123456789.eE+-") == 0 ? end : NULL;
}

/* Behind the value that starts at p, or NULL. */
static const char *skip_value(const char *p, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*p == '"')
        return read_string(p, NULL, 0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    if (*p != '{' && *p != '[')
        return read_number(p, NULL);
    if (depth == DEEPEST)
        return NULL;
    const bool object = *p == '{';
    const char end = object ? '}' : ']';
    p = skip_space(p + 1);
    if (*p == end)
        return p + 1;
    for (;;) {
        if (object) {
            p = read_string(skip_space(p), NULL, 0);
            p = p != NULL ? skip_space(p) : NULL;
            if (p == NULL || *p++ != ':')
                return NULL;
        }
        p = skip_value(skip_space(p), depth + 1);
        if (p == NULL)
            return NULL;
        p = skip_space(p);
        if (*p == end)
            return p + 1;
        if (*p++ != ',')
            return NULL;
    }
}

bool gbl_json_valid(const char *line)
{
    line = skip_space(line);
    if (*line != '{')
        return false;
    line = skip_value(line, 0);
    if (line == NULL)
        return false;
    line = skip_space(line);
    return *line == '\0' || *line == '\n';
}

/* The next member of an object: p stands behind '{' or behind a value. Its value, or NULL at the
 * end. */
static const char *next_member(const char *p, char *name, size_t name_bytes)
{
    p = skip_space(p);
    if (*p == ',')
        p = skip_space(p + 1);
    if (*p != '"')
        return NULL;
    p = read_string(p, name, name_bytes);
    p = p != NULL ? skip_space(p) : NULL;
    if (p == NULL || *p != ':')
        return NULL;
    return skip_space(p + 1);
}

/* The value that a path names, or NULL. */
static const char *find(const char *line, const char *path)
{
    const char *value = skip_space(line);
    while (*path != '\0') {
        const size_t length = strcspn(path, ".");
        char name[64];
        if (*value != '{')
            return NULL;
        const char *p = value + 1;
        for (;;) {
            value = next_member(p, name, sizeof name);
            if (value == NULL)
                return NULL;
            if (strlen(name) == length && memcmp(name, path, length) == 0)
                break;
            p = skip_value(value, 0);
            if (p == NULL)
                return NULL;
        }
        path += length + (path[length] == '.');
    }
    return value;
}

bool gbl_json_number(const char *line, const char *path, double *value)
{
    const char *at = find(line, path);
    return at != NULL && read_number(at, value) != NULL;
}

bool gbl_json_text(const char *line, const char *path, char *text, size_t text_bytes)
{
    const char *at = find(line, path);
    return at != NULL && read_string(at, text, text_bytes) != NULL;
}

bool gbl_json_next(const char *line, const char *path, const char **at, char *name,
                   size_t name_bytes)
{
    const char *p = *at != NULL ? skip_value(*at, 0) : find(line, path);
    if (p == NULL || (*at == NULL && *p != '{'))
        return false;
    const char *value = next_member(*at == NULL ? p + 1 : p, name, name_bytes);
    if (value == NULL)
        return false;
    *at = value;
    return true;
}
