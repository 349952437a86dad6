/* what_if.h: changes to a device that only the model sees: "memory=2x,launch=0".
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A change is a factor (2x, 0.5x) or a value of its own (8TB/s, 1us, 264). Costs may be 0; rates
 * and the number of units may not. `memory` scales every bandwidth of memory alike, `cache` every
 * one of the cache; an absolute memory bandwidth is that of reading. More units bring their
 * arithmetic with them. A factor of `barrier` is one of exchanges within a group too.
 */
#ifndef TOOL_WHAT_IF_H
#define TOOL_WHAT_IF_H

#include "model/roofs.h"

typedef enum what_if_name {
    WHAT_IF_MEMORY,
    WHAT_IF_CACHE,
    WHAT_IF_LAUNCH,
    WHAT_IF_LATENCY,
    WHAT_IF_BARRIER,
    WHAT_IF_ARITHMETIC,
    WHAT_IF_UNITS,
    WHAT_IF_LINK,
    WHAT_IF_NAMES
} what_if_name;

typedef struct what_if_change {
    bool given, is_factor;
    double value; /* the factor; else bytes, flops per second, seconds, or a count */
} what_if_change;

typedef struct what_if {
    const char *text; /* the list as typed; NULL: none was read */
    what_if_change of[WHAT_IF_NAMES];
} what_if;

/* "memory, cache, ...". */
void what_if_names(char *text, size_t text_bytes);

/* Reads a list into a what_if, as options do (args.h). false: the text, a sentence without a
 * point, says what is wrong with it. */
bool what_if_read(const char *list, void *changes, char *text, size_t text_bytes);

/* dtype: whose arithmetic an absolute rate is meant for; the others change in proportion. */
void what_if_apply(const what_if *changes, gbl_dtype dtype, gbl_roofs *roofs, gbl_props *props);

#endif
