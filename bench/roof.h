/* roof.h: what a device's memory gives to work that does nothing else: copy, read, write.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * copy: gable_copy_bytes of half the bytes, so that bytes read plus bytes written are as many as
 * the routine beside it moves. read: kernels/roofs/read.cl, of several shapes the fastest here; on
 * cpu its twin in C. write: gable_fill_bytes, the device's own fill (CUDA's memset, OpenCL's fill
 * of shared memory, on cpu memset by all threads). On devices with kernels the routines copy and
 * fill are tried beside and the faster counts: CUDA copies in a graph at two thirds of memory's
 * speed, and OpenCL on a CPU with one core. There also dot of the two halves, as two streams are
 * read faster than one. All have memory of their own, in as many sets as the routine has.
 */
#ifndef BENCH_ROOF_H
#define BENCH_ROOF_H

#include "operands.h"

typedef struct bench_roof {
    gable_context *ctx;
    bench_roof_kind kind;
    bench_pool pool;
    size_t bytes; /* read plus written by one run */
    int64_t sets;
    char *source[BENCH_MAX_SETS], *target[BENCH_MAX_SETS];
    void *out;         /* what the read kernel writes */
    gbl_params params; /* of the read kernel */
    bool by_routine;   /* a routine of the library was the fastest */
} bench_roof;

/* Memory for runs that move `bytes`; sets as bench_operands would take (1 when hot). */
gable_status bench_roof_make(bench_roof *roof, gable_context *ctx, bench_roof_kind kind,
                             size_t bytes, int64_t sets);
void bench_roof_free(bench_roof *roof);

/* Enqueues or records one run. */
gable_status bench_roof_run(bench_roof *roof, int64_t set);

/* Device seconds of one run, from `runs` recorded ones: the best of three. */
gable_status bench_roof_seconds(bench_roof *roof, int64_t runs, double *seconds);

/* Tries the ways there are and keeps the fastest. Nothing to do on cpu. */
gable_status bench_roof_tune(bench_roof *roof);

#endif
