/* handover_gehrd.h: panels of a Hessenberg reduction by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HANDOVER_GEHRD_H
#define HANDOVER_GEHRD_H

#include <stdbool.h>
#include "gable/gable.h"

/* Reduces panels by two to six groups of gehrd_panel.cl in its settings of handover.cmake, in d and
 * z, with columns that are not safe among them. A, V, T, Y and tau are compared with a plain loop,
 * and must have the same bits whatever the order of groups is. `check` is told whether each came
 * out right. */
void handover_gehrd(gable_context *ctx, void (*check)(bool good, const char *what));

#endif
