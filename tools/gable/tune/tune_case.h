/* tune_case.h: one case of `gable tune`: its space, the search on a rig, the database.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_TUNE_CASE_H
#define TOOL_TUNE_CASE_H

#include "model/roofs.h"
#include "tune/search.h"
#include "tune_request.h"

typedef struct tune_outcome {
    bench_case what;
    gbl_choice old_choice, new_choice;
    double old_usec, new_usec; /* 0: not timed */
    bool changed, stopped, complete;
    gbl_search_counts counts;
    int64_t combinations; /* of the spaces before constraints */
    double seconds;       /* that it took */
    double vendor_usec;   /* 0: none */
    double vendor_error;
    double regret;   /* NaN: not asked for */
    char wrong[160]; /* the first choice whose result was wrong */
} tune_outcome;

/* One case for about `seconds`. progress is told of what happens and which part of the case is
 * done. */
typedef struct tune_session {
    gable_context *ctx;
    const tune_request *asked;
    gbl_roofs roofs;
    void (*progress)(void *user, const char *text, double done);
    bool (*stop)(void *user); /* also from other threads */
    void *user;
} tune_session;

/* GABLE_OK where the case has an outcome, also when it was stopped; else the context has the
 * message. GABLE_NOT_RECORDABLE: the call waits for the host, and choices are timed in replays. */
gable_status tune_case_run(tune_session *session, const bench_case *what, double seconds,
                           tune_outcome *outcome);

/* Fills in what is known without timing: the choice in use and the size of the space. */
gable_status tune_case_describe(tune_session *session, const bench_case *what,
                                tune_outcome *outcome);

/* "split_n:items=256:wx=8", and "split_n 256,8" for tables. */
void tune_choice_text(const gbl_choice *choice, char *text, size_t text_bytes);
void tune_choice_short(const gbl_choice *choice, char *text, size_t text_bytes);

#endif
