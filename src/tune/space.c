/* space.c: the choices that can be tried for a call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Points are found by variant and plan in a table of open addresses, so that repetitions cost one
 * look.
 */
#include <stdlib.h>
#include <string.h>
#include "tune/space.h"

static int index_of(const gbl_param *param, int32_t value)
{
    for (int i = 0; i < param->count; i++)
        if (param->values[i] == value)
            return i;
    return -1;
}

/* Whether a tunable is the size of a group. Most are not, which their first letter tells. */
static bool is_group(const char *name)
{
    return (name[0] == 'i' && strcmp(name, "items") == 0) ||
           (name[0] == 'l' && strcmp(name, "local") == 0);
}

/* What every space has: values from the lists, and groups that the device takes. */
static bool generally_legal(const gbl_choice *choice, const gbl_device *device)
{
    const gbl_variant *variant = choice->variant;
    for (int i = 0; i < variant->space_count; i++) {
        const gbl_param *param = &variant->space[i];
        const int32_t value = choice->params.value[i];
        if (index_of(param, value) < 0 ||
            (is_group(param->name) && !gbl_group_legal(device, value, 0)))
            return false;
    }
    return true;
}

bool gbl_space_legal(const gbl_choice *choice, const void *call, const gbl_device *device,
                     uint64_t *plan)
{
    const gbl_variant *variant = choice->variant;
    if (!generally_legal(choice, device))
        return false;
    if (variant->legal != NULL)
        return variant->legal(variant, call, &choice->params, device, plan);
    *plan = gbl_plan_hash(choice->params.value,
                          (size_t)variant->space_count * sizeof choice->params.value[0]);
    return true;
}

int64_t gbl_space_size(const gbl_variant *variant)
{
    int64_t size = 1;
    for (int i = 0; i < variant->space_count; i++)
        size *= variant->space[i].count;
    return size;
}

/* ---- The table of plans ---- */

static unsigned slot_of(const gbl_space *space, const gbl_variant *variant, uint64_t plan)
{
    const uint64_t mixed = (plan ^ (uint64_t)(uintptr_t)variant) * 0x9e3779b97f4a7c15u;
    return (unsigned)(mixed >> 32) % (unsigned)space->slot_count;
}

/* The point of a plan, or -1; *slot is where it is or belongs. */
static int look_up(const gbl_space *space, const gbl_variant *variant, uint64_t plan,
                   unsigned *slot)
{
    *slot = slot_of(space, variant, plan);
    for (; space->slots[*slot] >= 0; *slot = (*slot + 1) % (unsigned)space->slot_count) {
        const gbl_point *point = &space->points[space->slots[*slot]];
        if (point->plan == plan && point->choice.variant == variant)
            return space->slots[*slot];
    }
    return -1;
}

/* Room for one point more, with at least half of the slots free. */
static bool make_room(gbl_space *space)
{
    if (space->count < space->capacity)
        return true;
    const int capacity = space->capacity > 0 ? 2 * space->capacity : 256;
    gbl_point *points = realloc(space->points, (size_t)capacity * sizeof *points);
    if (points == NULL)
        return false;
    space->points = points;
    int *slots = malloc(2 * (size_t)capacity * sizeof *slots);
    if (slots == NULL)
        return false;
    free(space->slots);
    space->slots = slots;
    space->slot_count = 2 * capacity;
    space->capacity = capacity;
    memset(slots, -1, 2 * (size_t)capacity * sizeof *slots);
    for (int i = 0; i < space->count; i++) {
        unsigned slot;
        look_up(space, points[i].choice.variant, points[i].plan, &slot);
        slots[slot] = i;
    }
    return true;
}

static bool add(gbl_space *space, const gbl_choice *choice, uint64_t plan)
{
    unsigned slot;
    if (!make_room(space))
        return false;
    if (look_up(space, choice->variant, plan, &slot) >= 0) {
        space->repetitions++;
        return true;
    }
    space->slots[slot] = space->count;
    space->points[space->count++] = (gbl_point){*choice, plan};
    return true;
}

/* ---- All points ---- */

/* Counts the indices up like the digits of a number; false after the last. */
static bool next_point(const gbl_variant *variant, int *index)
{
    for (int i = variant->space_count - 1; i >= 0; i--) {
        if (++index[i] < variant->space[i].count)
            return true;
        index[i] = 0;
    }
    return false;
}

static bool add_variant(gbl_space *space, const gbl_variant *variant, const void *call,
                        const gbl_device *device, const gbl_space_filter *filter)
{
    int index[GBL_MAX_PARAMS] = {0};
    do {
        gbl_choice choice = {.variant = variant};
        uint64_t plan;
        for (int i = 0; i < variant->space_count; i++)
            choice.params.value[i] = variant->space[i].values[index[i]];
        if (filter->choice != NULL && !filter->choice(filter->user, &choice))
            continue;
        space->all++;
        if (!gbl_space_legal(&choice, call, device, &plan))
            space->illegal++;
        else if (!add(space, &choice, plan))
            return false;
    } while (next_point(variant, index));
    return true;
}

static bool takes(const gbl_space_filter *filter, const gbl_variant *variant)
{
    return filter->variant != NULL ? filter->variant(filter->user, variant)
                                   : variant->deterministic && !variant->vendor;
}

bool gbl_space_make(gbl_space *space, const gbl_op *op, const void *call, const gbl_device *device,
                    const gbl_space_filter *filter)
{
    static const gbl_space_filter none = {NULL, NULL, NULL};
    memset(space, 0, sizeof *space);
    if (filter == NULL)
        filter = &none;
    for (int i = 0; i < op->variant_count; i++) {
        const gbl_variant *variant = &op->variants[i];
        if (takes(filter, variant) && variant->fits(variant, call, device) &&
            !add_variant(space, variant, call, device, filter)) {
            gbl_space_free(space);
            return false;
        }
    }
    return true;
}

void gbl_space_free(gbl_space *space)
{
    free(space->points);
    free(space->slots);
    memset(space, 0, sizeof *space);
}

int gbl_space_find(const gbl_space *space, const gbl_choice *choice, const void *call,
                   const gbl_device *device)
{
    uint64_t plan;
    unsigned slot;
    if (space->count == 0 || !gbl_space_legal(choice, call, device, &plan))
        return -1;
    return look_up(space, choice->variant, plan, &slot);
}

int gbl_space_neighbours(const gbl_space *space, int point, const void *call,
                         const gbl_device *device, int *list)
{
    const gbl_choice *from = &space->points[point].choice;
    int count = 0;
    for (int i = 0; i < from->variant->space_count; i++) {
        const gbl_param *param = &from->variant->space[i];
        const int at = index_of(param, from->params.value[i]);
        for (int step = -1; step <= 1; step += 2) {
            int found = -1;
            for (int k = at + step; found < 0 && k >= 0 && k < param->count; k += step) {
                gbl_choice choice = *from;
                choice.params.value[i] = param->values[k];
                found = gbl_space_find(space, &choice, call, device);
                if (found == point)
                    found = -1;
            }
            if (found >= 0)
                list[count++] = found;
        }
    }
    return count;
}
