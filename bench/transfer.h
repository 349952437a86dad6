/* transfer.h: a call with its operands in the host's memory: they go to the device, the results
 * come back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For ops on matrices alone. All that a call reads goes over, and all that it writes comes back: of
 * a solver factors, pivots, solution and info. The host's memory is a program's usual one, not
 * pinned, and was written before. Times are the host's. On devices that work in the host's memory
 * nothing moves: the call alone is timed.
 */
#ifndef BENCH_TRANSFER_H
#define BENCH_TRANSFER_H

#include "operands.h"

typedef struct bench_transfer {
    bench_operands *operands;
    void *host[BENCH_ROLES]; /* whole operands that the op reads, else NULL */
    void *out[BENCH_ROLES];  /* where those come back to that it writes, else NULL */
} bench_transfer;

/* Copies of the operands' first set, which is restored first. */
gable_status bench_transfer_make(bench_transfer *transfer, bench_operands *operands);
void bench_transfer_free(bench_transfer *transfer);

/* What the op reads goes to the first set of `operands`, which are on any context; what it writes
 * comes back. */
gable_status bench_transfer_in(const bench_transfer *transfer, bench_operands *operands);
gable_status bench_transfer_out(const bench_transfer *transfer, bench_operands *operands);

/* The error over its bound of what came back. */
gable_status bench_transfer_check(const bench_transfer *transfer, double *error);

double bench_host_seconds(void);

#endif
