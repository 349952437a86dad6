/* device_slug.c: a device's kind and name as a word for file names.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "device_slug.h"

void device_words(const char *text, char *kind, size_t kind_bytes, char *title, size_t title_bytes)
{
    const size_t kind_length = strcspn(text, ": |");
    const char *rest = text + kind_length;
    const bool is_class = *rest == '|';
    rest += strcspn(rest, " |");
    rest += *rest != '\0';
    snprintf(kind, kind_bytes, "%.*s", (int)kind_length, text);
    snprintf(title, title_bytes, "%.*s", (int)strcspn(rest, is_class ? "|" : ""), rest);
}

void device_slug(const char *text, char *slug, size_t slug_bytes)
{
    char kind[32], title[160], joined[200];
    size_t used = 0;
    device_words(text, kind, sizeof kind, title, sizeof title);
    snprintf(joined, sizeof joined, "%s %s", kind, title);
    for (const char *p = joined; *p != '\0' && used + 1 < slug_bytes; p++) {
        if (isalnum((unsigned char)*p))
            slug[used++] = (char)tolower((unsigned char)*p);
        else if (used > 0 && slug[used - 1] != '-')
            slug[used++] = '-';
    }
    while (used > 0 && slug[used - 1] == '-')
        used--;
    slug[used] = '\0';
}
