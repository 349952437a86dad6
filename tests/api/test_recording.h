/* test_recording.h: the typed part of the recording tests, one table per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_RECORDING_H
#define TEST_RECORDING_H

#include "gable/gable.h"

typedef struct recording_tests {
    char letter;
    /* Replays give the bits of the calls themselves; n elements, incx between those of x. */
    void (*chain)(gable_context *ctx, int64_t n, int64_t incx);
    /* Scalars on the device are read at each replay, scalars by value are frozen. */
    void (*scalars)(gable_context *ctx);
    /* What cannot be recorded is refused, and the recording is as it was. */
    void (*refusals)(gable_context *ctx);
    /* More reductions than there are counters, each right. */
    void (*many)(gable_context *ctx);
} recording_tests;

extern const recording_tests recording_tests_s, recording_tests_d, recording_tests_c,
    recording_tests_z;

#endif
