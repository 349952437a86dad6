/* cpu_peak.h: what the cores of this machine could compute, by what the kernel says of them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_PEAK_H
#define GBL_CPU_PEAK_H

#include "device/dtype.h"

/* CPUs of this machine, two threads of a core counted twice. */
int gbl_cpu_count(void);
/* Cycles per second. */
double gbl_cpu_clock(void);
/* Flops per second of so many threads: cores, clock, width of registers, two units that multiply
 * and add. Complex numbers take the rates of the real type. */
double gbl_cpu_peak(gbl_dtype dtype, int threads);

#endif
