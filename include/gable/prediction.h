/* prediction.h: how long calls should take, by the model. <gable/gable.h> does not include it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GABLE_PREDICTION_H
#define GABLE_PREDICTION_H

#include "gable/gable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How long a routine of level 3 should take on the device by the model (docs/model.md), its
 * operands in device memory: *seconds; and how long its operands take to the device and the result
 * back, at the rates of the host link: *link_seconds, 0 where there is no link. `routine` is a name
 * with its precision, such as "dgemm"; sizes are those of that routine, and what it does not have
 * (side, m of syrk, k of trsm) is ignored. Sizes are at least 1; flags are no-transpose and
 * lower, and C is read. Nothing runs and nothing is measured. */
GABLE_API gable_status gable_predict(gable_context *ctx, const char *routine, gable_side side,
                                     int64_t m, int64_t n, int64_t k, double *seconds,
                                     double *link_seconds);

#ifdef __cplusplus
}
#endif

#endif
