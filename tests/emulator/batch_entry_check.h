/* batch_entry_check.h: the kernels for batches of matrices, checked on the fake device.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_BATCH_ENTRY_CHECK_H
#define TEST_BATCH_ENTRY_CHECK_H

#include "gable/gable.h"

/* How many checks failed. */
long check_batch_entry_kernels(gable_context *ctx);

#endif
