/* loan.h: the caller's memory, as long as the caller lends it to a call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A driver may block for ever where nothing limits it. Another thread can then take the operands
 * back (gable_host_recall): not while they are copied, and not once a result stands where an input
 * was. So whoever touches them begins and ends, and binds the loan before it writes what cannot be
 * computed again.
 *
 * A call that takes minutes on the device is no driver that blocks. So each driver's call that
 * returns is a sign of life, waits with a limit of their own give one every moment, and while the
 * host itself computes nothing is taken back.
 */
#ifndef GBL_LOAN_H
#define GBL_LOAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum gbl_loan_state {
    GBL_LOAN_IDLE,
    GBL_LOAN_IN_USE,
    GBL_LOAN_BOUND,
    GBL_LOAN_ENDED
} gbl_loan_state;

typedef struct gbl_loan {
    _Atomic int state;
    _Atomic bool moved;  /* there was a sign of life since the other thread last asked */
    _Atomic int at_host; /* what the host itself computes, which ends by itself */
} gbl_loan;

/* All give false where the memory was taken back; then the call says so. */
#define GBL_LOAN_OVER "the operands were taken back"

/* Before a call. */
static inline bool gbl_loan_start(gbl_loan *loan)
{
    int seen = GBL_LOAN_BOUND;
    atomic_store(&loan->moved, true);
    return atomic_compare_exchange_strong(&loan->state, &seen, GBL_LOAN_IDLE) ||
           seen != GBL_LOAN_ENDED;
}

/* Around a copy; NULL: nobody takes back. */
static inline bool gbl_loan_begin(gbl_loan *loan)
{
    int seen = GBL_LOAN_IDLE;
    if (loan == NULL)
        return true;
    atomic_store(&loan->moved, true);
    return atomic_compare_exchange_strong(&loan->state, &seen, GBL_LOAN_IN_USE) ||
           seen != GBL_LOAN_ENDED;
}

static inline void gbl_loan_end(gbl_loan *loan)
{
    int seen = GBL_LOAN_IN_USE;
    if (loan != NULL)
        atomic_compare_exchange_strong(&loan->state, &seen, GBL_LOAN_IDLE);
}

/* From here on the call must be completed. */
static inline bool gbl_loan_bind(gbl_loan *loan)
{
    if (!gbl_loan_begin(loan))
        return false;
    if (loan != NULL)
        atomic_store(&loan->state, GBL_LOAN_BOUND);
    return true;
}

/* A sign of life; NULL: nobody looks. */
static inline void gbl_loan_show_life(gbl_loan *loan)
{
    if (loan != NULL)
        atomic_store_explicit(&loan->moved, true, memory_order_relaxed);
}

/* Around work of the host's own. */
static inline void gbl_loan_host_begin(gbl_loan *loan)
{
    atomic_fetch_add(&loan->at_host, 1);
}

static inline void gbl_loan_host_end(gbl_loan *loan)
{
    gbl_loan_show_life(loan);
    atomic_fetch_sub(&loan->at_host, 1);
}

/* By the other thread: true, the memory is the caller's again. */
static inline bool gbl_loan_recall(gbl_loan *loan)
{
    int seen = GBL_LOAN_IDLE;
    if (atomic_load(&loan->at_host) > 0 || atomic_exchange(&loan->moved, false))
        return false;
    return atomic_compare_exchange_strong(&loan->state, &seen, GBL_LOAN_ENDED) ||
           seen == GBL_LOAN_ENDED;
}

#endif
