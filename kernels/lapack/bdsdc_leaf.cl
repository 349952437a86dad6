/* bdsdc_leaf.cl: singular values and vectors of the leaves of divide and conquer
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A leaf of so many columns has a row less. Its last column is rotated away first, from the last
 * row up. Then QR iterations as of Golub and Kahan: a sweep rotates columns and rows in turn, with
 * the shift of the last two columns or, where that is small or the diagonal has a zero, without
 * one, as Demmel and Kahan have it: a sweep then takes the zero out. Where the end of a block is
 * larger than its beginning the sweep goes backward, which is one of the transpose: columns and
 * rows change their roles. The first work-item makes the rotations of a sweep; all apply them to
 * their rows of U and V, while it goes on with the next sweep.
 *
 * What is 8 u times the leaf's largest element or less is taken as zero: roundings of a sweep
 * leave some u there where values are equal. Values become positive at the end, in the order in
 * which they come. At most 30 sweeps per row: a leaf that needs more leaves its place in
 * `trouble`, as merges do, and what it has.
 *
 * Geometry: one group of ITEMS work-items per leaf. a.level: that of the leaves. Macros: ITEMS;
 * LEAF, the most columns of a leaf. Barriers: all work-items see the same sweeps and leave
 * together.
 */
#if !defined(ITEMS) || !defined(LEAF)
#error "bdsdc_leaf needs ITEMS and LEAF"
#endif
#include "bdsdc_divide_args.h"
#include "stedc.h"
#include "stedc_block.h"

#define SWEEPS_PER_ROW 30
#if PREC == 0
#define FAR_UP 0x1p100f
#else
#define FAR_UP 0x1p1000
#endif

/* Rotations of a sweep: cosines and sines of the columns, then of the rows. */
#define OF_ROWS (2 * LEAF)
#define A_SWEEP (4 * LEAF)

typedef struct rotation {
    R c, s, size;
} rotation;

/* The one that makes (size, 0) of (x, y). A size that has lost digits to underflow would make
 * columns that are not of length 1. */
DEVICE rotation rotation_of(R x, R y)
{
    const R factor = larger(fabs(x), fabs(y)) < SMALLEST / UNIT ? FAR_UP : (R)1;
    const R up = factor * x, over = factor * y, size = length_of(up, over);
    rotation r;
    r.size = size / factor;
    r.c = size > 0 ? up / size : 1;
    r.s = size > 0 ? over / size : 0;
    return r;
}

/* The first block with more than one row, from row b.low on; b.low is the last row where there is
 * none. Its direction stays while it is part of the block before. */
DEVICE block next_block(LOCAL_PTR const R *d, LOCAL_PTR const R *e, i32 rows, R least, block b)
{
    const i32 end = b.high, known = b.low < b.high;
    ROLLED
    while (b.low + 1 < rows && fabs(e[b.low]) <= least)
        b.low++;
    b.high = b.low;
    if (b.low + 1 >= rows)
        return b;
    b.high++;
    ROLLED
    while (b.high + 1 < rows && !(fabs(e[b.high]) <= least))
        b.high++;
    if (!known || b.high > end)
        b.backward = fabs(d[b.high]) > fabs(d[b.low]);
    return b;
}

/* The smaller singular value of a triangle of three elements. */
DEVICE R smaller_value(R f, R g, R h)
{
    const R most = length_of(fabs(f) + fabs(h), g) + length_of(fabs(f) - fabs(h), g);
    return most > 0 ? 2 * fabs(f) * (fabs(h) / most) : 0;
}

DEVICE void put_rotation(LOCAL_PTR R *set, i32 i, rotation columns, rotation rows)
{
    set[i] = columns.c;
    set[LEAF + i] = columns.s;
    set[OF_ROWS + i] = rows.c;
    set[OF_ROWS + LEAF + i] = rows.s;
}

/* Without a shift: each element is made of products alone. */
DEVICE void sweep_of_zero(LOCAL_PTR R *d, LOCAL_PTR R *e, block b, LOCAL_PTR R *set)
{
    const i32 last = b.high - b.low;
    rotation columns, rows;
    columns.c = rows.c = 1;
    columns.s = rows.s = 0;
    ROLLED
    for (i32 i = 0; i < last; i++) {
        columns = rotation_of(d[row_at(b, i)] * columns.c, e[beside_at(b, i)]);
        if (i > 0)
            e[beside_at(b, i - 1)] = rows.s * columns.size;
        rows = rotation_of(rows.c * columns.size, d[row_at(b, i + 1)] * columns.s);
        d[row_at(b, i)] = rows.size;
        put_rotation(set, i, columns, rows);
    }
    const R end = d[row_at(b, last)] * columns.c;
    d[row_at(b, last)] = end * rows.c;
    e[beside_at(b, last - 1)] = end * rows.s;
}

