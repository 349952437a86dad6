/* host_memory.h: how much memory the host can still give.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_HOST_MEMORY_H
#define GBL_HOST_MEMORY_H

#include <stdint.h>

/* Bytes that the process can still take, as far as the system tells: memory that is free or can be
 * freed, limits of a container and of the process. INT64_MAX: nothing is known. An allocation of
 * more may succeed, since Linux gives addresses first;
 * using it ends processes. */
int64_t gbl_host_memory(void);

#endif
