/* space.h: the choices that can be tried for a call: every fitting variant with every legal set of
 * tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Legality is decided before anything is compiled: values from their lists, groups that the device
 * takes, and what the variant itself says (gbl_variant.legal). Sets that give the same work are one
 * point.
 */
#ifndef GBL_SPACE_H
#define GBL_SPACE_H

#include "core/op.h"

/* Whether a choice can run a call on a device, as far as that is known without compiling, and a
 * number that is equal for choices of one variant that give the same work. */
bool gbl_space_legal(const gbl_choice *choice, const void *call, const gbl_device *device,
                     uint64_t *plan);

/* Points of a space without its constraints. */
int64_t gbl_space_size(const gbl_variant *variant);

typedef struct gbl_point {
    gbl_choice choice;
    uint64_t plan;
} gbl_point;

typedef struct gbl_space {
    gbl_point *points;
    int count, capacity;
    int64_t all;         /* combinations that were looked at */
    int64_t illegal;     /* of those */
    int64_t repetitions; /* legal, but the same work as another point */
    int *slots;          /* where a plan is among the points */
    int slot_count;
} gbl_space;

/* Which points a space has; each may be NULL: variants that may run by default; all their
 * tunables. */
typedef struct gbl_space_filter {
    bool (*variant)(void *user, const gbl_variant *variant);
    bool (*choice)(void *user, const gbl_choice *choice);
    void *user;
} gbl_space_filter;

/* All legal points of the variants that fit; filter may be NULL. false: no memory. */
bool gbl_space_make(gbl_space *space, const gbl_op *op, const void *call, const gbl_device *device,
                    const gbl_space_filter *filter);
void gbl_space_free(gbl_space *space);

/* The point that does the same work as a choice, or -1. */
int gbl_space_find(const gbl_space *space, const gbl_choice *choice, const void *call,
                   const gbl_device *device);

/* The points that differ from one in a single tunable by one step of its list, or, where that comes
 * to the same work, by the next step that does not. list has room for 2 * GBL_MAX_PARAMS; returns
 * how many. */
int gbl_space_neighbours(const gbl_space *space, int point, const void *call,
                         const gbl_device *device, int *list);

#endif
