/* sparse_coo.cl: Y := alpha A X + Y, A as single entries sorted by rows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: ITEMS work-items per group; group (g, k) has share g of the entries (sparse_coo.h) and
 * column k. Each has PER entries of them that follow one another, a.share = ITEMS * PER. Entries
 * are loaded as they lie in memory; products and rows go through local memory. A row that ends
 * within a work-item's entries, and began there, is finished there; what is left open at a
 * work-item's end goes on to the next ones: a scan over the group. ITEMS 1, for CPUs: a.share is
 * any, and nothing goes through local memory. All work-items reach the barriers.
 */
#ifndef CONJ
#define CONJ 0
#endif
#include "sparse_coo.h"

#if !defined(ITEMS) || (ITEMS > 1 && !defined(PER))
#error "sparse_coo needs ITEMS and PER"
#endif

/* A sum that is open at the end of entries, and whether its row began among them. */
typedef struct coo_open {
    T sum;
    i32 began;
} coo_open;

typedef struct coo_data {
    GLOBAL const sparse_index *row;
    GLOBAL const sparse_index *column;
    GLOBAL const T *value;
    GLOBAL const T *x;
    GLOBAL T *y;
    GLOBAL T *parts; /* of this group */
    T alpha;
    i64 begin; /* of the group's entries */
#if ITEMS > 1
    LOCAL_PTR T *product;
    LOCAL_PTR sparse_index *
        /* the first is of the entry before the group's, the last of the one behind them; or -1 */
        rows;
#else
    i64 entries; /* of the matrix */
#endif
} coo_data;

/* Of entry i of the group; -1 and one past the last are legal for rows. */
DEVICE sparse_index coo_row(coo_data d, i64 i)
{
#if ITEMS > 1
    return d.rows[i + 1];
#else
    return d.begin + i < 0 || d.begin + i >= d.entries ? -1 : d.row[d.begin + i];
#endif
}

DEVICE T coo_entry(coo_data d, i64 i)
{
#if ITEMS > 1
    return d.product[i];
#else
    const T v = d.value[d.begin + i];
    return T_mul(CONJ ? T_conj(v) : v, d.x[d.column[d.begin + i]]);
#endif
}

DEVICE void coo_add(coo_data d, sparse_index row, T sum)
{
    d.y[row] = T_fma(d.alpha, sum, d.y[row]);
}

/* Entries [from, to). A row that began before them and ends among them leaves its sum in *head, and
 * *ended is 1. */
DEVICE coo_open coo_walk(coo_data d, i64 from, i64 to, T *head, i32 *ended)
{
    coo_open open;
    sparse_index row = coo_row(d, from);
    open.sum = T_make(0, 0);
    open.began = from < to && row != coo_row(d, from - 1);
    *head = T_make(0, 0);
    *ended = 0;
    ROLLED
    for (i64 i = from; i < to; i++) {
        const sparse_index next = coo_row(d, i + 1);
        open.sum = T_add(coo_entry(d, i), open.sum);
        if (next != row) {
            if (open.began) {
                coo_add(d, row, open.sum);
            } else {
                *head = open.sum;
                *ended = 1;
            }
            open.sum = T_make(0, 0);
            open.began = 1;
            row = next;
        }
    }
    return open;
}

#if ITEMS > 1
/* What is open behind two runs of entries. */
DEVICE coo_open coo_join(coo_open before, coo_open after)
{
    if (!after.began) {
        after.sum = T_add(before.sum, after.sum);
        after.began = before.began;
    }
    return after;
}

/* Loads the group's entries, all of a work-item's before the first is used. */
DEVICE void coo_load(coo_data d, sparse_coo_args a, i64 count)
{
    sparse_index r[PER], c[PER];
    T v[PER], xs[PER];
    UNROLLED
    for (i32 u = 0; u < PER; u++) {
        const i32 i = ITEM_X + u * ITEMS;
        r[u] = c[u] = 0;
        v[u] = xs[u] = T_make(0, 0);
        if (i < count) {
            r[u] = d.row[d.begin + i];
            c[u] = d.column[d.begin + i];
            v[u] = d.value[d.begin + i];
        }
    }
    UNROLLED
    for (i32 u = 0; u < PER; u++)
        if (ITEM_X + u * ITEMS < count)
            xs[u] = d.x[c[u]];
    UNROLLED
    for (i32 u = 0; u < PER; u++) {
        const i32 i = ITEM_X + u * ITEMS;
        if (i < count) {
            d.product[i] = T_mul(CONJ ? T_conj(v[u]) : v[u], xs[u]);
            d.rows[i + 1] = r[u];
        }
    }
    if (ITEM_X == 0) {
        d.rows[0] = d.begin > 0 ? d.row[d.begin - 1] : -1;
        d.rows[count + 1] = d.begin + count < a.entries ? d.row[d.begin + count] : -1;
    }
}

/* The group's part. All work-items must come. */
DEVICE void coo_group(coo_data d, sparse_coo_args a, i64 count, LOCAL_PTR coo_open *scan)
{
    coo_load(d, a, count);
    BARRIER();
    const i64 from = ITEM_X * PER < count ? ITEM_X * PER : count;
    const i64 to = from + PER < count ? from + PER : count;
    T head;
    i32 ended;
    scan[ITEM_X] = coo_walk(d, from, to, &head, &ended);
    BARRIER();
    ROLLED
    for (i32 apart = 1; apart < ITEMS; apart *= 2) {
        coo_open mine = scan[ITEM_X];
        if (ITEM_X >= apart)
            mine = coo_join(scan[ITEM_X - apart], mine);
        BARRIER();
        scan[ITEM_X] = mine;
        BARRIER();
    }
    if (ended) {
        coo_open before;
        before.sum = T_make(0, 0);
        before.began = 0;
        if (ITEM_X > 0)
            before = scan[ITEM_X - 1];
        if (before.began)
            coo_add(d, coo_row(d, from), T_add(before.sum, head));
        else
            d.parts[0] = T_add(before.sum, head);
    }
    if (ITEM_X == ITEMS - 1)
        d.parts[1] = scan[ITEM_X].sum;
}
#endif

KERNEL(sparse_coo, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const sparse_index *RESTRICT row,
 GLOBAL const sparse_index *RESTRICT column, GLOBAL const T *RESTRICT value,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, GLOBAL T *RESTRICT parts, sparse_coo_args a)
{
#if ITEMS > 1
    LOCAL T product[ITEMS * PER];
    LOCAL sparse_index rows[ITEMS * PER + 2];
    LOCAL coo_open scan[ITEMS];
#endif
    BEGIN();
    coo_data d;
    d.row = row;
    d.column = column;
    d.value = value;
    d.x = x + GROUP_Y * a.ldx;
    d.y = y + GROUP_Y * a.ldy;
    d.parts = coo_parts(parts, a, GROUP_Y, GROUP_X);
    d.alpha = alpha_of(alpha_at, a.scalars);
    d.begin = coo_begin(a, GROUP_X);
    if (T_is_zero(d.alpha))
        return;
    const i64 count = coo_end(a, GROUP_X) - d.begin;
#if ITEMS > 1
    d.product = product;
    d.rows = rows;
    coo_group(d, a, count, scan);
#else
    d.entries = a.entries;
    T head;
    i32 ended;
    const coo_open open = coo_walk(d, 0, count, &head, &ended);
    if (ended)
        d.parts[0] = head;
    d.parts[1] = open.sum;
#endif
}
