/* stein_sums.h: products of a vector with several others, over a group.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Macros: ITEMS; COLUMNS, how many vectors are taken at once.
 */
#define WX       ITEMS
#define SUM_R    R
#define SUM_N    COLUMNS
#define SUM_MAIN 1
#include "reduce.h"

/* The sums in all work-items. All of them must come. */
DEVICE sum_t sums_for_all(sum_t s, LOCAL_PTR sum_t *scratch, LOCAL_PTR sum_t *totals)
{
    s = group_sum(s, scratch);
    if (ITEM_X == 0)
        totals[0] = s;
    BARRIER();
    s = totals[0];
    BARRIER();
    return s;
}

/* This work-item's part of the products of x with columns first, first + 1 ... before `end`, at
 * most COLUMNS of them. */
DEVICE sum_t products_share(GLOBAL const R *X, i64 ldx, i64 first, i64 end, GLOBAL const R *x,
                            i64 n)
{
    sum_t s = {{0}};
    ROLLED
    for (i64 i = ITEM_X; i < n; i += ITEMS) {
        const R element = x[i];
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++)
            if (first + c < end)
                s.v[c] = R_fma(X[i + (first + c) * ldx], element, s.v[c]);
    }
    return s;
}

/* Element i of what the columns have of x, as the sums tell. */
DEVICE R projection_at(GLOBAL const R *X, i64 ldx, i64 first, i64 end, sum_t s, i64 i)
{
    R sum = 0;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        if (first + c < end)
            sum = R_fma(X[i + (first + c) * ldx], s.v[c], sum);
    return sum;
}
