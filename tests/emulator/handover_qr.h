/* handover_qr.h: columns of a QR factorization by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HANDOVER_QR_H
#define HANDOVER_QR_H

#include <stdbool.h>
#include "gable/gable.h"

/* Factors matrices by two to six groups of geqrf_grid.cl in its settings of handover.cmake, with
 * columns that are not safe among them. R, tau, V and T are compared with a plain loop, and must
 * have the same bits whatever the order of groups is. `check` is told whether each came out
 * right. */
void handover_qr(gable_context *ctx, void (*check)(bool good, const char *what));

#endif
