/* stein_vectors.cl: the end of inverse iteration: eigenvectors orthogonal where eigenvalues are
 * close, and which have failed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Z_j = X_j - sum X_i (X_i^T X_j), for i < j with eigenvalues that are close (stein_close.h), but
 * not tight. These products are so small that nothing is lost by taking X_i as it was: all vectors
 * are made side by side. Z may be complex. failed: the numbers of vectors that are not
 * good, from 1, then zeros; *info how many they are, if it was 0. All of Z is NaN where the matrix
 * is not finite.
 *
 * Geometry: any number of groups of ITEMS work-items, a power of two; groups take vectors in turn.
 * Macros: stein_sums.h. Barriers: all work-items of a group see the same vectors.
 */
#if !defined(ITEMS) || !defined(COLUMNS)
#error "stein_vectors needs ITEMS and COLUMNS"
#endif
#include "stein_close.h"
#include "stein_sums.h"

DEVICE void make_vector(GLOBAL const R *X, GLOBAL T *z, stein_args a, i64 from, i64 end, i64 j,
                        LOCAL_PTR sum_t *scratch, LOCAL_PTR sum_t *totals)
{
    GLOBAL const R *const x = X + j * a.ldx;
    ROLLED
    for (i64 i = ITEM_X; i < a.n; i += ITEMS)
        z[i] = T_make(x[i], 0);
    ROLLED
    for (i64 first = from; first < end; first += COLUMNS) {
        const sum_t s = sums_for_all(products_share(X, a.ldx, first, end, x, a.n), scratch, totals);
        ROLLED
        for (i64 i = ITEM_X; i < a.n; i += ITEMS)
            z[i] = T_make(T_real(z[i], 0) - projection_at(X, a.ldx, first, end, s, i), 0);
    }
}

DEVICE void list_failures(GLOBAL const i32 *good, GLOBAL i64 *failed, GLOBAL i64 *info, i64 count,
                          i32 finite, LOCAL_PTR sum_t *scratch, LOCAL_PTR sum_t *totals)
{
    sum_t s = {{0}};
    ROLLED
    for (i64 j = ITEM_X; j < count; j += ITEMS) {
        if (finite && !good[j])
            s.v[0] += 1;
        failed[j] = 0;
    }
    s = sums_for_all(s, scratch, totals);
    i64 place = 0;
    ROLLED
    for (i64 j = 0; ITEM_X == 0 && s.v[0] > 0 && j < count; j++)
        if (!good[j])
            failed[place++] = j + 1;
    if (ITEM_X == 0 && place > 0)
        info[0] = place;
}

KERNEL(stein_vectors, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT numbers, GLOBAL const R *RESTRICT values, GLOBAL const R *RESTRICT X,
 GLOBAL const i32 *RESTRICT good, GLOBAL T *Z, GLOBAL i64 *failed, GLOBAL i64 *info, stein_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL sum_t totals[1];
    BEGIN();
    const R back = numbers[STURM_BACK], tight = TIGHT * stein_norm(numbers),
            close = stein_close(numbers, a.n);
    const i32 finite = stein_finite(numbers);
    ROLLED
    for (i64 j = GROUP_X; finite && j < a.count; j += GROUPS_X)
        make_vector(X, Z + j * a.ldz, a, first_within(values, back, j, close),
                    first_within(values, back, j, tight), j, scratch, totals);
    ROLLED
    for (i64 j = GROUP_X; !finite && j < a.count; j += GROUPS_X)
        ROLLED
    for (i64 i = ITEM_X; i < a.n; i += ITEMS)
        Z[i + j * a.ldz] = T_make(back, back);
    if (GROUP_X == 0)
        list_failures(good, failed, info, a.count, finite, scratch, totals);
}
