/* json.c: writes JSON, one object per line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "core/number_text.h"
#include "json.h"

#define MAX_DEPTH 8

static char closing[MAX_DEPTH];
static bool started[MAX_DEPTH]; /* a member came already */
static int depth;
static FILE *target; /* NULL: the standard output */

static FILE *out(void)
{
    return target != NULL ? target : stdout;
}

void json_to(FILE *stream)
{
    target = stream;
}

static void put_text(const char *text)
{
    fputc('"', out());
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out(), "\\%c", c);
        else if (c < 0x20)
            fprintf(out(), "\\u%04x", c);
        else
            fputc(c, out());
    }
    fputc('"', out());
}

/* The comma and the name before a value. */
static void begin_member(const char *name)
{
    if (depth > 0) {
        if (started[depth - 1])
            fputc(',', out());
        started[depth - 1] = true;
    }
    if (name != NULL) {
        put_text(name);
        fputc(':', out());
    }
}

static void open_with(const char *name, char opening, char end)
{
    begin_member(name);
    fputc(opening, out());
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
    fputc(closing[--depth], out());
    if (depth > 0)
        return;
    fputc('\n', out());
    fflush(out());
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
        fputs(GBL_NUMBER(value), out());
    else
        fputs("null", out());
}

void json_exact(const char *name, double value)
{
    char text[GBL_NUMBER_BYTES];
    begin_member(name);
    fputs(isfinite(value) ? gbl_number_write(value, 17, text) : "null", out());
}

void json_integer(const char *name, int64_t value)
{
    begin_member(name);
    fprintf(out(), "%" PRId64, value);
}

void json_bool(const char *name, bool value)
{
    begin_member(name);
    fputs(value ? "true" : "false", out());
}
