/* panel_shares.h: what panels of reductions share: sums over the groups of a cooperative launch,
 * their barrier, and the reflector of a column.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has OWN rows at a time; ITEMS / OWN work-items, its slices, share a row. Slice s has
 * columns s + k SLICES of KINDS thin matrices with NB columns: products with them are SHARES
 * numbers of each group, that of kind i and column q at KINDS q + i. The last column is none that
 * a product is made with: its first place has the squares of x, unless SQUARES is another. Macros:
 * ITEMS, NB, OWN, KINDS; SQUARES, AHEAD and TAKEN may be set.
 */
#include "safe_reflector.h"
#include "cooperative.h"
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
#ifndef TAKEN
#define TAKEN AHEAD /* the same of shares, where groups are many */
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

/* The group's shares: sums[KINDS k + i] is that of kind i and column slice + k SLICES. Nobody reads
 * room any more. All work-items must come. */
DEVICE void leave_shares(GLOBAL T *shares, T *sums, LOCAL_PTR T *room)
{
    GLOBAL T *const to = shares + GROUP_X * SHARES;
    lanes_deal(sums);
#if OWN == WARP_SIZE /* a slice is a team */
    (void)room;
    if (LANE % ALIKE == 0) {
        UNROLLED
        for (i32 k = 0; k < HELD; k++) {
            const i32 at = LANE / ALIKE * HELD + k;
            to[KINDS * (TEAM + at / KINDS * SLICES) + at % KINDS] = sums[k];
        }
    }
#else
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
        to[ITEM_X] = sum;
    }
#endif
}

/* Adds number `place` of `count` groups, from `first` on, to a sum. */
DEVICE T shares_some(GLOBAL const T *shares, i32 sharers, i32 first, i32 place, const i32 count,
                     T sum)
{
    T part[AHEAD > TAKEN ? AHEAD : TAKEN];
    UNROLLED
    for (i32 u = 0; u < count; u++) {
        part[u] = T_make(0, 0);
        if (first + u * LOTS < sharers)
            part[u] = shares[(first + u * LOTS) * SHARES + place];
    }
    UNROLLED
    for (i32 u = 0; u < count; u++)
        sum = T_add(sum, part[u]);
    return sum;
}

/* Whether a place has a product with one of p columns, or the squares. */
DEVICE i32 share_counts(i32 p)
{
    const i32 place = ITEM_X % SHARES;
    return place < KINDS * p || place == SQUARES;
}

/* What this work-item adds of the shares of so many groups, for p columns and the squares. */
DEVICE T shares_part(GLOBAL const T *shares, i32 sharers, i32 p)
{
    const i32 place = ITEM_X % SHARES, lot = ITEM_X / SHARES;
    T sum = T_make(0, 0);
    if (!share_counts(p))
        return sum;
    if (TAKEN > AHEAD && sharers <= LOTS * AHEAD)
        return shares_some(shares, sharers, lot, place, AHEAD, sum);
    ROLLED
    for (i32 first = lot; first < sharers; first += LOTS * TAKEN)
        sum = shares_some(shares, sharers, first, place, TAKEN, sum);
    return sum;
}

/* total: the sums of shares_part; places that do not count are zeros. bad: whether one of a team's
 * is not safe. Nobody reads room any more. All work-items must come. */
DEVICE void shares_total(T sum, i32 p, LOCAL_PTR T *room, LOCAL_PTR T *total, LOCAL_PTR i32 *bad)
{
    room[ITEM_X] = sum;
    BARRIER();
    if (ITEM_X < SHARES) {
        UNROLLED
        for (i32 l = 1; l < LOTS; l++)
            sum = T_add(sum, room[l * SHARES + ITEM_X]);
        total[ITEM_X] = sum;
        const i32 good =
            T_size(sum) <= SAFE_TO && (ITEM_X != SQUARES || T_real(sum, 0) >= SAFE_FROM);
        const i32 any = WARP_ANY(share_counts(p) && !good);
        if (LANE == 0)
            bad[TEAM] = any;
    }
    BARRIER();
}

/* Both one behind the other, where room may still be read. All work-items must come. */
DEVICE void take_shares(GLOBAL const T *shares, i32 sharers, i32 p, LOCAL_PTR T *room,
                        LOCAL_PTR T *total, LOCAL_PTR i32 *bad)
{
    const T sum = shares_part(shares, sharers, p);
    BARRIER();
    shares_total(sum, p, room, total, bad);
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
