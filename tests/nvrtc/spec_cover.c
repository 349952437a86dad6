/* spec_cover.c: of many kernels with the same tunables, few that stand for all.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "nvrtc/spec_cover.h"

bool spec_same(const gbl_kernel_spec *a, const gbl_kernel_spec *b)
{
    bool same =
        a->dtype == b->dtype && a->macro_count == b->macro_count && strcmp(a->file, b->file) == 0;
    for (int i = 0; same && i < a->macro_count; i++)
        same = a->macros[i].value == b->macros[i].value &&
               strcmp(a->macros[i].name, b->macros[i].name) == 0;
    return same;
}

bool spec_add(spec_list *list, const gbl_kernel_spec *spec)
{
    for (int i = 0; i < list->count; i++)
        if (spec_same(&list->specs[i], spec))
            return true;
    if (list->count == list->room) {
        const int room = list->room > 0 ? 2 * list->room : 64;
        gbl_kernel_spec *more = realloc(list->specs, (size_t)room * sizeof *more);
        if (more == NULL)
            return false;
        list->specs = more;
        list->room = room;
    }
    list->specs[list->count++] = *spec;
    return true;
}

/* Whether all values of a spec are at most those of another one of the same file. Macros count what
 * a work-item holds at once, or are 0 or 1: such a kernel takes fewer registers. */
static bool below(const gbl_kernel_spec *a, const gbl_kernel_spec *b)
{
    bool least = a->macro_count == b->macro_count && strcmp(a->file, b->file) == 0;
    for (int i = 0; least && i < a->macro_count; i++)
        least = a->macros[i].value <= b->macros[i].value &&
                strcmp(a->macros[i].name, b->macros[i].name) == 0;
    return least;
}

static bool shows(const gbl_kernel_spec *spec, const char *file, const char *name, int32_t value)
{
    bool shown = false;
    for (int i = 0; !shown && i < spec->macro_count; i++)
        shown = spec->macros[i].value == value && strcmp(spec->macros[i].name, name) == 0;
    return shown && strcmp(spec->file, file) == 0;
}

/* How many values a spec has that none of the first `count` shows. */
static int news(const gbl_kernel_spec *spec, const gbl_kernel_spec *taken, int count)
{
    int unknown = 0;
    for (int i = 0; i < spec->macro_count; i++) {
        bool known = false;
        for (int k = 0; !known && k < count; k++)
            known = shows(&taken[k], spec->file, spec->macros[i].name, spec->macros[i].value);
        unknown += !known;
    }
    return unknown;
}

/* `below` for two precisions. A vector is as long as its bytes. */
static bool at_most(const gbl_kernel_spec *a, const gbl_kernel_spec *b)
{
    bool least = a->macro_count == b->macro_count && strcmp(a->file, b->file) == 0 &&
                 gbl_dtype_complex(a->dtype) <= gbl_dtype_complex(b->dtype) &&
                 gbl_dtype_real_bytes(a->dtype) <= gbl_dtype_real_bytes(b->dtype);
    for (int i = 0; least && i < a->macro_count; i++) {
        const bool vector = strcmp(a->macros[i].name, "VEC") == 0;
        const int64_t unit_a = vector ? (int64_t)gbl_dtype_bytes(a->dtype) : 1,
                      unit_b = vector ? (int64_t)gbl_dtype_bytes(b->dtype) : 1;
        least = a->macros[i].value * unit_a <= b->macros[i].value * unit_b &&
                strcmp(a->macros[i].name, b->macros[i].name) == 0;
    }
    return least;
}

/* Brings a spec behind the first `taken`. */
static void take(spec_list *list, int at, int taken)
{
    const gbl_kernel_spec one = list->specs[at];
    list->specs[at] = list->specs[taken];
    list->specs[taken] = one;
}

/* Brings those to the front that none is above; returns how many. */
static int take_largest(spec_list *list,
                        bool (*under)(const gbl_kernel_spec *, const gbl_kernel_spec *))
{
    int taken = 0;
    for (int i = 0; i < list->count; i++) {
        bool largest = true;
        for (int k = 0; largest && k < list->count; k++)
            largest = k == i || !under(&list->specs[i], &list->specs[k]);
        if (largest)
            take(list, i, taken++);
    }
    return taken;
}

/* Behind the first `taken` until every value of every macro is among them; returns how many. */
static int take_values(spec_list *list, int taken)
{
    for (int most = 1; most > 0;) {
        int best = taken;
        most = 0;
        for (int i = taken; i < list->count; i++) {
            const int fresh = news(&list->specs[i], list->specs, taken);
            if (fresh > most) {
                best = i;
                most = fresh;
            }
        }
        if (most > 0)
            take(list, best, taken++);
    }
    return taken;
}

/* Behind the first `taken` one of each precision that is not among them, with as many new values as
 * there are; returns how many. */
static int take_precisions(spec_list *list, int taken)
{
    for (int dtype = GBL_Z; dtype >= (int)GBL_S; dtype--) {
        int best = -1, most = -1;
        for (int i = 0; i < list->count && (best < 0 || best >= taken); i++) {
            if ((int)list->specs[i].dtype != dtype)
                continue;
            const int fresh = i < taken ? 0 : news(&list->specs[i], list->specs, taken);
            if (i < taken || fresh > most) {
                best = i;
                most = fresh;
            }
        }
        if (best >= taken)
            take(list, best, taken++);
    }
    return taken;
}

void spec_cover(spec_list *list, bool values)
{
    int taken = take_largest(list, below);
    if (values)
        taken = take_values(list, taken);
    list->count = taken;
}

void spec_thin(spec_list *list)
{
    list->count = take_values(list, take_precisions(list, take_largest(list, at_most)));
}
