/* explanation.h: what `gable explain` found out about one case, and how it is shown.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_EXPLANATION_H
#define TOOL_EXPLANATION_H

#include "advice.h"
#include "bench.h"
#include "forecast.h"

/* Replayed or alone, by bench_mode. */
typedef struct explanation_mode {
    gbl_prediction predicted;
    gbl_prediction changed; /* with what --what-if says */
    double measured, least; /* seconds; 0: not measured */
    double roof;            /* fraction of the roof that was measured beside it */
} explanation_mode;

typedef struct explanation {
    const gbl_device *device;
    const gbl_roofs *roofs;
    forecast forecast;
    bool hot;
    double link_bytes;
    const char *change; /* what --what-if says; NULL: nothing */
    explanation_mode modes[2];
    double roof_seconds; /* of the work at the device's roof */
    double error;        /* of the result over its bound, where it was measured */
    char above
        [256]; /* where a measurement is above its roof: by how much, and what to do; else "" */
    advice advice;
} explanation;

void explanation_print(const explanation *seen);
void explanation_write(const explanation *seen); /* one JSON object */

#endif
