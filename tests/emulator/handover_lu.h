/* handover_lu.h: columns of an LU factorization by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HANDOVER_LU_H
#define HANDOVER_LU_H

#include <stdbool.h>
#include "gable/gable.h"

/* Factors matrices whose quotients and sums are exact, with ties between pivots, by two to six
 * groups of getrf_grid.cl in its settings of handover.cmake, and compares with a plain loop.
 * `check` is told whether each came out right. */
void handover_lu(gable_context *ctx, void (*check)(bool good, const char *what));

#endif
