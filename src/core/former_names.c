/* former_names.c: the table of former and present names of variants and tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No former name stands for two things: one table serves all ops.
 */
#include <stddef.h>
#include <string.h>
#include "core/former_names.h"

typedef struct renamed {
    const char *former, *now;
} renamed;

static const renamed variants[] = {
    {.former = "ring", .now = "pipeline"},
    {.former = "packed", .now = "aligned_copy"},
    {.former = "cut", .now = "tail_split"},
    {.former = "walk", .now = "single_item"},
    {.former = "coo_walk", .now = "coo_single_item"},
    {.former = "hyb_walk", .now = "hyb_single_item"},
    {.former = "twice", .now = "read_twice"},
    {.former = NULL},
};

static const renamed tunables[] = {
    {.former = "layers", .now = "split_k"},
    {.former = "skew", .now = "stagger"},
    {.former = "through", .now = "staged_c"},
    {.former = NULL},
};

static const char *now(const renamed *list, const char *name)
{
    while (list->former != NULL && strcmp(list->former, name) != 0)
        list++;
    return list->former != NULL ? list->now : NULL;
}

const char *gbl_former_variant(const char *name)
{
    return now(variants, name);
}

const char *gbl_former_tunable(const char *name)
{
    return now(tunables, name);
}
