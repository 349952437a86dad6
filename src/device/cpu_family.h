/* cpu_family.h: the kind of this CPU and of its BLAS, as far as choices between variants depend on
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_FAMILY_H
#define GBL_CPU_FAMILY_H

#include "device/device.h"

/* The family whose lines in src/tune/builtin serve a device: that of its properties, but of a cpu
 * what its lines depend on: where the installed BLAS is faster than the library's own loops.
 * Without a BLAS, or beside one that is not faster than a plain loop, it is a family without lines.
 * The first to ask loads the BLAS, and what was timed then stays. */
const char *gbl_family_of(const gbl_device *device);

#endif
