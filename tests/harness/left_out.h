/* left_out.h: precisions that a run leaves to another one where kernels compile slowly.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_LEFT_OUT_H
#define TEST_LEFT_OUT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"

/* Behind OpenCL, where $GABLE_TEST_PRECISIONS is set and lacks this letter. */
static inline bool test_precision_left_out(char letter)
{
    const char *letters = getenv("GABLE_TEST_PRECISIONS");
    const bool slow = strncmp(test_device(), "opencl", 6) == 0;
    return slow && letters != NULL && strchr(letters, letter) == NULL;
}

#endif
