/* system_file.c: reads text files in which the kernel describes the machine.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "device/system_file.h"

bool gbl_read_field(const char *path, const char *key, char *value, size_t value_bytes)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    bool is_there = false;
    char line[512];
    const size_t key_length = strlen(key);
    while (!is_there && fgets(line, sizeof line, file) != NULL) {
        const char *rest = line + key_length;
        if (strncmp(line, key, key_length) != 0 || rest[strspn(rest, " \t")] != ':')
            continue;
        rest += strspn(rest, " \t:");
        snprintf(value, value_bytes, "%.*s", (int)strcspn(rest, "\n"), rest);
        is_there = value[0] != '\0';
    }
    fclose(file);
    return is_there;
}

bool gbl_read_line(const char *path, char *text, size_t text_bytes)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const bool got = fgets(text, (int)text_bytes, file) != NULL;
    fclose(file);
    if (got)
        text[strcspn(text, "\n")] = '\0';
    return got && text[0] != '\0';
}
