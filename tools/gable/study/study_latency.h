/* study_latency.h: the study of latency: what was measured, and what it says.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_STUDY_LATENCY_H
#define TOOL_STUDY_LATENCY_H

#include <signal.h>
#include "gable/args.h"
#include "device/device.h"
#include "gable/gable.h"

enum { LATENCY_ARITHMETIC, LATENCY_MEMORY, LATENCY_TESTS };
#define LATENCY_ILPS   4  /* 1, 2, 4 and 8 operations or loads per work-item */
#define LATENCY_POINTS 12 /* occupancies, at most */

typedef struct latency_point {
    int group, groups, items; /* items per group, groups per unit, items per unit */
    struct {
        bool known, does_not_fit; /* the registers of so many items are not there */
        double seconds;
        double rate; /* operations (multiply-adds or loads) a second */
    } at[LATENCY_TESTS][LATENCY_ILPS];
} latency_point;

typedef struct latency_study {
    const gbl_device *device;
    int units, items_a_unit;
    bool items_known;
    int point_count;
    latency_point points[LATENCY_POINTS]; /* by rising occupancy */
} latency_study;

/* What a test found; false: its lowest point is missing. */
typedef struct latency_result {
    double latency, peak;           /* seconds, operations per second */
    double needed;                  /* operations in flight per unit */
    int needed_items[LATENCY_ILPS]; /* per unit; 0: the peak was not reached */
} latency_result;

extern const char *const latency_tests[LATENCY_TESTS];
/* Flops or bytes of an operation, and their unit per nanosecond. */
extern const double latency_amounts[LATENCY_TESTS];
extern const char *const latency_units[LATENCY_TESTS];

bool latency_work_out(const latency_study *seen, int test, latency_result *result);
/* By Little's law: what is in flight over the latency, at most the peak. Operations per second. */
double latency_predict(const latency_study *seen, const latency_result *result, int point, int ilp);
void latency_show(const latency_study *seen);
char *latency_lines(const latency_study *seen); /* from malloc */
void latency_plot(const latency_study *seen, const char *base, char *sentence,
                  size_t sentence_bytes);

typedef struct study_latency_request {
    const args_command *args;
    gable_context *ctx;
    const char *folder;
    double budget;
    bool json;
    volatile sig_atomic_t *stop;
} study_latency_request;
int study_latency(const study_latency_request *request);

#endif
