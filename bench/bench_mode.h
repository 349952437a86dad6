/* bench_mode.h: the ways in which a call is timed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_BENCH_MODE_H
#define BENCH_BENCH_MODE_H

/* bench.h says what they are. */
typedef enum bench_mode { BENCH_REPLAY, BENCH_SINGLE, BENCH_TRANSFER, BENCH_MODES } bench_mode;

#endif
