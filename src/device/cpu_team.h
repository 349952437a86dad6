/* cpu_team.h: the threads of the cpu device, and how they share one range of memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every loop of the cpu device (copies, fills, kernels) goes through gbl_cpu_share, the only place
 * that starts OpenMP threads. It cuts a range the same way for all of them: one contiguous piece
 * per thread, in thread order, at multiples of 64 bytes from the start. The pieces depend on the
 * length and the thread count alone, so reductions that add their partial sums in order of pieces
 * are deterministic, and the thread that first writes a page (Linux places it on that thread's
 * node) is the one that works on it later.
 */
#ifndef GBL_CPU_TEAM_H
#define GBL_CPU_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#define GBL_CPU_LINE 64 /* bytes; a cache line of the CPUs of interest */

/* A bound for arrays of partial results on the stack. Memory saturates with far fewer threads. */
#define GBL_CPU_MAX_PIECES 256

/* Works on elements [begin, end) of the job, piece number `piece`. */
typedef void (*gbl_cpu_piece_function)(void *job, int piece, int64_t begin, int64_t end);

/* Runs the function on pieces that cover n elements of elem_bytes each, and returns how many pieces
 * there were: at most GBL_CPU_MAX_PIECES, at least 1 (also for n = 0). traffic_bytes is what the
 * job reads and writes an element; too little of it for a second thread, or a caller inside an
 * OpenMP region, and the one piece runs in the calling thread. */
/* Whether all pieces run in the calling thread because this process was forked by a thread of an
 * OpenMP region, whose team cannot be had again. A BLAS with OpenMP would hang there, too. */
bool gbl_cpu_is_serial(void);

int gbl_cpu_share(int64_t n, int64_t elem_bytes, int64_t traffic_bytes,
                  gbl_cpu_piece_function function, void *job);

#endif
