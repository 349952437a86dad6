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

/* On a device, with `copiers` threads that copy to and from pinned memory. */
double gbl_host_device_seconds(const gbl_host_call *host, const gbl_roofs *device, int copiers);
/* On the cpu device: by the installed BLAS at its measured rate, else by its roofs. */
double gbl_host_cpu_seconds(const gbl_host_call *host, const gbl_roofs *cpu);
/* Of a routine that starts when all is there, computes so many seconds on the device, and is
 * delivered at its end. */
gbl_host_times gbl_host_predict_whole(const char *stem, const gbl_work *work, gbl_dtype dtype,
                                      double computing, const gbl_roofs *device,
                                      const gbl_roofs *cpu, int copiers);
/* Seconds of so many flops on a device, as products. */
double gbl_host_product_seconds(const gbl_work *work, gbl_dtype dtype, const gbl_roofs *device);
/* Whether the device is the better side, by a margin. */
bool gbl_host_pays(const gbl_host_times *times);

#endif
