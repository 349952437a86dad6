/* nearest.c: the name that a mistyped word was meant to be.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "nearest.h"

#define LONGEST 31

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Damerau's distance, each letter moved at most once. */
static int distance(const char *a, const char *b)
{
    const int m = (int)strlen(a), n = (int)strlen(b);
    int d[LONGEST + 1][LONGEST + 1];
    for (int i = 0; i <= m; i++)
        d[i][0] = i;
    for (int j = 0; j <= n; j++)
        d[0][j] = j;
    for (int i = 1; i <= m; i++) {
        for (int j = 1; j <= n; j++) {
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[m][n];
}

void nearest_try(nearest *best, const char *word, const char *name)
{
    if (strlen(word) > LONGEST || strlen(name) > LONGEST)
        return;
    const int letters = (int)strlen(word), far = letters < 3 ? 2 : letters / 3 + 2;
    const int found = distance(word, name);
    if (found >= far || (best->text[0] != '\0' && found >= best->distance))
        return;
    snprintf(best->text, sizeof best->text, "%s", name);
    best->distance = found;
}

void nearest_sentence(const nearest *best, char *text, size_t text_bytes)
{
    if (best->text[0] == '\0')
        text[0] = '\0';
    else
        snprintf(text, text_bytes, "did you mean %s? ", best->text);
}
