/* symv_read_twice.h: the variant of symv that reads the triangle twice, in one launch without
 * hand-over.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SYMV_READ_TWICE_H
#define GBL_SYMV_READ_TWICE_H

#include "blas/level2/level2.h"
#include "core/kernel.h"

#define GBL_SYMV_READ_TWICE_PARAMS 5
extern const gbl_param gbl_symv_read_twice_space[GBL_SYMV_READ_TWICE_PARAMS];

bool gbl_symv_read_twice_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_symv_read_twice)

#endif
