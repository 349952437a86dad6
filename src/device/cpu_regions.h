/* cpu_regions.h: which memory gable_alloc gave on the cpu device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On cpu every host pointer is an address, but a recording must tell memory of the device from a
 * variable of the caller, which may be gone when it is replayed; as on all other devices. Asked
 * only then.
 */
#ifndef GBL_CPU_REGIONS_H
#define GBL_CPU_REGIONS_H

#include <stdbool.h>
#include <stddef.h>

/* false: no host memory for the list. */
bool gbl_cpu_regions_add(const void *start, size_t bytes);
/* Of an address that was never added: nothing happens. */
void gbl_cpu_regions_remove(const void *start);
/* Whether an address lies in memory that was added. */
bool gbl_cpu_regions_hold(const void *address);

#endif
