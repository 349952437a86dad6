/* sturm_values.cl: eigenvalues of a symmetric tridiagonal matrix, by bisection
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of the pivots of T - x, q_1 = d_1 - x, q_i = d_i - x - e_(i-1)^2 / q_(i-1), as many are negative
 * as T has eigenvalues below x; rounded, too, the count never falls while x grows (Demmel, Dhillon
 * and Ren, On the correctness of some bisection-like parallel eigenvalue algorithms in floating
 * point arithmetic, 1995). Each step that is rounded keeps the order of its operands. POINTS
 * work-items find one eigenvalue after another: each round they count at POINTS points inside of
 * the interval, and the first that has the eigenvalue below it and the one before it are the next
 * interval. Points are evenly spaced among the numbers of the precision, not on the real line: so
 * all values, small ones too, are found to the last bit that the counts tell, in a fixed number of
 * rounds whatever the scale. The upper end is taken: it is exact where the matrix is diagonal.
 * Geometry: any number of groups of ITEMS work-items, which have ITEMS / POINTS eigenvalues at a
 * time; both are powers of two, POINTS at least 2. Barriers: all work-items reach them.
 */
#if !defined(ITEMS) || !defined(LOG2_POINTS)
#error "sturm_values needs ITEMS and LOG2_POINTS"
#endif
#include "sturm_args.h"

#if PREC == 0 || PREC == 2
#define BITS 32
typedef i32 sturm_word;
#else
#define BITS 64
typedef i64 sturm_word;
#endif
#define POINTS (1 << LOG2_POINTS)
#define SIDES  (ITEMS / POINTS)
/* Each round takes LOG2_POINTS bits off, but for a last point that cannot be moved. */
#define MOST_ROUNDS (BITS / LOG2_POINTS + 3)

typedef union sturm_bits {
    R number;
    sturm_word word;
} sturm_bits;

/* The place of a number among all of them: -0 and 0 stand at 0. */
DEVICE i64 place_of(R number)
{
    sturm_bits bits;
    bits.number = number < 0 ? -number : number + 0;
    return number < 0 ? -(i64)bits.word : (i64)bits.word;
}

DEVICE R number_at(i64 place)
{
    sturm_bits bits;
    bits.word = (sturm_word)(place < 0 ? -place : place);
    return place < 0 ? -bits.number : bits.number;
}

/* `number` steps behind low. That of the last point, which is not taken, may pass 63 bits. */
DEVICE i64 point_at(i64 low, u64 step, i32 number)
{
    return (i64)((u64)low + (step > 0 ? step * (u64)number : (u64)number));
}

/* How many eigenvalues are below x. A reciprocal is quicker than a quotient. */
DEVICE i64 count_below(GLOBAL const R *RESTRICT scaled, i64 n, R least, R x)
{
    GLOBAL const R *e = scaled + n;
    i64 count = 0;
    R q = scaled[0] - x;
    if (q < least && q > -least)
        q = -least;
    count += q < 0;
    ROLLED
    for (i64 i = 1; i < n; i++) {
        const R beside = e[i - 1];
        q = (scaled[i] - x) - beside * (beside * ((R)1 / q));
        if (q < least && q > -least)
            q = -least;
        count += q < 0;
    }
    return count;
}

KERNEL(sturm_values, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT scaled, GLOBAL const R *RESTRICT numbers, GLOBAL R *RESTRICT w,
 GLOBAL i64 *RESTRICT info, sturm_values_args a)
{
    LOCAL i32 above[ITEMS];
    BEGIN();
    const R back = numbers[STURM_BACK], most = numbers[STURM_MOST], least = numbers[STURM_LEAST];
    const i32 finite = back - back == 0;
    if (GROUP_X == 0 && ITEM_X == 0)
        info[0] = finite ? 0 : -a.number;
    const i32 side = ITEM_X / POINTS, p = ITEM_X % POINTS;
    ROLLED
    for (i64 begin = GROUP_X * SIDES; begin < a.count; begin += GROUPS_X * SIDES) {
        /* All of a group come to the barriers, also those that have no eigenvalue. */
        const i64 k = a.first + begin + side;
        const i32 mine = finite && begin + side < a.count;
        i64 low = place_of(-most), high = place_of(most);
        ROLLED
        for (i32 round = 0; round < MOST_ROUNDS; round++) {
            const u64 apart = (u64)high - (u64)low;
            const i32 open = mine && apart > 1;
            const u64 step = apart >> LOG2_POINTS;
            /* POINTS points, the last at `high`; where there are fewer numbers, some more are. */
            const i64 ahead = point_at(low, step, p + 1),
                      point = p + 1 == POINTS || ahead > high ? high : ahead;
            above[ITEM_X] =
                !open || point == high || count_below(scaled, a.n, least, number_at(point)) > k;
            BARRIER();
            i32 first = 0;
            ROLLED
            while (first + 1 < POINTS && !above[side * POINTS + first])
                first++;
            BARRIER();
            const i64 behind = point_at(low, step, first), at = point_at(low, step, first + 1);
            if (open) {
                high = first + 1 == POINTS || at > high ? high : at;
                low = behind < high ? behind : high;
            }
        }
        if (p == 0 && begin + side < a.count) {
            /* Counts do not tell pivots below LEAST from 0. */
            const R value = number_at(high);
            w[k - a.first] = back * (value < 2 * least && value > -2 * least ? (R)0 : value);
        }
    }
}
