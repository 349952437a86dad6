/* roof_check.h: the kernels that measure a device, checked on the fake one.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_ROOF_CHECK_H
#define TEST_ROOF_CHECK_H

#include "gable/gable.h"

/* How many checks failed. */
long check_roof_kernels(gable_context *ctx);

#endif
