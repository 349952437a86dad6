/* sweep_summary.h: what a sweep over cases drawn at random says: means, fifth percentiles, the ten
 * worst cases.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A value is a time over Gable's (of a peer), or the part of the roof that was reached: more is
 * better. A regret is how much longer the choice took than the best that was timed beside it.
 */
#ifndef TOOL_SWEEP_SUMMARY_H
#define TOOL_SWEEP_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#define SWEEP_WORST      10
#define SWEEP_NAME_BYTES 32
#define SWEEP_CASE_BYTES 192
/* Above it a regret is shown in red. */
#define SWEEP_POOR_REGRET 0.15

typedef struct sweep_value {
    char against[SWEEP_NAME_BYTES]; /* "cublas", "roof" */
    char routine[SWEEP_NAME_BYTES]; /* "dgemm" */
    char text[SWEEP_CASE_BYTES];    /* the case as it is typed */
    char better[SWEEP_CASE_BYTES];  /* of a regret: the best choice */
    double value;
} sweep_value;

typedef struct sweep_values {
    sweep_value *list; /* from malloc */
    int count, room;
} sweep_values;

/* Statistics of values: the geometric mean, the 5th percentile, the worst; of regrets the mean, the
 * 95th percentile, the worst. */
typedef struct sweep_figures {
    int rows;
    double mean, percentile, worst;
} sweep_figures;

/* Keeps a value; false: no memory. Those that are not above 0 are none. */
bool sweep_add(sweep_values *values, const char *against, const char *routine, const char *text,
               double value);
/* Keeps a regret, from 0 on. */
bool sweep_add_regret(sweep_values *values, const char *routine, const char *text, double regret,
                      const char *better);
void sweep_values_free(sweep_values *values);

/* Of one against and one routine; NULL: of all. Regrets are against "regret". */
sweep_figures sweep_figure(const sweep_values *values, const char *against, const char *routine);

/* The worst values of one against, the worst first; returns how many, SWEEP_WORST at most. */
int sweep_worst(const sweep_values *values, const char *against,
                const sweep_value *worst[SWEEP_WORST]);

/* For people, and as the members of an open JSON object. */
void sweep_print(const sweep_values *values);
void sweep_write(const sweep_values *values);

#endif
