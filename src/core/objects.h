/* objects.h: which contexts, recordings, sparse matrices and solvers are alive, and whose they are.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One table for the process, by address. A function that is given an object asks it before it
 * looks at the object, so that one that was destroyed is a status and not a use of freed memory.
 * (A new object may stand where an old one stood; then the old pointer means the new object.)
 *
 * A context knows the objects that were made on it. When it closes, those that need it are told
 * (`orphan`) and stay, empty, until their own destroy; a sparse matrix needs only the device, and
 * any other context of that device may use it.
 */
#ifndef GBL_OBJECTS_H
#define GBL_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>
#include "gable/gable.h"

typedef enum gbl_object_kind {
    GBL_OBJECT_CONTEXT,
    GBL_OBJECT_RECORDING,
    GBL_OBJECT_SPARSE,
    GBL_OBJECT_SOLVER,
    GBL_OBJECT_KINDS
} gbl_object_kind;

/* A member of each object. */
typedef struct gbl_object gbl_object;
struct gbl_object {
    gbl_object_kind kind;
    const void *self;
    const gable_context *owner;   /* NULL: it closed, or there never was one */
    void (*orphan)(void *self);   /* told once, when the owner closes; NULL: it need not know */
    gbl_object *chain, **chained; /* of the table */
    gbl_object *next, **link;     /* of the owner's list */
};

/* Enters an object whose kind, self, owner and orphan are set. */
void gbl_object_add(gbl_object *object);
/* Before its memory is freed. */
void gbl_object_remove(gbl_object *object);

bool gbl_object_alive(gbl_object_kind kind, const void *self);
/* The same for calls that ask often: a context remembers the last object of a kind that it found
 * alive. */
bool gbl_object_known(gable_context *ctx, gbl_object_kind kind, const void *self);

/* The owner closes: its objects of a kind are told and have no owner any more. */
void gbl_objects_orphan(gable_context *owner, gbl_object_kind kind);

#endif
