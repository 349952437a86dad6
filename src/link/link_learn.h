/* link_learn.h: how fast the program's own library was, for the next run.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of 10 ms and more that stay with it are timed. At the end of the process their rates go to
 * the file of model/cpu_rates.h. This process does not look at them: a program that changed its
 * mind half-way would not repeat its results.
 */
#ifndef GBL_LINK_LEARN_H
#define GBL_LINK_LEARN_H

#include "link/link_next.h"

/* A call that the library of the binding computed in so many nanoseconds. */
void gbl_link_learn(const gbl_link_binding *bound, const gbl_link_call *call, uint64_t nanoseconds);

#endif
