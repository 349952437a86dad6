/* phase_shares.h: what the launches that make a column of a reduction share: rows of thin matrices,
 * and sums that groups leave to the next launch.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has chunks of OWN rows. ALONG work-items stand along a chunk with DEEP rows each, and
 * SLICES of them share a row: slice s has columns s, s + SLICES ... of the thin matrices. Products
 * with KINDS thin matrices of NB columns are SHARES numbers of each group, that of kind i and
 * column q at KINDS q + i. The last column is none that a product is made with: its first place has
 * the squares. LOTS work-items share a product. All sums go through local memory, in an order that
 * the macros fix: lanes need not run together. Macros: ITEMS, OWN: powers of two; NB; KINDS; STEP:
 * 1, or -1 where places go backward.
 */
#include "safe_reflector.h"

#define ALONG   (ITEMS < OWN ? ITEMS : OWN)
#define DEEP    (OWN / ALONG)
#define SLICES  (ITEMS / ALONG)
#define EACH    ((NB + SLICES - 1) / SLICES) /* columns of a slice, at most */
#define SHARES  (KINDS * NB)
#define SQUARES (SHARES - KINDS) /* the place of the squares */
#define LOTS    (ITEMS > SHARES ? ITEMS / SHARES : 1)
#define PARTS   (ITEMS == 1 ? 8 : 1) /* sums side by side: one work-item has no others beside it */
#define AHEAD   8                    /* numbers of other groups that are loaded at once */

/* One work-item alone has loops over its rows; of many each has all its columns in flight. */
#if ITEMS > 1
#define EVERY UNROLLED
#else
#define EVERY ROLLED
#endif

/* Adds `count` sums over the group; all work-items get the totals. room has count ITEMS numbers.
 * All work-items must come. */
DEVICE void group_add(T *sums, const i32 count, LOCAL_PTR T *room)
{
    if (ITEMS == 1)
        return;
    BARRIER(); /* room may still be read */
    UNROLLED
    for (i32 k = 0; k < count; k++)
        room[k * ITEMS + ITEM_X] = sums[k];
    BARRIER();
    ROLLED
    for (i32 rest = ITEMS / 2; rest > 0; rest /= 2) {
        if (ITEM_X < rest) {
            UNROLLED
            for (i32 k = 0; k < count; k++)
                room[k * ITEMS + ITEM_X] =
                    T_add(room[k * ITEMS + ITEM_X], room[k * ITEMS + ITEM_X + rest]);
        }
        BARRIER();
    }
    UNROLLED
    for (i32 k = 0; k < count; k++)
        sums[k] = room[k * ITEMS];
}

/* This work-item's share of x^H y, of elements [from, to). */
DEVICE T dot_share(GLOBAL const T *x, GLOBAL const T *y, i64 from, i64 to)
{
    const i64 whole = from + (to - from) / PARTS * PARTS;
    T part[PARTS];
    UNROLLED
    for (i32 k = 0; k < PARTS; k++)
        part[k] = T_make(0, 0);
    ROLLED
    for (i64 t = from + ITEM_X * PARTS; t < whole; t += ITEMS * PARTS) {
        UNROLLED
        for (i32 k = 0; k < PARTS; k++)
            part[k] = T_fma(T_conj(x[STEP * (t + k)]), y[STEP * (t + k)], part[k]);
    }
    ROLLED
    for (i64 t = whole; PARTS > 1 && t < to; t++)
        part[0] = T_fma(T_conj(x[STEP * t]), y[STEP * t], part[0]);
    UNROLLED
    for (i32 k = 1; k < PARTS; k++)
        part[0] = T_add(part[0], part[k]);
    return part[0];
}

/* The sum of a row over the slices, whose numbers are so far apart. */
DEVICE T slices_sum(LOCAL_PTR const T *at, const i32 apart)
{
    T sum = at[0];
    UNROLLED
    for (i32 slice = 1; slice < SLICES; slice++)
        sum = T_add(sum, at[slice * apart]);
    return sum;
}

/* ---- Products of thin columns with a chunk ---- */

DEVICE void shares_clear(LOCAL_PTR T *sums)
{
    ROLLED
    for (i32 c = ITEM_X; c < SHARES * LOTS; c += ITEMS)
        sums[c] = T_make(0, 0);
    BARRIER();
}

/* A chunk's rows that count: [from, to) of OWN. */
typedef struct chunk_span {
    i32 from, to;
} chunk_span;

DEVICE chunk_span span_of(i64 first, i64 from, i64 to)
{
    chunk_span d;
    d.from = (i32)(first >= from ? 0 : from - first < OWN ? from - first : OWN);
    d.to = (i32)(first + OWN <= to ? OWN : to > first ? to - first : 0);
    return d;
}

/* This work-item's share of the product of a thin column with x: rows of a chunk. */
DEVICE T column_share(GLOBAL const T *at, LOCAL_PTR const T *x, chunk_span d, i32 lot)
{
    T part[PARTS];
    UNROLLED
    for (i32 k = 0; k < PARTS; k++)
        part[k] = T_make(0, 0);
    if (d.from == 0 && d.to == OWN) {
        EVERY
        for (i32 r = lot * PARTS; r < OWN; r += LOTS * PARTS) {
            UNROLLED
            for (i32 k = 0; k < PARTS; k++)
                part[k] = T_fma(T_conj(at[STEP * (r + k)]), x[r + k], part[k]);
        }
    } else {
        ROLLED
        for (i32 r = d.from + lot; r < d.to; r += LOTS)
            part[0] = T_fma(T_conj(at[STEP * r]), x[r], part[0]);
    }
    UNROLLED
    for (i32 k = 1; k < PARTS; k++)
        part[0] = T_add(part[0], part[k]);
    return part[0];
}

