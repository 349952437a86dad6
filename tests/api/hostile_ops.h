/* hostile_ops.h: calls of every op with arguments that no caller means, for test_hostile.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HOSTILE_OPS_H
#define HOSTILE_OPS_H

#include "gable/gable.h"

void hostile_ops(gable_context *ctx);

#endif
