/* dsdot.cl: result := sum of x_i y_i of floats in double, or alpha plus that
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As dot.cl; products of floats are exact in double. PREC is 0. Geometry: any number of groups of
 * WX work-items. Macros: stream.h; ONE_PASS 0 or 1; WIDE_RESULT 0 or 1. Barriers: all work-items
 * reach reduce_groups.
 */
#include "reduce_args.h"
#include "wide_dot.h"
#define FOLD_ACC f64
#define FOLD_Y   1
#include "fold.h"

DEVICE f64 fold_zero(void)
{
    return 0;
}

DEVICE f64 fold_step(T x, T y, f64 sum)
{
    return R_fma((f64)x, (f64)y, sum);
}

DEVICE f64 fold_part(f64 sum, i32 part)
{
    (void)part;
    return sum;
}

KERNEL(dsdot, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL const T *RESTRICT y, GLOBAL f64 *RESTRICT partials,
 GLOBAL i32 *RESTRICT counter, GLOBAL R *RESTRICT result, GLOBAL const R *RESTRICT alpha_at,
 reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    sum_t sum = fold_vectors(x, y, a.range);
    if (reduce_groups(&sum, partials, counter, scratch, flag))
        wide_store(result, sum.v[0], alpha_at, a);
}
