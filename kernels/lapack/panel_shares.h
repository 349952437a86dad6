/* panel_shares.h: what panels of reductions share: sums over the groups of a cooperative launch,
 * their barrier, and the reflector of a column.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has OWN rows at a time; ITEMS / OWN work-items, its slices, share a row. Slice s has
 * columns s + k SLICES of KINDS thin matrices with NB columns: products with them are SHARES
 * numbers of each group, that of kind i and column q at KINDS q + i. The last column is none that
 * a product is made with: its first place has the squares of x, unless SQUARES is another. Macros:
 * ITEMS, NB, OWN, KINDS; SQUARES and AHEAD may be set.
 */
#include "safe_reflector.h"
#include "lanes.h"

#define LANES  WARP_SIZE
#define TEAMS  (ITEMS / LANES)
#define LANE   (ITEM_X % LANES)
#define TEAM   (ITEM_X / LANES)
#define SLICES (ITEMS / OWN)
#define EACH   (NB / SLICES) /* columns of a slice */
#define SHARES (KINDS * NB)
#ifndef SQUARES
#define SQUARES (SHARES - KINDS) /* the place of the squares */
#endif
#define DEALT (KINDS * EACH) /* of a slice */
#define ALIKE (LANES > DEALT ? LANES / DEALT : 1)
#define HELD  (DEALT > LANES ? DEALT / LANES : 1) /* of a lane, when they are dealt */
#define LOTS  (ITEMS / SHARES)
#ifndef AHEAD
#define AHEAD 8 /* numbers of other groups that are loaded at once */
#endif
/* Local memory for shares. */
#define SHARES_ROOM (TEAMS * DEALT > ITEMS ? TEAMS * DEALT : ITEMS)

/* Adds over lanes that run together: sums[k] of a lane becomes number lane HELD + k, or number
 * lane / ALIKE. */
DEVICE void lanes_deal(T *sums)
{
    UNROLLED
    for (i32 distance = LANES / 2; distance > 0; distance /= 2) {
        const i32 upper = (ITEM_X & distance) != 0, half = DEALT * distance / LANES;
        if (half == 0)
            sums[0] = T_add(sums[0], T_shuffle_xor(sums[0], distance));
        UNROLLED
        for (i32 k = 0; k < DEALT / 2; k++)
            if (k < half) {
                const T given = upper ? sums[k] : sums[k + half],
                        own = upper ? sums[k + half] : sums[k];
                sums[k] = T_add(own, T_shuffle_xor(given, distance));
            }
    }
}

/* The group's shares: sums[KINDS k + i] is that of kind i and column slice + k SLICES. All
 * work-items must come. */
DEVICE void leave_shares(GLOBAL T *shares, T *sums, LOCAL_PTR T *room)
{
    lanes_deal(sums);
    BARRIER(); /* room may still be read */
    if (LANE % ALIKE == 0) {
        UNROLLED
        for (i32 k = 0; k < HELD; k++)
            room[TEAM * DEALT + LANE / ALIKE * HELD + k] = sums[k];
    }
    BARRIER();
    if (ITEM_X < SHARES) {
        const i32 q = ITEM_X / KINDS, slice = q % SLICES, at = q / SLICES * KINDS + ITEM_X % KINDS;
        T sum = T_make(0, 0);
        UNROLLED
        for (i32 team = 0; team < OWN / LANES; team++)
            sum = T_add(sum, room[(slice * (OWN / LANES) + team) * DEALT + at]);
        shares[GROUP_X * SHARES + ITEM_X] = sum;
    }
}

/* total: the shares of so many groups, for p columns and the squares; other places are zeros. bad:
 * whether one of a team's is not safe. All work-items must come. */
DEVICE void take_shares(GLOBAL const T *shares, i32 sharers, i32 p, LOCAL_PTR T *room,
                        LOCAL_PTR T *total, LOCAL_PTR i32 *bad)
{
    const i32 place = ITEM_X % SHARES, lot = ITEM_X / SHARES;
    const i32 is_squares = place == SQUARES, counts = place < KINDS * p || is_squares;
    T sum = T_make(0, 0);
    ROLLED
    for (i32 first = lot; counts && first < sharers; first += LOTS * AHEAD) {
        T part[AHEAD];
        UNROLLED
        for (i32 u = 0; u < AHEAD; u++) {
            part[u] = T_make(0, 0);
            if (first + u * LOTS < sharers)
                part[u] = shares[(first + u * LOTS) * SHARES + place];
        }
        UNROLLED
        for (i32 u = 0; u < AHEAD; u++)
            sum = T_add(sum, part[u]);
    }
    BARRIER(); /* room may still be read */
    room[ITEM_X] = sum;
    BARRIER();
    if (ITEM_X < SHARES) {
        UNROLLED
        for (i32 l = 1; l < LOTS; l++)
            sum = T_add(sum, room[l * SHARES + ITEM_X]);
        total[ITEM_X] = sum;
        const i32 good = T_size(sum) <= SAFE_TO && (!is_squares || T_real(sum, 0) >= SAFE_FROM);
        const i32 any = WARP_ANY(counts && !good);
        if (LANE == 0)
            bad[TEAM] = any;
    }
    BARRIER();
}

/* Whether totals tell the norm of x and its products, and the square of alpha is safe too. */
DEVICE i32 are_safe(LOCAL_PTR const i32 *bad, T alpha)
{
    i32 safe = T_size(alpha) <= ALPHA_TO;
    UNROLLED
    for (i32 team = 0; team < SHARES / LANES; team++)
        safe = safe && !bad[team];
    return safe;
}

/* A barrier of all groups, in pieces: others do something while the first work-item waits. All
 * work-items must come. */
DEVICE void arrive(GLOBAL i32 *counter, i32 *passed)
{
    *passed += 1;
    BARRIER();
    if (ITEM_X == 0)
        ARRIVE(counter);
}

DEVICE void await(GLOBAL i32 *counter, i32 passed)
{
    if (ITEM_X == 0)
        AWAIT(counter, passed * (i32)GROUPS_X);
    BARRIER();
}
