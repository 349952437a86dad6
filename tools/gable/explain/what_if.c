/* what_if.c: reads changes to a device and applies them to its roofs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "what_if.h"

#define PIECE_BYTES 64
#define MOST_UNITS  1000000
#define MOST        1e6 /* times as fast, in either direction */

typedef enum quantity { BANDWIDTH, FLOPS, SECONDS, COUNT } quantity;

static const struct {
    const char *name;
    quantity quantity;
} known[WHAT_IF_NAMES] = {
    {.name = "memory", .quantity = BANDWIDTH}, {.name = "cache", .quantity = BANDWIDTH},
    {.name = "launch", .quantity = SECONDS},   {.name = "latency", .quantity = SECONDS},
    {.name = "barrier", .quantity = SECONDS},  {.name = "arithmetic", .quantity = FLOPS},
    {.name = "units", .quantity = COUNT},      {.name = "link", .quantity = BANDWIDTH},
};

static const struct {
    const char *name;
    quantity quantity;
    double value;
} units[] = {
    {.name = "MB/s", .quantity = BANDWIDTH, .value = 1e6},
    {.name = "GB/s", .quantity = BANDWIDTH, .value = 1e9},
    {.name = "TB/s", .quantity = BANDWIDTH, .value = 1e12},
    {.name = "GFLOP/s", .quantity = FLOPS, .value = 1e9},
    {.name = "TFLOP/s", .quantity = FLOPS, .value = 1e12},
    {.name = "s", .quantity = SECONDS, .value = 1},
    {.name = "ms", .quantity = SECONDS, .value = 1e-3},
    {.name = "us", .quantity = SECONDS, .value = 1e-6},
    {.name = "ns", .quantity = SECONDS, .value = 1e-9},
    {.name = "", .quantity = COUNT, .value = 1},
};

static const char *const examples[] = {"2x, 0.5x or 8TB/s", "2x, 0.5x or 60TFLOP/s",
                                       "2x, 0.5x, 0 or 1us", "2x, 0.5x or 264"};

void what_if_names(char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (int i = 0; i < WHAT_IF_NAMES; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, text_bytes - used, "%s%s", i > 0 ? ", " : "", known[i].name);
    }
}

static int find(const char *name)
{
    for (int i = 0; i < WHAT_IF_NAMES; i++)
        if (strcmp(known[i].name, name) == 0)
            return i;
    return -1;
}

/* "2x", "8TB/s", "0". */
static bool read_value(const char *text, quantity kind, what_if_change *change)
{
    char *end;
    if (*text < '0' || *text > '9') /* neither signs nor words such as inf */
        return false;
    change->value = strtod(text, &end);
    change->given = true;
    change->is_factor = strcmp(end, "x") == 0;
    if (!isfinite(change->value) || (change->value == 0 && kind != SECONDS))
        return false;
    if (change->is_factor)
        return change->value <= MOST && (change->value == 0 || change->value >= 1 / MOST);
    if (change->value == 0 && *end == '\0')
        return true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (units[i].quantity != kind || strcmp(units[i].name, end) != 0)
            continue;
        change->value *= units[i].value;
        return kind != COUNT ||
               (change->value <= MOST_UNITS && change->value == floor(change->value));
    }
    return false;
}

bool what_if_read(const char *list, void *to, char *text, size_t text_bytes)
{
    what_if *changes = to;
    char names[128];
    what_if_names(names, sizeof names);
    *changes = (what_if){.text = list};
    for (const char *at = list; at != NULL;) {
        char piece[PIECE_BYTES];
        const size_t length = strcspn(at, ",");
        snprintf(piece, sizeof piece, "%.*s", (int)length, at);
        at = at[length] == ',' ? at + length + 1 : NULL;
        char *value = strchr(piece, '=');
        if (value == NULL) {
            snprintf(text, text_bytes,
                     "has \"%s\" where name=value belongs, as in memory=2x,launch=0; names are %s",
                     piece, names);
            return false;
        }
        *value++ = '\0';
        const int name = find(piece);
        if (name < 0) {
            snprintf(text, text_bytes, "names \"%s\"; it takes %s", piece, names);
            return false;
        }
        if (changes->of[name].given) {
            snprintf(text, text_bytes, "names %s twice", piece);
            return false;
        }
        if (!read_value(value, known[name].quantity, &changes->of[name])) {
            snprintf(text, text_bytes, "sets %s to \"%s\"; it takes values such as %s", piece,
                     value, examples[known[name].quantity]);
            return false;
        }
    }
    return true;
}

/* By how much what is `now` is multiplied; 1 where nothing is asked for, or nothing is there. */
static double factor_of(const what_if_change *change, double now)
{
    if (!change->given)
        return 1;
    if (change->is_factor)
        return change->value;
    return now > 0 ? change->value / now : 1;
}

static double changed_cost(const what_if_change *change, double now)
{
    if (!change->given)
        return now;
    return change->is_factor ? now * change->value : change->value;
}

void what_if_apply(const what_if *changes, gbl_dtype dtype, gbl_roofs *roofs, gbl_props *props)
{
    const double memory = factor_of(&changes->of[WHAT_IF_MEMORY], roofs->read);
    const double cache = factor_of(&changes->of[WHAT_IF_CACHE], roofs->cache);
    const double link = factor_of(&changes->of[WHAT_IF_LINK], roofs->link_to_device);
    const double more_units = factor_of(&changes->of[WHAT_IF_UNITS], props->units);
    double arithmetic = factor_of(&changes->of[WHAT_IF_ARITHMETIC], roofs->flops[dtype]);
    if (!changes->of[WHAT_IF_ARITHMETIC].given || changes->of[WHAT_IF_ARITHMETIC].is_factor)
        arithmetic *= more_units;
    roofs->copy *= memory;
    roofs->read *= memory;
    roofs->write *= memory;
    for (int i = 0; i < roofs->points; i++)
        roofs->point_read[i] *= roofs->point_bytes[i] > roofs->cache_bytes ? memory : cache;
    roofs->cache *= cache;
    for (int i = 0; i < GBL_DTYPES; i++)
        roofs->flops[i] *= arithmetic;
    roofs->matrix_flops *= arithmetic;
    roofs->tf32_flops *= arithmetic;
    roofs->launch_replay = changed_cost(&changes->of[WHAT_IF_LAUNCH], roofs->launch_replay);
    roofs->launch_single = changed_cost(&changes->of[WHAT_IF_LAUNCH], roofs->launch_single);
    roofs->latency = changed_cost(&changes->of[WHAT_IF_LATENCY], roofs->latency);
    roofs->barrier = changed_cost(&changes->of[WHAT_IF_BARRIER], roofs->barrier);
    if (changes->of[WHAT_IF_BARRIER].is_factor)
        roofs->step *= changes->of[WHAT_IF_BARRIER].value;
    roofs->link_to_device *= link;
    roofs->link_to_host *= link;
    roofs->link_latency = changed_cost(&changes->of[WHAT_IF_LATENCY], roofs->link_latency);
    props->units = (int)fmax(1, round(props->units * more_units));
}
