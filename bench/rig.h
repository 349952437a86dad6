/* rig.h: one case on one device, set up once, on which many choices are compiled, timed and checked.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For the tuner and the studies: operands are made once and rotated over (cold, unless asked otherwise),
 * every choice is a recording of several calls, timed on the device's clock. Interleaved timing of two
 * choices is bench_rig_duel.
 */
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include "operands.h"

typedef struct bench_rig bench_rig;

typedef struct bench_timing {
    double seconds; /* of one call: median */
    double least;
    double spread; /* median of the deviations from the median */
    int runs;      /* replays that were timed */
} bench_timing;

gable_status bench_rig_make(bench_rig **rig, gable_context *ctx, const bench_case *what, bool hot);
void bench_rig_free(bench_rig *rig);
const bench_call *bench_rig_call(const bench_rig *rig);

/* Compiles what the choice needs, without running it, where the device has kernels: safe to call from
 * several threads with rigs of their own contexts. GABLE_COMPILE_FAILED and others say that it cannot run. */
gable_status bench_rig_compile(bench_rig *rig, const gbl_choice *choice);

/* Times a choice for about `seconds`; give_up_after (seconds of one call, 0: never) ends it after the first
 * run of one that is slower than that. */
gable_status bench_rig_time(bench_rig *rig, const gbl_choice *choice, double seconds,
                            double give_up_after, bench_timing *timing);

/* The error of one call over its bound. */
gable_status bench_rig_check(bench_rig *rig, const gbl_choice *choice, double *error);

/* Times two choices in turn, `rounds` replays each. */
gable_status bench_rig_duel(bench_rig *rig, const gbl_choice *a, const gbl_choice *b, int rounds,
                            bench_timing *of_a, bench_timing *of_b);

#endif
