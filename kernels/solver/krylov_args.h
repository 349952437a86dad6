/* krylov_args.h: the state of an iteration, as kernels see it. The host's twin is
 * src/device/iteration_state.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef KRYLOV_ARGS_H
#define KRYLOV_ARGS_H

#define STATE_OUTCOME   0
#define STATE_ITERATION 1
#define STATE_RR        2
#define STATE_TARGET    3 /* squared */
#define STATE_LIMIT     4
#define STATE_OWN       8 /* the methods' own numbers from here on */
#define STATE_HISTORY   32
#define STATE_KEPT      256 /* iterations in the history */
#define STATE_COUNT     288

/* Outcomes: gable_outcome. */
#define OUTCOME_NONE       -1
#define OUTCOME_SOLVED     0
#define OUTCOME_LIMIT      1
#define OUTCOME_STAGNATED  2
#define OUTCOME_BREAKDOWN  3
#define OUTCOME_NOT_FINITE 5

#endif
