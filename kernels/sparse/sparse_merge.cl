/* sparse_merge.cl: Y := alpha A X + beta Y, A in compressed rows, which may have any length: every
 * work-item takes as many steps as the next.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The entries of all rows, with a step more at the end of each row, are one path of rows + entries
 * steps (merge-based CSR). Group (g, pass) has ITEMS * PER of them that follow one another, and
 * COLUMNS of X. It looks up how many rows end before its first and behind its last step: the end of
 * row i is step start[i + 1] + i. It loads entries as they lie in memory and leaves the products in
 * local memory. A work-item has PER steps: it adds products, and stores a sum where a row ends.
 * What is open at its end goes to the work-items behind it. Of rows that do not lie in one group
 * sparse_merge_finish.cl adds the parts: each group leaves its tail, which is open at its end, with
 * its row, or -1 if there is none; and its head, which ends the row that it begins with. All
 * work-items reach the barriers.
 */
#include "lanes.h"
#include "scalars.h"
#include "sparse_index.h"
#include "sparse_merge_args.h"

#if !defined(ITEMS) || !defined(PER) || !defined(COLUMNS)
#error "sparse_merge needs ITEMS, PER and COLUMNS"
#endif
#ifndef CONJ
#define CONJ 0
#endif
#define STEPS   (ITEMS * PER)
#define FINDERS (ITEMS / 2) /* work-items that look for one step */
#define NEVER   0x7fffffff

/* A sum that is open behind some steps, and whether its row began among them. */
typedef struct merge_open {
    T sum;
    i32 began;
} merge_open;

DEVICE merge_open merge_join(merge_open before, merge_open after)
{
    if (!after.began) {
        after.sum = T_add(before.sum, after.sum);
        after.began = before.began;
    }
    return after;
}

/* Whether at least i rows end before a step; i is at least 1. */
DEVICE i32 merge_ended(GLOBAL const sparse_index *start, i64 rows, i64 i, i64 step)
{
    return i <= rows && start[i] + i - 1 < step;
}

/* Rows that end before the steps `first` and `last`, in found[0] and found[1] of the slot that is
 * returned. Half of the group looks for each: all of its work-items at one place, so that few loads
 * wait for each other. All work-items must come. */
DEVICE i32 merge_find(GLOBAL const sparse_index *start, i64 rows, i64 first, i64 last,
                      LOCAL_PTR i64 *found)
{
    const i32 which = ITEM_X >= FINDERS, mine = ITEM_X - which * FINDERS;
    const i64 step = which ? last : first;
    i64 low = 0, left = rows; /* the number is low to low + left */
    i32 slot = 0;
    ROLLED
    for (;;) {
        const i64 width = left / FINDERS + 1, from = low + mine * width;
        if ((mine == 0 || merge_ended(start, rows, from, step)) &&
            !(mine + 1 < FINDERS && merge_ended(start, rows, from + width, step)))
            found[slot + which] = from;
        BARRIER();
        if (width == 1)
            return slot;
        low = found[slot + which];
        left = width - 1;
        slot = 2 - slot; /* the other one may still be read */
    }
}

