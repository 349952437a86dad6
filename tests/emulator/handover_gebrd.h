/* handover_gebrd.h: panels of a bidiagonal reduction by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HANDOVER_GEBRD_H
#define HANDOVER_GEBRD_H

#include <stdbool.h>
#include "gable/gable.h"

/* Reduces panels by two to six groups of gebrd_panel.cl in its settings of handover.cmake, in d and
 * z, with columns and rows that are not safe among them. A, d, e, both tau and what is left behind
 * the panel are compared with a plain loop, and must have the same bits whatever the order of
 * groups is. `check` is told whether each came out right. */
void handover_gebrd(gable_context *ctx, void (*check)(bool good, const char *what));

#endif
