/* host_model.c: which side computes a call on host memory faster.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The cpu: flops at the rate of products of that size. The device: the longer of computing and
 * travelling, which overlap, the first and last panel, which do not, and the launches.
 */
#include "device/cpu_blas.h"
#include "device/cpu_peak.h"
#include "host/host_model.h"
#include "model/cpu_rates.h"

/* A core copies 6 GB/s between pageable and pinned memory while others do (16 cores beside an H200,
 * 2026-11: 8 of them 49). */
#define COPY_RATE 6e9
/* Beginnings of transfers go at the pace of one thread and of short copies: so many seconds per
 * byte more. Results come at half of the rate, because nothing else travels while the last panels
 * are unpacked. Both from 44 calls of level 3 (H200 and 16 cores, 2026-11,
 * bench/doors/decision_grid.py). */
#define SLOW_BYTES   4e6
#define SLOW_SECONDS 70e-12
#define RESULT_SHARE 0.5
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

/* Bytes at the beginnings of all transfers. */
static double slow_bytes(const gbl_host_call *host)
{
    const double elem = (double)gbl_dtype_bytes(host->call.dtype);
    double sum = 0;
    for (int i = 0; i < GBL_HOST_OPERANDS; i++) {
        if (!gbl_host_has(host->kind, i))
            continue;
        const gbl_host_block whole = gbl_host_whole(host, i);
        const double bytes = elem * (double)whole.rows * (double)whole.columns;
        sum += bytes < SLOW_BYTES ? bytes : SLOW_BYTES;
    }
    return sum;
}

double gbl_host_device_seconds(const gbl_host_call *host, const gbl_roofs *device, int copiers)
{
    const gbl_dtype dtype = host->call.dtype;
    gbl_work work;
    gbl_host_work(host, &work);
    const double to_device = work.bytes_read / staged(device->link_to_device, copiers),
                 to_host =
                     work.bytes_written / (RESULT_SHARE * staged(device->link_to_host, copiers)),
                 computing = gbl_host_product_seconds(&work, dtype, device),
                 travelling = to_device + to_host + SLOW_SECONDS * slow_bytes(host),
                 longer = computing > travelling ? computing : travelling,
                 shorter = computing > travelling ? travelling : computing,
                 waits = CALL_LAUNCHES * (device->launch_single + device->link_latency);
    return waits + longer + shorter / 4;
}

/* At the rate of products, or of the routine where that was measured. */
static double cpu_seconds(const char *stem, gbl_dtype dtype, double flops, const gbl_roofs *cpu)
{
    const int threads = gbl_cpu_blas_threads(0);
    /* Without a BLAS that says how many threads it has, the cpu's own loops. */
    const gbl_cpu_library library = {.words = gbl_cpu_blas_name(),
                                     .tuned = true,
                                     .threads = threads > 0 ? threads : gbl_cpu_count()};
    const double peak = cpu->source == GBL_ROOFS_MEASURED ? CPU_SHARE * cpu->flops[dtype] : 0;
    return flops /
           gbl_cpu_rate(&library, stem, dtype, flops / gbl_product_flops(dtype), peak, NULL);
}

double gbl_host_cpu_seconds(const gbl_host_call *host, const gbl_roofs *cpu)
{
    gbl_work work;
    gbl_host_work(host, &work);
    return cpu_seconds(gbl_host_op(host->kind)->stem, host->call.dtype, work.flops, cpu);
}

double gbl_host_product_seconds(const gbl_work *work, gbl_dtype dtype, const gbl_roofs *device)
{
    return work->flops / (DEVICE_SHARE * gbl_roofs_product_flops(device, dtype, 0));
}

gbl_host_times gbl_host_predict_whole(const char *stem, const gbl_work *work, gbl_dtype dtype,
                                      double computing, const gbl_roofs *device,
                                      const gbl_roofs *cpu, int copiers)
{
    const double travelling = work->bytes_read / staged(device->link_to_device, copiers) +
                              work->bytes_written / staged(device->link_to_host, copiers),
                 waits = CALL_LAUNCHES * (device->launch_single + device->link_latency);
    return (gbl_host_times){.cpu = cpu_seconds(stem, dtype, work->flops, cpu),
                            .device = waits + travelling + computing};
}

bool gbl_host_pays(const gbl_host_times *times)
{
    return MARGIN * times->device < times->cpu && times->cpu - times->device > LEAST_SECONDS;
}
