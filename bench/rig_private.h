/* rig_private.h: what a rig holds: for rig.c and rig_compile.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_RIG_PRIVATE_H
#define BENCH_RIG_PRIVATE_H

#include "operands.h"
#include "roof.h"

struct bench_rig {
    gable_context *ctx;
    bench_case what;
    bool hot;
    bench_operands *operands;
    bench_roof *flush; /* NULL: not needed */
    gable_timer *timer;
    bench_call call; /* of the first set */
};

#endif
