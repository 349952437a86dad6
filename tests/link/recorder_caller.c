/* recorder_caller.c: an object that calls every name of one spelling, for test_link_names.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "link_names.h"

#define DECLARE(letter, stem) void SPELLED(letter, stem)(LINK_PARAMETERS);
LINK_NAMES(DECLARE)

#ifdef LINK_BY_POINTER
#define ROW(letter, stem) {LINK_TEXT(SPELLED(letter, stem)), SPELLED(letter, stem)},
static const struct {
    const char *name;
    link_function *function;
} rows[] = {LINK_NAMES(ROW)};
#define COUNT (int)(sizeof rows / sizeof rows[0])
#else
#define ONE(letter, stem)  +1
#define COUNT              (0 LINK_NAMES(ONE))
#define TEXT(letter, stem) LINK_TEXT(SPELLED(letter, stem)),
static const char *const names[] = {LINK_NAMES(TEXT)};
#endif

int CALLER(count)(void)
{
    return COUNT;
}

/* Calls one name and says which; not as its last act. */
const char *CALLER(make)(int number, const uintptr_t *a, double x, double y)
{
#ifdef LINK_BY_POINTER
    rows[number].function(LINK_VALUES, x, y);
    return rows[number].name;
#else
    int at = 0;
#define CALL_ONE(letter, stem)                                                                     \
    if (number == at++)                                                                            \
        SPELLED(letter, stem)(LINK_VALUES, x, y);
    LINK_NAMES(CALL_ONE)
    return names[number];
#endif
}
