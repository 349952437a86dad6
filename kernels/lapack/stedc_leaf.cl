/* stedc_leaf.cl: eigenvalues and eigenvectors of the leaves of divide and conquer
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Implicit QL, or QR where the end of a block is smaller than its beginning, as LAPACK's steqr
 * chooses. The first work-item makes the rotations of a sweep; all apply them to their rows of the
 * vectors, while it goes on with the next sweep. Eigenvalues are left in the order in which they
 * come. At most 30 sweeps per row: a leaf that needs more leaves its place in `trouble`, as info of
 * stedc tells it, and what it has.
 *
 * Geometry: one group of ITEMS work-items per leaf. a.level: that of the leaves. Macros: ITEMS;
 * LEAF, the most rows of a leaf. Barriers: all work-items see the same sweeps and leave together.
 */
#if !defined(ITEMS) || !defined(LEAF)
#error "stedc_leaf needs ITEMS and LEAF"
#endif
#include "stedc.h"
#include "stedc_block.h"

#define SWEEPS_PER_ROW 30

/* Whether e_i is nothing beside its neighbours on the diagonal; then it becomes 0. */
DEVICE i32 splits(LOCAL_PTR const R *d, LOCAL_PTR R *e, i32 i)
{
    if (!(e[i] * e[i] <= UNIT * fabs(d[i]) * (UNIT * fabs(d[i + 1])) + SMALLEST))
        return 0;
    e[i] = 0;
    return 1;
}

/* The first block with more than one row, from row b.low on; b.low is the last row where there is
 * none. Its direction stays while it is part of the block before. */
DEVICE block next_block(LOCAL_PTR const R *d, LOCAL_PTR R *e, i32 rows, block b)
{
    const i32 end = b.high, known = b.low < b.high;
    ROLLED
    while (b.low + 1 < rows && splits(d, e, b.low))
        b.low++;
    b.high = b.low;
    if (b.low + 1 >= rows)
        return b;
    b.high++;
    ROLLED
    while (b.high + 1 < rows && !splits(d, e, b.high))
        b.high++;
    if (!known || b.high > end)
        b.backward = fabs(d[b.high]) < fabs(d[b.low]);
    return b;
}

/* The rotations of a sweep: that of place i turns columns i and i + 1. */
DEVICE void make_sweep(LOCAL_PTR R *d, LOCAL_PTR R *e, block b, LOCAL_PTR R *cosines,
                       LOCAL_PTR R *sines)
{
    const i32 last = b.high - b.low;
    const R first = d[row_at(b, 0)], e_first = e[beside_at(b, 0)];
    R g = (d[row_at(b, 1)] - first) / (2 * e_first);
    g = d[row_at(b, last)] - first + e_first / (g + copysign(length_of(g, 1), g));
    R s = 1, c = 1, p = 0;
    ROLLED
    for (i32 i = last - 1; i >= 0; i--) {
        const R beside = e[beside_at(b, i)], f = s * beside, h = c * beside;
        const R size = length_of(g, f);
        c = size > 0 ? g / size : 1;
        s = size > 0 ? f / size : 0;
        if (i + 1 < last)
            e[beside_at(b, i + 1)] = size;
        g = d[row_at(b, i + 1)] - p;
        const R r = (d[row_at(b, i)] - g) * s + 2 * c * h;
        p = s * r;
        d[row_at(b, i + 1)] = g + p;
        g = c * r - h;
        cosines[i] = c;
        sines[i] = s;
    }
    d[row_at(b, 0)] -= p;
    e[beside_at(b, 0)] = g;
}

DEVICE void apply_sweep(LOCAL_PTR R *z, i32 rows, block b, LOCAL_PTR const R *cosines,
                        LOCAL_PTR const R *sines)
{
    const i32 last = b.high - b.low;
    ROLLED /* from the last work-item on: the first is the latest */
        for (i32 row = ITEMS - 1 - ITEM_X; row < rows; row += ITEMS)
    {
        R y = z[row + LEAF * row_at(b, last)];
        ROLLED
        for (i32 i = last - 1; i >= 0; i--) {
            const R x = z[row + LEAF * row_at(b, i)];
            z[row + LEAF * row_at(b, i + 1)] = sines[i] * x + cosines[i] * y;
            y = cosines[i] * x - sines[i] * y;
        }
        z[row + LEAF * row_at(b, 0)] = y;
    }
}

KERNEL(stedc_leaf, ITEMS, 1, 1)
(GLOBAL R *diagonal, GLOBAL const R *beside, GLOBAL R *Q, GLOBAL i64 *trouble, stedc_args a)
{
    LOCAL R d[LEAF];
    LOCAL R e[LEAF];
    LOCAL R z[LEAF * LEAF];
    LOCAL R cosines[2 * LEAF];
    LOCAL R sines[2 * LEAF];
    LOCAL block blocks[2];
    BEGIN();
    const i64 first = (GROUP_X * a.n) >> a.level, end = ((GROUP_X + 1) * a.n) >> a.level;
    const i32 rows = (i32)(end - first);
    ROLLED
    for (i32 i = ITEM_X; i < rows; i += ITEMS) {
        d[i] = diagonal[first + i];
        e[i] = i + 1 < rows ? beside[first + i] : 0;
    }
    ROLLED
    for (i32 i = ITEM_X; i < LEAF * rows; i += ITEMS)
        z[i] = i % LEAF == i / LEAF ? 1 : 0;
    BARRIER();
    block b;
    b.low = b.high = b.backward = 0;
    i32 failed = 1;
    ROLLED
    for (i32 sweep = 0; sweep <= SWEEPS_PER_ROW * LEAF; sweep++) {
        const i32 set = sweep % 2 * LEAF;
        if (ITEM_X == 0) {
            b = next_block(d, e, rows, b);
            blocks[sweep % 2] = b;
            if (b.low < b.high)
                make_sweep(d, e, b, cosines + set, sines + set);
        }
        BARRIER();
        const block now = blocks[sweep % 2];
        if (now.low == now.high) {
            failed = 0;
            break;
        }
        apply_sweep(z, rows, now, cosines + set, sines + set);
    }
    BARRIER();
    ROLLED
    for (i32 i = ITEM_X; i < rows; i += ITEMS)
        diagonal[first + i] = d[i];
    ROLLED
    for (i32 i = ITEM_X; i < rows * rows; i += ITEMS)
        Q[first + i % rows + (first + i / rows) * a.ldq] = z[i % rows + LEAF * (i / rows)];
    if (ITEM_X == 0 && failed)
        trouble[first] = (first + 1) * (a.n + 1) + end;
}
