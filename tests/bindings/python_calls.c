/* python_calls.c: the calls of make_calls.py in C, as a library for test_calls.py.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calls_made.h"

/* Call `number`, whose name must be `name`; -1: it is another one. */
int python_calls_run(int number, const char *name, gable_context *ctx, void **device, void **host,
                     void **list)
{
#define NAMED(i, routine, letters, forms)                                                          \
    if (number == (i) && strcmp(name, routine) != 0)                                               \
        return -1;
    CALLS(NAMED)
    return (int)call_in_c(number, ctx, NULL, device, host, list);
}
