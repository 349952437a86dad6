/* link_count.h: counts of this process, where `gable run` asks for them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_LINK_COUNT_H
#define GBL_LINK_COUNT_H

#include "link/link_counters.h"
#include "link/link_next.h"

/* The slot of this process; NULL: nobody counts, or the first call is still to come. */
extern _Atomic(gbl_link_process *) gbl_link_counted;

/* Takes a slot, where somebody counts and there is none yet. */
void gbl_link_count_start(const gbl_link_binding *bound);
/* Counts a call that took so long. predicted: on the CPU, of one that went to the device. */
void gbl_link_count(const gbl_link_call *call, gbl_link_outcome outcome, uint64_t nanoseconds,
                    uint64_t predicted, uint64_t link_bytes);

/* Says which device was opened, and how long that took, or why none was. */
void gbl_link_count_device(const char *device, uint64_t nanoseconds, const char *reason);

/* Says whether predictions for the CPU rest on measured rates. */
void gbl_link_count_rates(bool measured);

uint64_t gbl_link_clock(void);

static inline void gbl_link_count_small(const gbl_link_slot *slot)
{
    gbl_link_process *const counted = atomic_load_explicit(&gbl_link_counted, memory_order_relaxed);
    if (counted != NULL)
        atomic_fetch_add_explicit(
            &counted->cells[slot->routine][slot->dtype].calls[GBL_LINK_WAS_SMALL], 1,
            memory_order_relaxed);
}

#endif
