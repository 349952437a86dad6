/* host_model.h: which side computes a call on host memory faster.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_HOST_MODEL_H
#define GBL_HOST_MODEL_H

#include "host/host_call.h"
#include "model/roofs.h"

/* Seconds, from roofs alone: the same call has the same answer each time. */
typedef struct gbl_host_times {
    double cpu, device;
} gbl_host_times;

/* `copiers`: threads that copy to and from pinned memory. */
gbl_host_times gbl_host_predict(const gbl_host_call *host, const gbl_roofs *device,
                                const gbl_roofs *cpu, int copiers);
/* Whether the device is the better side, by a margin. */
bool gbl_host_pays(const gbl_host_times *times);

#endif