DEVICE void make_sweep(LOCAL_PTR R *d, LOCAL_PTR R *e, block b, R least, LOCAL_PTR R *set)
{
    const i32 last = b.high - b.low;
    i32 zero = 0;
    ROLLED
    for (i32 i = b.low; i <= b.high; i++)
        if (fabs(d[i]) <= least) {
            d[i] = 0;
            zero = 1;
        }
    const R first = d[row_at(b, 0)];
    const R shift =
        zero ? 0
             : smaller_value(d[row_at(b, last - 1)], e[beside_at(b, last - 1)], d[row_at(b, last)]);
    const R ratio = zero ? 0 : shift / first;
    if (ratio * ratio <= UNIT) {
        sweep_of_zero(d, e, b, set);
        return;
    }
    /* The first column of B^T B - shift^2, over |first|. */
    R x = (fabs(first) - shift) * (copysign((R)1, first) + ratio), y = e[beside_at(b, 0)];
    ROLLED
    for (i32 i = 0; i < last; i++) {
        const rotation columns = rotation_of(x, y);
        const R here = d[row_at(b, i)], beside = e[beside_at(b, i)], below = d[row_at(b, i + 1)];
        if (i > 0)
            e[beside_at(b, i - 1)] = columns.size;
        const R corner = columns.c * beside - columns.s * here, under = columns.c * below;
        const rotation rows = rotation_of(columns.c * here + columns.s * beside, columns.s * below);
        d[row_at(b, i)] = rows.size;
        x = rows.c * corner + rows.s * under;
        d[row_at(b, i + 1)] = rows.c * under - rows.s * corner;
        if (i + 1 < last) {
            const R after = e[beside_at(b, i + 1)];
            y = rows.s * after;
            e[beside_at(b, i + 1)] = rows.c * after;
        }
        put_rotation(set, i, columns, rows);
    }
    e[beside_at(b, last - 1)] = x;
}

/* Rows of V, then of U: a work-item's own. */
DEVICE void apply_sweep(LOCAL_PTR R *v, LOCAL_PTR R *u, i32 rows, block b, LOCAL_PTR const R *set)
{
    const i32 last = b.high - b.low;
    ROLLED /* from the last work-item on: the first is the latest */
        for (i32 row = ITEMS - 1 - ITEM_X; row < 2 * rows + 1; row += ITEMS)
    {
        const i32 right = row <= rows;
        LOCAL_PTR R *const z = right ? v + row : u + (row - rows - 1);
        LOCAL_PTR const R *const by = set + (right != b.backward ? 0 : OF_ROWS);
        R x = z[LEAF * row_at(b, 0)];
        ROLLED
        for (i32 i = 0; i < last; i++) {
            const R y = z[LEAF * row_at(b, i + 1)];
            z[LEAF * row_at(b, i)] = by[i] * x + by[LEAF + i] * y;
            x = by[i] * y - by[LEAF + i] * x;
        }
        z[LEAF * row_at(b, last)] = x;
    }
}

KERNEL(bdsdc_leaf, ITEMS, 1, 1)
(GLOBAL R *diagonal, GLOBAL const R *beside, GLOBAL R *U, GLOBAL R *V, GLOBAL i64 *trouble,
 stedc_args a)
{
    LOCAL R d[LEAF];
    LOCAL R e[LEAF];
    LOCAL R u[LEAF * LEAF];
    LOCAL R v[LEAF * LEAF];
    LOCAL R sets[2 * A_SWEEP];
    LOCAL block blocks[2];
    BEGIN();
    const i64 first = (GROUP_X * a.n) >> a.level, end = ((GROUP_X + 1) * a.n) >> a.level;
    const i32 columns = (i32)(end - first), rows = columns - 1;
    ROLLED
    for (i32 i = ITEM_X; i < rows; i += ITEMS) {
        d[i] = diagonal[first + i];
        e[i] = beside[first + i];
    }
    ROLLED
    for (i32 i = ITEM_X; i < LEAF * columns; i += ITEMS)
        u[i] = v[i] = i % LEAF == i / LEAF ? 1 : 0;
    BARRIER();
    R least = 0;
    if (ITEM_X == 0) {
        R beyond = e[rows - 1]; /* the element of the last column */
        ROLLED
        for (i32 i = rows - 1; i >= 0; i--) {
            const rotation r = rotation_of(d[i], beyond);
            d[i] = r.size;
            sets[i] = r.c;
            sets[LEAF + i] = r.s;
            if (i > 0) {
                beyond = -r.s * e[i - 1];
                e[i - 1] *= r.c;
            }
        }
        e[rows - 1] = 0;
        ROLLED
        for (i32 i = 0; i < rows; i++)
            least = larger(least, larger(fabs(d[i]), fabs(e[i])));
        least = 8 * UNIT * least + SMALLEST;
    }
    BARRIER();
    ROLLED
    for (i32 row = ITEM_X; row < columns; row += ITEMS) {
        R x = v[row + LEAF * rows];
        ROLLED
        for (i32 i = rows - 1; i >= 0; i--) {
            const R y = v[row + LEAF * i];
            v[row + LEAF * i] = sets[i] * y + sets[LEAF + i] * x;
            x = sets[i] * x - sets[LEAF + i] * y;
        }
        v[row + LEAF * rows] = x;
    }
    BARRIER(); /* the first set is written anew */
    block b;
    b.low = b.high = b.backward = 0;
    i32 failed = 1;
    ROLLED
    for (i32 sweep = 0; sweep <= SWEEPS_PER_ROW * LEAF; sweep++) {
        LOCAL_PTR R *const set = sets + sweep % 2 * A_SWEEP;
        if (ITEM_X == 0) {
            b = next_block(d, e, rows, least, b);
            blocks[sweep % 2] = b;
            if (b.low < b.high)
                make_sweep(d, e, b, least, set);
        }
        BARRIER();
        const block now = blocks[sweep % 2];
        if (now.low == now.high) {
            failed = 0;
            break;
        }
        apply_sweep(v, u, rows, now, set);
    }
    BARRIER();
    ROLLED
    for (i32 i = ITEM_X; i < rows; i += ITEMS)
        diagonal[first + i] = fabs(d[i]);
    ROLLED
    for (i32 i = ITEM_X; i < columns * columns; i += ITEMS) {
        const i32 row = i % columns, column = i / columns;
        const i64 to = first + row + (first + column) * a.ldq;
        const R element = v[row + LEAF * column];
        V[to] = column < rows && d[column] < 0 ? -element : element;
        U[to] = u[row + LEAF * column];
    }
    if (ITEM_X == 0 && failed)
        trouble[first] = (first + 1) * (a.n + 1) + end;
}
