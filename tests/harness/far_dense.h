/* far_dense.h: a matrix whose columns stand so far apart that offsets pass 2^31 elements.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_FAR_DENSE_H
#define TEST_FAR_DENSE_H

#include "harness/dense_data.h"
#include "harness/routine.h"

/* Matrices with at least so many columns: the last of them start past 2^31. */
#define FAR_COLUMNS 36

typedef struct far_dense {
    void *near_at;
    int64_t near_ld;
    far_memory room;
} far_dense;

/* Moves what was sent of A to memory with columns far apart, and A points there; false: there is no
 * such memory, and that was said. far_dense_end moves the columns back, and A is as it was. */
bool far_dense_begin(const routine *r, dense *A, far_dense *far);
void far_dense_end(const routine *r, dense *A, far_dense *far);

#endif
