/* link_decide.h: whether a call goes to the device: pure functions of the call and of predictions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No clock and no load is looked at: the same program takes the same way each time, so its results
 * repeat bit by bit. The one exception is the first use of a device, which a process has to earn.
 */
#ifndef GBL_LINK_DECIDE_H
#define GBL_LINK_DECIDE_H

#include "link/link_next.h"

/* A process whose calls have fewer multiply-adds in all does not even open libgable: at 1 Gflop/s,
 * which the slowest library has, they take no longer than a device takes to open. */
#define GBL_LINK_FIRST_WORK UINT64_C(150000000)

/* What opening a device costs: a context of CUDA (H200, November 2026), in nanoseconds. */
#define GBL_LINK_OPENING_COST UINT64_C(300000000)

typedef struct gbl_link_verdict {
    bool device;
    uint64_t cpu_time, device_time; /* predicted, in nanoseconds */
} gbl_link_verdict;

/* The multiply-adds of a call; those of complex numbers count as one. Of a triangle as if it were
 * whole. */
uint64_t gbl_link_work(const gbl_link_call *call);

/* Seconds of the next library, which is of that kind, on so many threads, and whether that rests on
 * a measurement. */
double gbl_link_cpu_seconds(const gbl_link_call *call, const char *words, gbl_link_kind kind,
                            int threads, bool *measured);
/* Multiply-adds that count for its rate, half of them for triangles, and flops of each. */
double gbl_link_multiply_adds(const gbl_link_call *call);
double gbl_link_flops_each(gbl_dtype dtype);

/* A call that stands for all of its size class: eight classes per factor of two. */
gbl_link_call gbl_link_canonical(const gbl_link_call *call);

/* A time that was predicted for the class of a call, for the call itself. */
uint64_t gbl_link_own_time(const gbl_link_call *call, uint64_t class_time);

/* From the seconds on either side. */
gbl_link_verdict gbl_link_judge(double cpu_seconds, double device_seconds);

/* ---- Verdicts that are known ---- */

/* By routine, precision, flags, size classes, library and threads; false: there is none. Neither
 * locks nor allocates. */
bool gbl_link_recall(const gbl_link_call *call, gbl_link_kind kind, int threads,
                     gbl_link_verdict *verdict);
void gbl_link_remember(const gbl_link_call *call, gbl_link_kind kind, int threads,
                       const gbl_link_verdict *verdict);
/* Once a device is open, its own predictions count. */
void gbl_link_forget_all(void);

/* Whether columns stand so far apart that gathering them costs more than computing. */
bool gbl_link_scattered(const gbl_link_call *call);

#endif
