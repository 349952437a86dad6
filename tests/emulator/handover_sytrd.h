/* handover_sytrd.h: panels of a tridiagonal reduction by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HANDOVER_SYTRD_H
#define HANDOVER_SYTRD_H

#include <stdbool.h>
#include "gable/gable.h"

/* Reduces panels by two to six groups of sytrd_panel.cl in its settings of handover.cmake, in d and
 * z, forward and backward, with columns that are not safe among them. V, W, d, e and tau are
 * compared with a plain loop, and must have the same bits whatever the order of groups is. `check`
 * is told whether each came out right. */
void handover_sytrd(gable_context *ctx, void (*check)(bool good, const char *what));

#endif
