/* forecast.h: what the library would do with a case of the benchmark, and what the model says of
 * it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No operands are made: addresses are looked at for their alignment, never followed. Kernels are
 * found by recording the call and dropping the recording; they are compiled for it, but not run.
 */
#ifndef TOOL_FORECAST_H
#define TOOL_FORECAST_H

#include "bench_ops.h"
#include "model/predict.h"
#include "gable/inspect/occupancy.h"
#include "tune/database.h"

#define FORECAST_KERNELS 4

/* A launch of the call. Resources are -1 where the compiler does not tell. */
typedef struct forecast_kernel {
    char name[48];
    double groups;
    int items; /* per group */
    int registers, spill_bytes, local_bytes;
    bool has_occupancy;
    occupancy occupancy;
} forecast_kernel;

typedef struct forecast {
    bench_case what;
    bench_call call;
    gbl_choice choice;
    bool forced;
    bool alone;      /* no other variant fits */
    gbl_match match; /* where the choice comes from, unless forced */
    gbl_work work;
    gbl_cost cost;
    int launches; /* found; the first FORECAST_KERNELS of them are in `kernels` */
    forecast_kernel kernels[FORECAST_KERNELS];
    bool waits;   /* for the host, so that nothing is known of its launches */
    int resident; /* groups of the largest launch on a unit; 0: not known */
} forecast;

/* Chooses for the case on the context's device. kernels: also looks at what is compiled for it. */
gable_status forecast_make(gable_context *ctx, const bench_case *what, bool kernels,
                           forecast *made);

/* The prediction of the choice on a device, which may be a changed copy of the context's. */
void forecast_predict(const forecast *made, const gbl_device *device, const gbl_roofs *roofs,
                      const gbl_situation *situation, gbl_prediction *prediction);

/* "split_n:wx=64:vec=2" */
void forecast_choice_text(const forecast *made, char *text, size_t text_bytes);
/* "measured here for this size", "forced" ... */
const char *forecast_source(const forecast *made);
/* "forced", "order" (the table's, where the model ranks nothing), else gbl_match_name: for
 * programs. */
const char *forecast_source_word(const forecast *made);

/* Seconds that the work itself takes at the device's roof: the least bytes at what memory gives
 * (hot, and small enough: the cache), the flops at the rate of the arithmetic, whichever is
 * longer. */
double forecast_roof_seconds(const forecast *made, const gbl_roofs *roofs, bool hot);

#endif
