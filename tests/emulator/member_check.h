/* member_check.h: the kernels for batches of matrices, checked on the fake device.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_MEMBER_CHECK_H
#define TEST_MEMBER_CHECK_H

#include "gable/gable.h"

/* How many checks failed. */
long check_member_kernels(gable_context *ctx);

#endif
