/* host_model.c: which side computes a call on host memory faster.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The cpu: flops at the rate of large products. The device: the longer of computing and travelling,
 * which overlap, the first and last panel, which do not, and the launches.
 */
#include "host/host_model.h"

/* A core copies 6 GB/s between pageable and pinned memory while others do (16 cores beside an H200,
 * 2026-11: 8 of them 49). */
#define COPY_RATE 6e9
/* Products reach so much of the peak, on either side. */
#define CPU_SHARE    0.8
#define DEVICE_SHARE 0.7
/* Launches and waits of a call. */
#define CALL_LAUNCHES 8
/* A device that is little faster is not worth the risk of a wrong prediction. */
#define MARGIN        1.2
#define LEAST_SECONDS 50e-6

static double staged(double link, int copiers)
{
    const double packed = COPY_RATE * (double)copiers;
    return link > 0 && link < packed ? link : packed;
}

gbl_host_times gbl_host_predict(const gbl_host_call *host, const gbl_roofs *device,
                                const gbl_roofs *cpu, int copiers)
{
    const gbl_dtype dtype = host->call.dtype;
    gbl_work work;
    gbl_host_work(host, &work);
    const double to_device = work.bytes_read / staged(device->link_to_device, copiers),
                 to_host = work.bytes_written / staged(device->link_to_host, copiers),
                 computing =
                     work.flops / (DEVICE_SHARE * gbl_roofs_product_flops(device, dtype, 0)),
                 travelling = to_device + to_host,
                 longer = computing > travelling ? computing : travelling,
                 shorter = computing > travelling ? travelling : computing,
                 waits = CALL_LAUNCHES * (device->launch_single + device->link_latency);
    return (gbl_host_times){.cpu = work.flops / (CPU_SHARE * cpu->flops[dtype]),
                            .device = waits + longer + shorter / 4};
}

bool gbl_host_pays(const gbl_host_times *times)
{
    return MARGIN * times->device < times->cpu && times->cpu - times->device > LEAST_SECONDS;
}
