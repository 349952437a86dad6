/* stein_cluster.cl: vectors of length 1 after a step of inverse iteration, orthogonal where
 * eigenvalues are tight
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A cluster is a chain of eigenvalues that are not further apart than TIGHT norm1(T). A group takes
 * its vectors one after the other and makes each orthogonal to those before it within that
 * distance: Gram and Schmidt's way, twice, COLUMNS of them at a time. A vector is good once the
 * step made it longer by 1 / ((n + 16) 2 u norm1(T)), less what was taken out of it: then its
 * residual is (n + 16) 2 u norm1(T) at most. Of the last ones of a large cluster little is left,
 * and the residual is small all the same, because the cluster is narrow: it is computed where the
 * length does not tell. From the last of the STEIN_STEPS on all of a cluster take another step
 * where one of them is not good.
 *
 * Geometry: any number of groups of ITEMS work-items, a power of two; a group takes the clusters
 * that begin at its places. Macros: stein_sums.h. Barriers: all work-items of a group see the same
 * clusters.
 */
#if !defined(ITEMS) || !defined(COLUMNS)
#error "stein_cluster needs ITEMS and COLUMNS"
#endif
#include "stein_close.h"
#include "stein_sums.h"

DEVICE R squares_share(GLOBAL const R *x, i64 n, R scale)
{
    R sum = 0;
    ROLLED
    for (i64 i = ITEM_X; i < n; i += ITEMS) {
        const R element = scale * x[i];
        sum = R_fma(element, element, sum);
    }
    return sum;
}

/* Multiplied; of a vector of which nothing is left a random one is made. */
DEVICE void scale_vector(GLOBAL R *x, stein_args a, i64 j, R factor, i32 lost)
{
    ROLLED
    for (i64 i = ITEM_X; i < a.n; i += ITEMS)
        x[i] = lost ? factor * stein_random(i, j, a.step + 1) : factor * x[i];
}

/* Gives what is left of a vector of length 1. Each work-item has rows of its own, so that sums are
 * all that the others must know. */
DEVICE R make_orthogonal(GLOBAL R *X, stein_args a, i64 from, i64 j, LOCAL_PTR sum_t *scratch,
                         LOCAL_PTR sum_t *totals)
{
    GLOBAL R *const x = X + j * a.ldx;
    ROLLED
    for (i32 time = 0; time < 2; time++) {
        ROLLED
        for (i64 first = from; first < j; first += COLUMNS) {
            const sum_t s =
                sums_for_all(products_share(X, a.ldx, first, j, x, a.n), scratch, totals);
            ROLLED
            for (i64 i = ITEM_X; i < a.n; i += ITEMS)
                x[i] -= projection_at(X, a.ldx, first, j, s, i);
        }
    }
    sum_t s = {{0}};
    s.v[0] = squares_share(x, a.n, 1);
    s = sums_for_all(s, scratch, totals);
    const R left = sqrt(s.v[0]);
    const i32 lost = !(left > 0);
    scale_vector(x, a, j, lost ? 1 / sqrt((R)a.n) : 1 / left, lost);
    return lost ? (R)0 : left;
}

/* The length of (T - value I) x, in all work-items. All of them must come. */
DEVICE R residual_of(GLOBAL const R *scaled, GLOBAL const R *x, i64 n, R value,
                     LOCAL_PTR sum_t *scratch, LOCAL_PTR sum_t *totals)
{
    GLOBAL const R *const e = scaled + n;
    sum_t s = {{0}};
    BARRIER(); /* work-items read what others have written */
    ROLLED
    for (i64 i = ITEM_X; i < n; i += ITEMS) {
        R rest = (scaled[i] - value) * x[i];
        if (i > 0)
            rest = R_fma(e[i - 1], x[i - 1], rest);
        if (i + 1 < n)
            rest = R_fma(e[i], x[i + 1], rest);
        s.v[0] = R_fma(rest, rest, s.v[0]);
    }
    s = sums_for_all(s, scratch, totals);
    return sqrt(s.v[0]);
}

/* Whether the vector is good. */
DEVICE i32 finish_vector(GLOBAL const R *scaled, GLOBAL R *X, stein_args a, i64 from, i64 j,
                         R value, R size, R bound, LOCAL_PTR sum_t *scratch,
                         LOCAL_PTR sum_t *totals)
{
    GLOBAL R *const x = X + j * a.ldx;
    const R scale = size > 0 ? 1 / size : (R)0;
    sum_t s = {{0}};
    s.v[0] = squares_share(x, a.n, scale);
    s = sums_for_all(s, scratch, totals);
    const R length = sqrt(s.v[0]);
    const i32 lost = !(length > 0);
    scale_vector(x, a, j, lost ? 1 / sqrt((R)a.n) : scale / length, lost);
    const R left = from < j ? make_orthogonal(X, a, from, j, scratch, totals) : (R)1;
    if (lost || !(left > bound)) /* what is left is roundings */
        return 0;
    return left * length * bound >= 1 / size ||
           residual_of(scaled, x, a.n, value, scratch, totals) <= bound;
}

KERNEL(stein_cluster, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT scaled, GLOBAL const R *RESTRICT numbers, GLOBAL const R *RESTRICT values,
 GLOBAL const R *RESTRICT sizes, GLOBAL R *X, GLOBAL i32 *again, GLOBAL i32 *good, stein_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL sum_t totals[1];
    BEGIN();
    const R back = numbers[STURM_BACK], norm = stein_norm(numbers), tight = TIGHT * norm,
            bound = (R)(a.n + 16) * TWICE_ROUNDOFF * norm;
    const i64 count = stein_finite(numbers) ? a.count : 0;
    ROLLED
    for (i64 first = GROUP_X; first < count; first += GROUPS_X) {
        const i32 begins = first == 0 || is_apart(values, back, first, tight);
        i64 end = first;
        i32 all = 1;
        if (begins && (a.step < STEIN_STEPS || again[first] != 0))
            end++;
        ROLLED
        while (end > first && end < count && !is_apart(values, back, end, tight))
            end++;
        ROLLED
        for (i64 j = first; j < end; j++) {
            const i64 within = first_within(values, back, j, tight);
            const i32 is_good = finish_vector(scaled, X, a, within, j, values[j] / back, sizes[j],
                                              bound, scratch, totals);
            all = all && is_good;
            if (ITEM_X == 0)
                good[j] = is_good;
        }
        BARRIER(); /* again[first] was read by all */
        ROLLED
        for (i64 j = first + ITEM_X; j < end; j += ITEMS)
            again[j] = !all;
    }
}