/* Rows among the group's that end before a step of it. */
DEVICE i32 merge_place(LOCAL_PTR const i32 *ends, i32 rows, i32 step)
{
    i32 low = 0, high = rows;
    ROLLED
    while (low < high) {
        const i32 middle = (low + high) / 2;
        if (ends[middle] + middle < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#if WARP_SIZE > 1
DEVICE merge_open merge_of_lane(merge_open mine, i32 lane)
{
    merge_open other;
    other.sum = T_shuffle(mine.sum, lane);
    other.began = SHUFFLE(mine.began, lane);
    return other;
}
#endif

/* What is open before a work-item's steps, from what each one leaves open; *all becomes what is
 * open behind them. All work-items must come. */
DEVICE merge_open merge_scan(merge_open mine, LOCAL_PTR merge_open *scan, merge_open *all)
{
    merge_open before;
    before.sum = T_make(0, 0);
    before.began = 0;
#if WARP_SIZE > 1
    const i32 lane = ITEM_X % WARP_SIZE, team = ITEM_X / WARP_SIZE;
    UNROLLED
    for (i32 apart = 1; apart < WARP_SIZE; apart *= 2) {
        const merge_open other = merge_of_lane(mine, lane >= apart ? lane - apart : lane);
        if (lane >= apart)
            mine = merge_join(other, mine);
    }
    if (lane == WARP_SIZE - 1)
        scan[team] = mine;
    BARRIER();
    ROLLED
    for (i32 t = 0; t < team; t++)
        before = merge_join(before, scan[t]);
    *all = merge_join(before, mine);
    const merge_open other = merge_of_lane(mine, lane > 0 ? lane - 1 : lane);
    return lane > 0 ? merge_join(before, other) : before;
#else
    ROLLED
    for (i32 apart = 1; apart < ITEMS; apart *= 2) {
        scan[ITEM_X] = mine;
        BARRIER();
        if (ITEM_X >= apart)
            mine = merge_join(scan[ITEM_X - apart], mine);
        BARRIER();
    }
    scan[ITEM_X] = mine;
    BARRIER();
    *all = mine;
    return ITEM_X > 0 ? scan[ITEM_X - 1] : before;
#endif
}

KERNEL(sparse_merge, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y,
 GLOBAL T *RESTRICT heads, GLOBAL T *RESTRICT tails, GLOBAL i64 *RESTRICT tail_rows,
 sparse_merge_args a)
{
    LOCAL T product[STEPS];
    LOCAL i32 ends[STEPS + 1]; /* of rows, counted in the group's entries */
    LOCAL merge_open scan[ITEMS];
    LOCAL i64 found[4];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    const i64 all = a.rows + a.entries, first = GROUP_X * STEPS;
    const i64 last = first + STEPS < all ? first + STEPS : all;
    const i32 slot = merge_find(start, a.rows, first, last, found);
    const i64 row = found[slot], next = found[slot + 1], entry = first - row;
    const i32 rows = (i32)(next - row), entries = (i32)(last - next - entry);
    const i32 counts = !T_is_zero(alpha);
    /* Entries of the first row before the group's; of the group's in the row behind its last. */
    const i32 begins_before = rows > 0 && start[row] < entry;
    const i32 goes_on = next < a.rows && entries > 0 && start[next] < entry + entries;
    ROLLED
    for (i32 i = ITEM_X; i < rows; i += ITEMS)
        ends[i] = (i32)(start[row + i + 1] - entry);
    if (ITEM_X == 0)
        ends[rows] = NEVER;
    sparse_index c[PER];
    T v[PER];
    UNROLLED
    for (i32 u = 0; u < PER; u++) {
        const i32 e = u * ITEMS + ITEM_X;
        c[u] = -1;
        v[u] = T_make(0, 0);
        if (counts && e < entries) {
            c[u] = column[entry + e];
            v[u] = value[entry + e];
        }
    }
    BARRIER();
    const i32 step = ITEM_X * PER, steps = (i32)(last - first);
    const i32 place = merge_place(ends, rows, step < steps ? step : steps);
    const i64 skipped = GROUP_Y * COLUMNS;
    const i32 columns = a.columns - skipped < COLUMNS ? (i32)(a.columns - skipped) : COLUMNS;
    ROLLED
    for (i32 k = 0; k < columns; k++) {
        GLOBAL const T *const xk = x + (skipped + k) * a.ldx;
        GLOBAL T *const yk = y + (skipped + k) * a.ldy;
        T xs[PER];
        UNROLLED
        for (i32 u = 0; u < PER; u++) {
            xs[u] = T_make(0, 0);
            if (c[u] >= 0)
                xs[u] = xk[c[u]];
        }
        UNROLLED
        for (i32 u = 0; u < PER; u++)
            product[u * ITEMS + ITEM_X] = T_mul(CONJ ? T_conj(v[u]) : v[u], xs[u]);
        BARRIER();
        merge_open open;
        open.sum = T_make(0, 0);
        open.began = 0;
        T head = T_make(0, 0);
        i32 i = place, e = step - place;
        UNROLLED
        for (i32 u = 0; u < PER; u++)
            if (step + u < steps) {
                if (e < ends[i]) {
                    open.sum = T_add(open.sum, product[e]);
                    e++;
                } else {
                    if (open.began)
                        scaled_store(yk + row + i, alpha, open.sum, beta);
                    else
                        head = open.sum;
                    open.sum = T_make(0, 0);
                    open.began = 1;
                    i++;
                }
            }
        const i32 ended = open.began;
        const i64 part = (skipped + k) * a.shares + GROUP_X;
        merge_open tail;
        const merge_open before = merge_scan(open, scan, &tail);
        if (ended && place == 0 && begins_before)
            heads[part] = T_add(before.sum, head);
        else if (ended)
            scaled_store(yk + row + place, alpha, T_add(before.sum, head), beta);
        if (ITEM_X == ITEMS - 1) {
            tails[part] = tail.sum;
            if (skipped + k == 0)
                tail_rows[GROUP_X] = goes_on ? next : -1;
        }
    }
}
