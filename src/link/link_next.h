/* link_next.h: the function that a caller would have called without this library.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A process may hold several BLAS libraries, each bound by other objects. So the next function is
 * found per calling object, once, and kept with the addresses of that object. The fast path takes
 * no lock and allocates nothing.
 */
#ifndef GBL_LINK_NEXT_H
#define GBL_LINK_NEXT_H

#include <stdatomic.h>
#include "link/link_call.h"

/* How fast a CPU library is. */
typedef enum gbl_link_kind {
    GBL_LINK_PLAIN, /* such as the reference: one thread, no tuned loops */
    GBL_LINK_TUNED
} gbl_link_kind;

typedef struct gbl_link_binding {
    uintptr_t from, bytes; /* addresses of the calling object */
    void (*next)(void);
    bool wide;     /* integers have 64 bits */
    bool readable; /* their size is known */
    bool alone;    /* nobody else has the name: next does nothing */
    gbl_link_kind kind;
    int (*threads)(void); /* of the next library; NULL: one */
    const char *library;  /* its path */
    const char *words;    /* its configuration where it tells one, else its path */
    struct gbl_link_binding *before;
} gbl_link_binding;

/* One per entry. */
typedef struct gbl_link_slot {
    const char *name; /* as the program spells it */
    gbl_link_routine routine;
    gbl_dtype dtype;
    bool wide;          /* by the spelling */
    const char *prefix; /* of the library's names: "" or "scipy_" */
    const char *suffix; /* "" or "64_" */
    _Atomic(gbl_link_binding *) bindings;
} gbl_link_slot;

/* The slow path: finds the next function for a caller and keeps it. */
const gbl_link_binding *gbl_link_resolve(gbl_link_slot *slot, const void *caller);

static inline const gbl_link_binding *gbl_link_bind(gbl_link_slot *slot, const void *caller)
{
    const gbl_link_binding *bound = atomic_load_explicit(&slot->bindings, memory_order_acquire);
    for (; bound != NULL; bound = bound->before)
        if ((uintptr_t)caller - bound->from < bound->bytes)
            return bound;
    return gbl_link_resolve(slot, caller);
}

#endif
