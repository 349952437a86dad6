/* search.h: looks for the fastest choice of a space, within a budget of time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What compiles, times and checks is behind functions, and so is the clock: the search itself
 * touches no device. First come the places to start (the choice in use, what was measured before,
 * built-in lines), then batches in the model's order, a part of each spread over the rest of the
 * space in case the model is wrong; after each batch the best few are refined, one tunable after
 * the other, then two at a time. Every choice that would become the best is checked first: a wrong
 * one is never the best. At the end the best few are timed again, and the first of them must beat
 * the choice in use in interleaved runs.
 */
#ifndef GBL_SEARCH_H
#define GBL_SEARCH_H

#include "tune/space.h"

typedef struct gbl_search_timing {
    double seconds, spread; /* of one call: median, and median deviation from it */
    int runs;
    bool given_up; /* slower than what was asked for: the time is rough */
} gbl_search_timing;

typedef struct gbl_search_compiled {
    bool reached; /* false: stopped before it */
    bool ok;
    uint64_t print; /* equal for choices that launch the same work; 0: not known */
} gbl_search_compiled;

/* How a point stands. */
typedef enum gbl_search_state {
    GBL_SEARCH_NEW,
    GBL_SEARCH_FAILED, /* it did not compile, or did not run */
    GBL_SEARCH_WRONG,
    GBL_SEARCH_SAME,   /* launches the same work as a point that was timed */
    GBL_SEARCH_BEFORE, /* timed by an earlier search */
    GBL_SEARCH_TIMED
} gbl_search_state;

typedef struct gbl_search_task {
    const gbl_op *op;
    const void *call;
    const gbl_device *device;
    const gbl_space *space;
    gbl_choice
        current;    /* the choice in use: it stays unless it is beaten, also where it is not in the
                           space; variant NULL: none */
    int batch;      /* points that are compiled at once */
    double seconds; /* of timing a point */
    int duel_rounds;
    void *user;
    /* Those that return a status: what is not GABLE_OK makes the point a failed one, but
     * GABLE_DEVICE_LOST ends the search. compile and predict may be NULL: nothing to compile, no
     * order. */
    void (*compile)(void *user, const gbl_choice *choices, int count, gbl_search_compiled *results);
    gable_status (*time)(void *user, const gbl_choice *choice, double seconds, double give_up_after,
                         gbl_search_timing *timing);
    gable_status (*check)(void *user, const gbl_choice *choice, double *error);
    gable_status (*duel)(void *user, const gbl_choice *a, const gbl_choice *b, int rounds,
                         gbl_search_timing *of_a, gbl_search_timing *of_b);
    double (*predict)(void *user, const gbl_choice *choice);
    /* Told of each point that was timed, or found wrong (error above 1); error is NaN where it was
     * not checked. NULL: nobody wants to know. */
    void (*measured)(void *user, const gbl_choice *choice, const gbl_search_timing *timing,
                     double error);
    void (*progress)(void *user);
    double (*now)(void *user);
    bool (*stop)(void *user);
} gbl_search_task;

typedef struct gbl_search_counts {
    int of; /* points of the space */
    int timed, before, same, failed, wrong;
} gbl_search_counts;

typedef struct gbl_search_result {
    gbl_choice winner; /* the choice to use from now on */
    gbl_search_timing of_winner,
        of_current;  /* from the duel, or timed alone where there was none */
    double error;    /* of the winner */
    bool changed;    /* the winner is not the current one */
    gbl_choice best; /* the fastest right one, which may have lost the duel */
    gbl_search_timing of_best;
    bool stopped, complete; /* asked to stop; everything was tried */
} gbl_search_result;

typedef struct gbl_search gbl_search;

/* NULL: no memory. The task is copied; what it points to must stay. */
gbl_search *gbl_search_make(const gbl_search_task *task);
void gbl_search_free(gbl_search *search);

/* A place to start; choices that are not in the space are left out. In the order of the calls. */
void gbl_search_start(gbl_search *search, const gbl_choice *choice);
/* What an earlier search measured: not timed again, but the best of them are places to start. error
 * above 1: it was wrong.
 */
void gbl_search_before(gbl_search *search, const gbl_choice *choice, double seconds, double error);

/* Searches until the clock says `until`, all was tried or it is stopped. A point is not begun where
 * those before it took longer than there is time; the choice in use is timed in any case.
 * May be called again to go on. GABLE_DEVICE_LOST where the device is gone. */
gable_status gbl_search_run(gbl_search *search, double until);

/* Times the best few again and decides. GABLE_NOT_SUPPORTED: nothing could be timed. */
gable_status gbl_search_finish(gbl_search *search, gbl_search_result *result);

void gbl_search_count(const gbl_search *search, gbl_search_counts *counts);
/* The fastest so far; seconds 0: none yet. */
double gbl_search_best(const gbl_search *search, gbl_choice *choice);

/* Whether a time is less than another by more than noise: 3 %, and twice the larger spread. */
bool gbl_search_beats(const gbl_search_timing *a, const gbl_search_timing *b);

#endif