/* This work-item's share of the squares of a chunk's x, whose other rows are zeros. */
DEVICE T squares_share(LOCAL_PTR const T *x, i32 lot)
{
    T part[PARTS];
    UNROLLED
    for (i32 k = 0; k < PARTS; k++)
        part[k] = T_make(0, 0);
    ROLLED
    for (i32 r = lot * PARTS; r < OWN; r += LOTS * PARTS) {
        UNROLLED
        for (i32 k = 0; k < PARTS; k++)
            part[k] = T_fma(T_conj(x[r + k]), x[r + k], part[k]);
    }
    UNROLLED
    for (i32 k = 1; k < PARTS; k++)
        part[0] = T_add(part[0], part[k]);
    return part[0];
}

/* The group's shares, for the next launch. All work-items must come. */
DEVICE void shares_leave(LOCAL_PTR const T *sums, GLOBAL T *shares)
{
    BARRIER();
    ROLLED
    for (i32 c = ITEM_X; c < SHARES; c += ITEMS) {
        T sum = sums[c * LOTS];
        UNROLLED
        for (i32 lot = 1; lot < LOTS; lot++)
            sum = T_add(sum, sums[c * LOTS + lot]);
        shares[GROUP_X * SHARES + c] = sum;
    }
}

/* ---- What groups of the launch before have left ---- */

/* total: the sums of `count` products over their lots. All work-items must come. */
DEVICE void lots_add(LOCAL_PTR const T *room, i32 count, LOCAL_PTR T *total)
{
    BARRIER();
    ROLLED
    for (i32 c = ITEM_X; c < count; c += ITEMS) {
        T sum = room[c * LOTS];
        UNROLLED
        for (i32 l = 1; l < LOTS; l++)
            sum = T_add(sum, room[c * LOTS + l]);
        total[c] = sum;
    }
    BARRIER();
}

/* total: their shares of the first `count` places, in the same order in all groups. room has
 * SHARES LOTS numbers. All work-items must come. */
DEVICE void shares_take(GLOBAL const T *shares, i64 sharers, i32 count, LOCAL_PTR T *room,
                        LOCAL_PTR T *total)
{
    const i32 lot = ITEM_X % LOTS;
    BARRIER(); /* room may still be read */
    ROLLED
    for (i32 c = ITEM_X / LOTS; c < count; c += ITEMS / LOTS) {
        T sum = T_make(0, 0);
        ROLLED
        for (i64 first = lot; first < sharers; first += LOTS * AHEAD) {
            T part[AHEAD];
            UNROLLED
            for (i32 u = 0; u < AHEAD; u++) {
                part[u] = T_make(0, 0);
                if (first + u * LOTS < sharers)
                    part[u] = shares[(first + u * LOTS) * SHARES + c];
            }
            UNROLLED
            for (i32 u = 0; u < AHEAD; u++)
                sum = T_add(sum, part[u]);
        }
        room[c * LOTS + lot] = sum;
    }
    lots_add(room, count, total);
}

/* Whether products can be told from those of x; all work-items get the answer. flag: one number.
 * All work-items must come. */
DEVICE i32 products_safe(LOCAL_PTR const T *total, i32 count, LOCAL_PTR i32 *flag)
{
    if (ITEM_X == 0) {
        i32 safe = 1;
        ROLLED
        for (i32 c = 0; c < count; c++)
            safe = safe && T_size(total[c]) <= SAFE_TO;
        flag[0] = safe;
    }
    BARRIER();
    return flag[0];
}

/* The reflector of alpha and x = column [from, n), whose squares groups have left. Where they are
 * not safe every group walks over the column itself. All work-items must come. */
DEVICE reflector shared_reflector(GLOBAL const T *shares, i64 sharers, GLOBAL const T *column,
                                  i64 from, i64 n, T alpha, i32 *safe, LOCAL_PTR T *room,
                                  LOCAL_PTR sum_t *scratch, LOCAL_PTR reflector *known)
{
    T sums[1];
    sums[0] = T_make(0, 0);
    ROLLED
    for (i64 g = ITEM_X; g < sharers; g += ITEMS)
        sums[0] = T_add(sums[0], shares[g * SHARES + SQUARES]);
    group_add(sums, 1, room);
    const R squares = T_real(sums[0], 0);
    *safe = squares >= SAFE_FROM && squares <= SAFE_TO && T_size(alpha) <= ALPHA_TO;
    if (*safe)
        return reflector_safe(alpha, squares);
    sum_t norm = {{0}};
    ROLLED
    for (i64 t = from + ITEM_X; t < n; t += ITEMS) {
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++)
            norm = norm_add(norm, T_real(column[t], part));
    }
    norm = group_sum(norm, scratch);
    if (ITEM_X == 0)
        known[0] = reflector_of(alpha, norm);
    BARRIER();
    return known[0];
}
