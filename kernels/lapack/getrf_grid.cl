/* getrf_grid.cl: P A = L U for at most NB columns from the diagonal down, in place, by many groups
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A work-item has one row and keeps it in registers; rows never move. An exchange swaps the places
 * of two rows (`at`), and at the end every row is stored at its place. A column: every group finds
 * its largest element and leaves it in `bests`, and that element's row in `rows`; barrier of all
 * groups; every group compares the groups' elements, in any order the same, and takes the best
 * one's row, which is a row of U, out of its own. Places for both are taken in turn, so one barrier
 * a column is enough: who writes to one again has passed the next barrier, and so have all who read
 * it. The column at work is row[0]: rows turn by one element with each column, so that the
 * registers of a loop over columns are known.
 *
 * The counter of barriers goes on from launch to launch. ipiv, state and info: getrf_group.cl.
 * Geometry: a cooperative launch of groups of ITEMS work-items, as many work-items as rows, or
 * more. Macros: ITEMS; NB. Barriers: all work-items reach all of them.
 */
#if !defined(ITEMS) || !defined(NB)
#error "getrf_grid needs ITEMS and NB"
#endif
#include "getrf_grid_args.h"
#include "pivot.h"

#define AHEAD (NB < 16 ? 2 : 4) /* elements of rows that a work-item loads ahead */

/* All groups: what any work-item wrote before is visible to all behind it. */
DEVICE void all_groups(GLOBAL i32 *counter, i32 arrived)
{
    BARRIER();
    if (ITEM_X == 0) {
        TICKET(counter);
        AWAIT(counter, arrived);
    }
    BARRIER();
}

/* The best of this group to its place, with its row. All work-items must come. */
DEVICE void offer(const T *row, i64 at, best_t best, GLOBAL best_t *bests, GLOBAL T *rows,
                  LOCAL_PTR best_t *chosen)
{
    if (ITEM_X == 0)
        chosen[0] = best;
    BARRIER();
    if (ITEM_X == 0)
        bests[GROUP_X] = chosen[0];
    if (at == chosen[0].at) {
        UNROLLED
        for (i32 c = 0; c < NB; c++)
            rows[GROUP_X * NB + c] = row[c];
    }
}

/* The best of all groups, and its row. Where they are few, the rows of all are loaded beside their
 * bests, so that nobody waits for memory twice. All work-items must come. */
DEVICE i64 take(GLOBAL const best_t *bests, GLOBAL const T *rows, LOCAL_PTR best_t *scratch,
                LOCAL_PTR best_t *chosen, LOCAL_PTR i64 *winner, LOCAL_PTR T *up)
{
    const i32 all = (i32)GROUPS_X * NB, few = all <= AHEAD * ITEMS;
    best_t mine = no_pivot();
    i64 from = -1;
    T ahead[AHEAD];
    UNROLLED
    for (i32 k = 0; k < AHEAD; k++) {
        ahead[k] = T_make(0, 0);
        if (few && ITEM_X + k * ITEMS < all)
            ahead[k] = rows[ITEM_X + k * ITEMS];
    }
    ROLLED
    for (i64 g = ITEM_X; g < GROUPS_X; g += ITEMS) {
        const best_t better = best_of(mine, bests[g]);
        from = better.at != mine.at ? g : from;
        mine = better;
    }
    const best_t best = group_best(mine, scratch);
    if (ITEM_X == 0)
        chosen[0] = best;
    BARRIER();
    const i64 p = chosen[0].at;
    if (from >= 0 && mine.at == p)
        winner[0] = from;
    BARRIER();
    const i32 row = (i32)winner[0];
    UNROLLED
    for (i32 k = 0; k < AHEAD; k++)
        if (few && (ITEM_X + k * ITEMS) / NB == row)
            up[(ITEM_X + k * ITEMS) % NB] = ahead[k];
    for (i32 c = ITEM_X; !few && c < NB; c += ITEMS)
        up[c] = rows[row * NB + c];
    BARRIER();
    return p;
}

/* The row turns by one element. Where `active` is set, it loses `left` times up on the way. */
DEVICE void turn_row(T *row, T left, i32 active, i32 behind, LOCAL_PTR const T *up)
{
    const T times = T_neg(left);
    UNROLLED
    for (i32 c = 0; c + 1 < NB; c++)
        row[c] = active && c < behind ? T_fma(times, up[c + 1], row[c + 1]) : row[c + 1];
    row[NB - 1] = left;
}

KERNEL(getrf_grid, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL i64 *RESTRICT ipiv, GLOBAL i64 *RESTRICT state, GLOBAL i64 *RESTRICT info,
 GLOBAL best_t *bests, GLOBAL T *rows, GLOBAL i32 *counter, getrf_grid_args a)
{
    LOCAL best_t scratch[BEST_SCRATCH];
    LOCAL best_t chosen[1];
    LOCAL i64 winner[1];
    LOCAL T up[NB];
    BEGIN();
    const i32 most = (i32)(a.m < a.n ? a.m : a.n);
    const i64 before = a.before > 0 ? *state : 0, own = GROUP_X * ITEMS + ITEM_X;
    i64 failed = before, at = own;
    T row[NB];
    UNROLLED
    for (i32 c = 0; c < NB; c++) {
        row[c] = T_make(0, 0);
        if (own < a.m && c < a.n)
            row[c] = A[own + c * a.lda];
    }
    ROLLED
    for (i32 j = 0; j < NB; j++) {
        T left = row[0];
        i32 active = 0;
        if (j < most) {
            GLOBAL best_t *const place = bests + (j & 1) * GROUPS_X;
            GLOBAL T *const kept = rows + (j & 1) * GROUPS_X * NB;
            best_t best = no_pivot();
            if (at >= j && at < a.m)
                best = better_pivot(best, left, at, j);
            best = group_best(best, scratch);
            offer(row, at, best, place, kept, chosen);
            all_groups(counter, (i32)(a.arrived + (j + 1) * GROUPS_X));
            const i64 p = take(place, kept, scratch, chosen, winner, up);
            const T pivot = up[0];
            const i32 zero = T_is_zero(pivot);
            if (zero && failed == 0)
                failed = a.before + j + 1;
            if (own == 0)
                ipiv[j] = a.before + p + 1;
            at = at == p ? j : at == j ? p : at;
            active = at > j && at < a.m;
            if (active && !zero)
                left = divided(left, divisor_of(pivot));
        }
        turn_row(row, left, active, NB - 1 - j, up);
    }
    UNROLLED
    for (i32 c = 0; c < NB; c++)
        if (own < a.m && c < a.n)
            A[at + c * a.lda] = row[c];
    if (own == 0 && (a.before == 0 || failed != before)) {
        *state = failed;
        *info = failed;
    }
}
