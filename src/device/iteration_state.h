/* iteration_state.h: the state of an iteration, in the device's memory: doubles in every precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_ITERATION_STATE_H
#define GBL_ITERATION_STATE_H

enum {
    GBL_STATE_OUTCOME,      /* -1: goes on; else a gable_outcome */
    GBL_STATE_ITERATION,    /* of the round */
    GBL_STATE_RR,           /* |r|^2, recursive */
    GBL_STATE_TARGET,       /* |r|^2 at which the round ends */
    GBL_STATE_LIMIT,        /* iterations at which the round ends */
    GBL_STATE_FIRST,        /* the methods' own numbers from here on */
    GBL_STATE_HISTORY = 32, /* |r|^2 of iteration i at HISTORY + (i - 1) % GBL_HISTORY */
    GBL_HISTORY = 256,      /* a batch is at most half of it */
    GBL_STATE_COUNT = GBL_STATE_HISTORY + GBL_HISTORY
};

#endif
