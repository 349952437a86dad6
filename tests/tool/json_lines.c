/* json_lines.c: reads one JSON object per line and prints its values, or says where it is no JSON.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For each value a line "LINE PATH VALUE": "2 args.n 1000". The order of members is kept. Exit
 * status 1 and a sentence for anything that RFC 8259 does not allow, an empty input included.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 65536
#define PATH_BYTES 1024

static const char *at, *line_start;
static int line_number;
static char path[PATH_BYTES];

static void bad(const char *what)
{
    printf("line %d, column %d: %s\n", line_number, (int)(at - line_start) + 1, what);
    exit(1);
}

static void skip_blanks(void)
{
    while (*at == ' ' || *at == '\t')
        at++;
}

static void read_text(char *target, size_t bytes)
{
    size_t used = 0;
    if (*at != '"')
        bad("a string must start here");
    for (at++; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            bad("a string does not end, or has a control character");
        if (*at == '\\') {
            at++;
            if (*at == 'u') {
                for (int i = 1; i <= 4; i++)
                    if (!isxdigit((unsigned char)at[i]))
                        bad("\\u needs four digits");
                at += 4;
            } else if (*at == '\0' || strchr("\"\\/bfnrt", *at) == NULL) {
                bad("an unknown escape");
            }
        }
        if (used + 1 < bytes)
            target[used++] = *at;
    }
    at++;
    target[used] = '\0';
}

static void read_number(void)
{
    const char *first = at;
    if (*at == '-')
        at++;
    if (!isdigit((unsigned char)*at) || (*at == '0' && isdigit((unsigned char)at[1])))
        bad("no number");
    while (isdigit((unsigned char)*at))
        at++;
    if (*at == '.') {
        at++;
        if (!isdigit((unsigned char)*at))
            bad("a point needs digits behind it");
        while (isdigit((unsigned char)*at))
            at++;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        if (!isdigit((unsigned char)*at))
            bad("an exponent needs digits");
        while (isdigit((unsigned char)*at))
            at++;
    }
    printf("%d %s %.*s\n", line_number, path, (int)(at - first), first);
}

static void read_value(void);

/* The members of an object, or the entries of a list, whose opening sign was read. */
static void read_members(char end, bool named)
{
    const size_t length = strlen(path);
    bool empty = true;
    int index = 0;
    skip_blanks();
    while (*at != end) {
        char name[128];
        skip_blanks();
        if (named)
            read_text(name, sizeof name);
        else
            snprintf(name, sizeof name, "%d", index++);
        skip_blanks();
        if (named && *at++ != ':')
            bad("a name needs a colon behind it");
        snprintf(path + length, PATH_BYTES - length, "%s%s", length > 0 ? "." : "", name);
        read_value();
        path[length] = '\0';
        empty = false;
        skip_blanks();
        if (*at == end)
            break;
        if (*at++ != ',')
            bad("a comma or the end must come here");
        skip_blanks();
        if (*at == end)
            bad("a comma before the end");
    }
    at++;
    if (empty)
        printf("%d %s (empty)\n", line_number, path);
}

static void read_value(void)
{
    static const char *const words[] = {"true", "false", "null"};
    char text[LINE_BYTES];
    skip_blanks();
    if (*at == '{' || *at == '[') {
        const bool named = *at++ == '{';
        read_members(named ? '}' : ']', named);
        return;
    }
    if (*at == '"') {
        read_text(text, sizeof text);
        printf("%d %s %s\n", line_number, path, text);
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            at += strlen(words[i]);
            printf("%d %s %s\n", line_number, path, words[i]);
            return;
        }
    }
    read_number();
}

int main(void)
{
    static char line[LINE_BYTES];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        at = line_start = line;
        line[strcspn(line, "\n")] = '\0';
        if (*at != '{')
            bad("a line must be an object");
        read_value();
        if (*at != '\0')
            bad("something follows the object");
    }
    if (line_number == 0)
        puts("there is no line");
    return line_number == 0;
}
