/* sparse_convert_check.h: the kernels that make and change sparse matrices, checked on the fake
 * device.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_SPARSE_CONVERT_CHECK_H
#define TEST_SPARSE_CONVERT_CHECK_H

#include "gable/gable.h"

/* How many checks failed. */
long check_sparse_kernels(gable_context *ctx);

#endif
