/* rig.h: one case on one device, set up once, on which many choices are compiled, timed and
 * checked.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For the tuner and the studies: operands are made once and rotated over (cold, unless asked
 * otherwise), every choice is a recording of several calls, timed on the device's clock.
 * Interleaved timing of two choices is bench_rig_duel. What a context forced for the op before is
 * lifted.
 *
 * Kernels that are compiled here only to be tried are the caller's concern: core/kernel.h,
 * gbl_kernels_try.
 */
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include "operands.h"

typedef struct bench_rig bench_rig;

typedef struct bench_timing {
    double seconds; /* of one call: median */
    double least;
    double spread; /* median of the deviations from the median */
    int runs;      /* replays that were timed; 0: given up before the first */
} bench_timing;

gable_status bench_rig_make(bench_rig **rig, gable_context *ctx, const bench_case *what, bool hot);
void bench_rig_free(bench_rig *rig);
const bench_call *bench_rig_call(const bench_rig *rig);

/* Compiles what the choice needs, without running it, where the device has kernels.
 * GABLE_COMPILE_FAILED and others say that it cannot run. */
gable_status bench_rig_compile(bench_rig *rig, const gbl_choice *choice);

/* The same, and a number that is equal for choices which launch the same kernels with the same
 * arguments: timing one of them times them all. */
gable_status bench_rig_fingerprint(bench_rig *rig, const gbl_choice *choice, uint64_t *print);

/* Compiles many choices on several threads (0: one per core of the host, where that helps on this
 * device).
 * Each choice's outcome is in `results`. stop (may be NULL) is asked before each choice, by all
 * threads; choices that were not reached have GABLE_NOT_SUPPORTED and reached = false. */
typedef struct bench_compiled {
    gable_status status;
    bool reached;
    uint64_t print;
    char why[256]; /* the start of the message, where it failed */
} bench_compiled;
gable_status bench_rig_compile_many(bench_rig *rig, const gbl_choice *choices, int count,
                                    int threads, bool (*stop)(void *user), void *user,
                                    bench_compiled *results);

/* Times a choice for about `seconds`; give_up_after (seconds of one call, 0: never) ends it early
 * when two runs, or a single call by far, are slower than that. */
gable_status bench_rig_time(bench_rig *rig, const gbl_choice *choice, double seconds,
                            double give_up_after, bench_timing *timing);

/* The error of one call over its bound. */
gable_status bench_rig_check(bench_rig *rig, const gbl_choice *choice, double *error);

/* Times two choices in turn, `rounds` replays each. */
gable_status bench_rig_duel(bench_rig *rig, const gbl_choice *a, const gbl_choice *b, int rounds,
                            bench_timing *of_a, bench_timing *of_b);

#endif
