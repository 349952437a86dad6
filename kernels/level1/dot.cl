/* dot.cl: result := sum of x_i y_i, or of conj(x_i) y_i
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each work-item sums as fold.h says, the group adds in a fixed order and stores one partial sum.
 * ONE_PASS: the last group to arrive adds the partials, in order of the groups, and writes the
 * result. Otherwise dot_finish does, in a second launch. Geometry: any number of groups of WX
 * work-items. Macros: stream.h; CONJ 0 or 1; ONE_PASS 0 or 1. Barriers: all work-items reach
 * reduce_groups.
 */
#define SUM_R    R
#define SUM_N    T_REALS
#define SUM_MAIN T_REALS
#define FOLD_ACC T
#define FOLD_Y   1
#include "fold.h"

DEVICE T fold_zero(void)
{
    return T_make(0, 0);
}

DEVICE T fold_step(T x, T y, T sum)
{
#if CONJ
    return T_fma(T_conj(x), y, sum);
#else
    return T_fma(x, y, sum);
#endif
}

DEVICE R fold_part(T sum, i32 part)
{
    return T_real(sum, part);
}

KERNEL(dot, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL const T *RESTRICT y, GLOBAL R *RESTRICT partials,
 GLOBAL i32 *RESTRICT counter, GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    sum_t sum = fold_vectors(x, y, a.range);
    if (reduce_groups(&sum, partials, counter, scratch, flag))
        sum_store(result, sum);
}
