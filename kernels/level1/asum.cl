/* asum.cl: result := sum of |Re x_i| + |Im x_i|
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As dot.cl, with one vector. Geometry: any number of groups of WX work-items. Macros: stream.h;
 * ONE_PASS 0 or 1. Barriers: all work-items reach reduce_groups.
 */
#define SUM_R    R
#define SUM_N    1
#define SUM_MAIN 1
#define FOLD_ACC R
#define FOLD_Y   0
#include "fold.h"

DEVICE R fold_zero(void)
{
    return 0;
}

DEVICE R fold_step(T x, T y, R sum)
{
    (void)y;
    return sum + T_size(x);
}

DEVICE R fold_part(R sum, i32 part)
{
    (void)part;
    return sum;
}

KERNEL(asum, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL R *RESTRICT partials, GLOBAL i32 *RESTRICT counter,
 GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    sum_t sum = fold_vectors(x, x, a.range);
    if (reduce_groups(&sum, partials, counter, scratch, flag))
        result[0] = sum.v[0];
}
