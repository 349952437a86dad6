/* cpu_peak.c: what the cores of this machine could compute.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Files of the kernel are read once per process.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "device/cpu_features.h"
#include "device/cpu_peak.h"
#include "device/system_file.h"

#define CPU0 "/sys/devices/system/cpu/cpu0/"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int cpus, siblings; /* threads that share a core */
static double cycles;

/* The base clock, which all cores can keep, else the highest, else what a virtual machine is told,
 * else a common one. */
static double read_clock(void)
{
    char text[64];
    double clock = 0;
    if (gbl_read_line(CPU0 "cpufreq/base_frequency", text, sizeof text) ||
        gbl_read_line(CPU0 "cpufreq/cpuinfo_max_freq", text, sizeof text))
        clock = 1e3 * (double)strtol(text, NULL, 10);
    else if (gbl_read_field("/proc/cpuinfo", "cpu MHz", text, sizeof text))
        clock = 1e6 * (double)strtol(text, NULL, 10);
    return clock >= 1e8 && clock < 1e10 ? clock : 2.5e9;
}

/* "0-1" and "0,8" are two. */
static int read_siblings(void)
{
    char text[64];
    int count = 1;
    if (!gbl_read_line(CPU0 "topology/thread_siblings_list", text, sizeof text))
        return 1;
    for (const char *at = text; *at != '\0'; at++)
        count += *at == ',' || *at == '-';
    return count;
}

static void look(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    cpus = count > 0 && count < 65536 ? (int)count : 1;
    siblings = read_siblings();
    cycles = read_clock();
}

int gbl_cpu_count(void)
{
    pthread_once(&once, look);
    return cpus;
}

double gbl_cpu_clock(void)
{
    pthread_once(&once, look);
    return cycles;
}

/* Per lane and cycle: two units that multiply and add; on x86-64 without AVX2 one adds and one
 * multiplies. */
static double lane_flops(int bytes)
{
#if defined(__x86_64__)
    return bytes > 16 ? 4 : 2;
#else
    (void)bytes;
    return 4;
#endif
}

double gbl_cpu_peak(gbl_dtype dtype, int threads)
{
    pthread_once(&once, look);
    const int cores = (cpus + siblings - 1) / siblings, busy = threads < cores ? threads : cores,
              bytes = gbl_cpu_vector_bytes();
    const double lanes = (double)bytes / (double)gbl_dtype_real_bytes(dtype);
    return (double)(busy > 0 ? busy : 1) * cycles * lanes * lane_flops(bytes);
}
