/* ladder_check.h: the rungs of gemm's ladder, checked on the fake device.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_LADDER_CHECK_H
#define TEST_LADDER_CHECK_H

#include "gable/gable.h"

/* How many checks failed. */
long check_ladder_kernels(gable_context *ctx);

#endif
