/* link_door.h: the way of a call from its entry: to the device, or on to the next library.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing is held while the next function runs, which may leave by longjmp.
 */
#ifndef GBL_LINK_DOOR_H
#define GBL_LINK_DOOR_H

#include "link/link_count.h"
#include "link/link_settings.h"

/* What is known of a call that goes on to the next library. */
typedef struct gbl_link_mark {
    uint64_t started; /* 0: nobody wants its time */
    const gbl_link_binding *bound;
    gbl_link_outcome outcome;
    gbl_link_call call;
} gbl_link_mark;

/* An integer of Fortran. */
static inline int64_t gbl_link_integer(const void *integer, bool wide)
{
    return wide ? *(const int64_t *)integer : *(const int32_t *)integer;
}

/* Whether a call of so many multiply-adds is worth a look. One without terms scales its result, or
 * forms an identity: the next library's, where there is one. */
static inline bool gbl_link_large(const gbl_link_slot *slot, const gbl_link_binding *bound,
                                  int64_t a, int64_t b, int64_t c)
{
    const uint64_t least = atomic_load_explicit(&gbl_link_floor, memory_order_relaxed);
    if (a > 0 && b > 0 && c >= 0 && a <= INT32_MAX && b <= INT32_MAX && c <= INT32_MAX) {
        const uint64_t first = (uint64_t)a * (uint64_t)b;
        const bool large = c > 0 && (first >= least || first * (uint64_t)c >= least);
        if ((large || bound->alone) && bound->readable)
            return true;
    }
    gbl_link_count_small(slot);
    return false;
}

/* Computes the call on the device, if it is to go there: true. The program's memory is as it was
 * where the answer is false; the next function must be called then, and gbl_link_passed after it.
 */
bool gbl_link_take(const gbl_link_slot *slot, const gbl_link_binding *bound,
                   const gbl_link_call *call, gbl_link_mark *mark);

void gbl_link_note_passed(const gbl_link_slot *slot, const gbl_link_mark *mark);

static inline void gbl_link_passed(const gbl_link_slot *slot, const gbl_link_mark *mark)
{
    if (mark->started != 0)
        gbl_link_note_passed(slot, mark);
}

#endif
