/* nearest.h: the name that a mistyped word was meant to be.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Offer names one by one; the best is the one that the fewest letters inserted, left out, changed
 * or exchanged with their neighbour turn into the word. Words too far off get no suggestion.
 */
#ifndef TOOL_NEAREST_H
#define TOOL_NEAREST_H

#include <stddef.h>

typedef struct nearest {
    char text[32]; /* "" : no name is near */
    int distance;
} nearest;

void nearest_try(nearest *best, const char *word, const char *name);

/* "did you mean dot? ", or "" where no name is near. */
void nearest_sentence(const nearest *best, char *text, size_t text_bytes);

#endif
