/* branch.h: two chains of calls beside each other.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Neither chain may need what the other writes. On a device with streams the first one is enqueued
 * on a second queue, and in a recording it is a branch of its own. On other devices, under
 * GABLE_DEBUG=sync, within a profile and within another chain they run one after the other. Each
 * has its own workspace and counters, so the bits are the same either way.
 *
 * The first chain is enqueued before the second. Groups that must all be resident, such as those of
 * a cooperative launch, belong into it: a product that fills the device lets no more of them in.
 * Workspace that both need is taken before, and given back behind.
 */
#ifndef GBL_BRANCH_H
#define GBL_BRANCH_H

#include "core/context.h"

typedef gable_status (*gbl_chain)(gable_context *ctx, void *what);

/* What is enqueued afterwards waits for both. Where one fails the other may have been enqueued,
 * too; the status is that of the first to fail. */
gable_status gbl_beside(gable_context *ctx, gbl_chain first, gbl_chain second, void *what);

#endif
