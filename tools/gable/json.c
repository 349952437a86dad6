/* json.c: writes JSON to the standard output, one object a line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "json.h"

#define MAX_DEPTH 8

static char closing[MAX_DEPTH];
static bool started[MAX_DEPTH]; /* a member came already */
static int depth;

static void put_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

/* The comma and the name before a value. */
static void begin_member(const char *name)
{
    if (depth > 0) {
        if (started[depth - 1])
            putchar(',');
        started[depth - 1] = true;
    }
    if (name != NULL) {
        put_text(name);
        putchar(':');
    }
}

static void open_with(const char *name, char opening, char end)
{
    begin_member(name);
    putchar(opening);
    closing[depth] = end;
    started[depth] = false;
    depth++;
}

void json_open(const char *name)
{
    open_with(name, '{', '}');
}

void json_open_list(const char *name)
{
    open_with(name, '[', ']');
}

void json_close(void)
{
    putchar(closing[--depth]);
    if (depth > 0)
        return;
    putchar('\n');
    fflush(stdout);
}

void json_text(const char *name, const char *text)
{
    begin_member(name);
    put_text(text);
}

void json_number(const char *name, double value)
{
    begin_member(name);
    if (isfinite(value))
        printf("%.6g", value);
    else
        fputs("null", stdout);
}

void json_integer(const char *name, int64_t value)
{
    begin_member(name);
    printf("%" PRId64, value);
}

void json_bool(const char *name, bool value)
{
    begin_member(name);
    fputs(value ? "true" : "false", stdout);
}
