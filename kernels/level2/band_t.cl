/* band_t.cl: y := alpha A' x + beta y, or with the conjugate transpose, A a wide band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A team of WX lanes computes COLUMNS elements of y: it walks down the rows that its columns have,
 * WX * DEEP at a time. A lane loads its elements of x once for all columns and has a sum for each;
 * the WX sums of a column are added at the end. A group is WY = ITEMS / WX teams side by side.
 * alpha = 0: A and x are not read; beta = 0: y is not. Geometry: groups of ITEMS work-items along
 * x, one for each WY * COLUMNS elements of y. Macros: band_wide.h; SIDES is 2. Barriers: all
 * work-items.
 */
#include "band_wide.h"

typedef struct band_sums {
    T v[COLUMNS];
} band_sums;

/* Adds a piece whose first row (of the lane) and column are given. */
DEVICE band_sums band_add_piece(band_sums sums, GLOBAL const T *A, GLOBAL const T *x, band_args a,
                                i64 row, i64 column, i32 some)
{
    const band_edges edges = band_find(a, row, column);
    const band_piece t = band_load(A, a, edges, row, column, some);
    T xs[DEEP];
    UNROLLED
    for (i32 e = 0; e < DEEP; e++)
        xs[e] = x[!some || e * WX < edges.rows ? (row + e * WX) * a.incx : 0];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        UNROLLED
        for (i32 e = 0; e < DEEP; e++) {
            const T sum = band_step(t.v[c][e], xs[e], sums.v[c], 1);
            sums.v[c] = !some || band_has(edges, a, e, c) ? sum : sums.v[c];
        }
    }
    return sums;
}

/* Of every WX / COLUMNS lanes the first gets a column's sum over the team. All work-items must
 * come. */
#define MINE  (ITEM_R / (WX / COLUMNS)) /* the column */
#define OWNER (ITEM_R % (WX / COLUMNS) == 0)

#if WARP_SIZE > 1 && WX == WARP_SIZE
#define SCRATCH 1

DEVICE T band_shuffle(T a, i32 distance)
{
    const R re = SHUFFLE_XOR(T_real(a, 0), distance);
    return T_make(re, T_REALS > 1 ? SHUFFLE_XOR(T_real(a, 1), distance) : 0);
}

/* At each step a lane hands half of its columns to its partner and takes the partner's share of the
 * others, until one is left. */
DEVICE T band_team(band_sums mine, LOCAL_PTR T *scratch)
{
    i32 distance = WX / 2;
    (void)scratch;
    UNROLLED
    for (i32 half = COLUMNS / 2; half > 0; half /= 2) {
        const i32 upper = (ITEM_R & distance) != 0;
        UNROLLED
        for (i32 c = 0; c < half; c++) {
            const T kept = upper ? mine.v[c + half] : mine.v[c];
            const T given = upper ? mine.v[c] : mine.v[c + half];
            mine.v[c] = band_add(kept, band_shuffle(given, distance));
        }
        distance /= 2;
    }
    UNROLLED
    for (; distance > 0; distance /= 2)
        mine.v[0] = band_add(mine.v[0], band_shuffle(mine.v[0], distance));
    return mine.v[0];
}
#else
#define SCRATCH (ITEMS * COLUMNS)

DEVICE T band_team(band_sums sums, LOCAL_PTR T *scratch)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        scratch[c * ITEMS + ITEM_X] = sums.v[c];
    BARRIER();
    ROLLED
    for (i32 rest = WX / 2; rest > 0; rest /= 2) {
        if (ITEM_R < rest) {
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                scratch[c * ITEMS + ITEM_X] =
                    band_add(scratch[c * ITEMS + ITEM_X], scratch[c * ITEMS + ITEM_X + rest]);
        }
        BARRIER();
    }
    return scratch[MINE * ITEMS + ITEM_C * WX];
}
#endif

KERNEL(band_t, ITEMS, 1, (RESIDENT > ITEMS ? RESIDENT / ITEMS : 1))
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, band_args a)
{
    LOCAL T scratch[SCRATCH];
    BEGIN();
    const T alpha = SCALED ? band_alpha(alpha_at, a) : T_make(1, 0);
    const T beta = SCALED ? band_beta(beta_at, a) : T_make(0, 0);
    const i64 column = (GROUP_X * WY + ITEM_C) * COLUMNS;
    const i64 end = column < a.n ? band_least(column + COLUMNS + a.kl, a.m) : 0;
    band_sums sums;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        sums.v[c] = T_make(0, 0);
    ROLLED
    for (i64 top = band_most(column - a.ku, 0); top < end && !T_is_zero(alpha); top += ROWS) {
        if (band_whole(a, top, column))
            sums = band_add_piece(sums, A, x, a, top + ITEM_R, column, 0);
        else
            sums = band_add_piece(sums, A, x, a, top + ITEM_R, column, 1);
    }
    const T sum = band_team(sums, scratch);
    if (OWNER && column + MINE < a.n)
        band_store(y, (column + MINE) * a.incy, alpha, sum, beta);
}
