/* gebrd_bulk.h: the sweep of gebrd_sweep.h with tiles that are copied as whole columns.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by gebrd_panel.cl. A ring in local memory has STAGES tiles of COLUMNS columns. A column
 * from row p to m comes by one bulk copy, but for the elements at both ends that do not fill 16
 * bytes: some work-items copy those. An mbarrier of each stage tells that all is there. Work-items
 * read a tile twice: for the sums with v, and for w. v and w are in registers.
 *
 * Nothing is asked of rows that are not copied, and of columns behind the last: v is 0 there, or
 * the column's factor. So what stands there must be a number. The ring is set to zeros at first,
 * and later has what was copied before. Macros: EARLY: tiles of the next column of the panel that
 * are copied while groups still meet, at most STAGES.
 */
#include "bulk.cuh"

#define AT_ENDS  (2 * (VEC - 1)) /* elements of a column that no bulk copy has, at most */
#define ARRIVALS (COLUMNS + COLUMNS * AT_ENDS)

/* What is loaded and stored at once. */
typedef struct ALIGNED(16) vector {
    T v[VEC];
} vector;

typedef struct bulk_ring {
    LOCAL_PTR T *tiles;
    PLACE marks; /* mbarriers of the stages, 8 bytes each, behind the tiles */
    i32 stage;   /* of the next tile */
    u32 parity;  /* of the phase that it completes */
} bulk_ring;

/* All work-items must come. */
DEVICE bulk_ring ring_ready(LOCAL_PTR T *tiles)
{
    bulk_ring ring;
    ring.tiles = tiles;
    ring.marks = PLACE_OF(tiles + STAGES * TILE);
    ring.stage = 0;
    ring.parity = 0;
    vector zeros;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        zeros.v[k] = T_make(0, 0);
    ROLLED
    for (i32 i = ITEM_X * VEC; i < STAGES * TILE; i += ITEMS * VEC)
        *(LOCAL_PTR vector *)(tiles + i) = zeros;
    if (ITEM_X == 0) {
        UNROLLED
        for (i32 k = 0; k < STAGES; k++)
            MBARRIER_INIT(ring.marks + 8 * k, ARRIVALS);
        MBARRIERS_READY();
    }
    STORES_READY();
    BARRIER();
    return ring;
}

DEVICE void ring_step(bulk_ring *ring)
{
    ring->stage = ring->stage + 1 < STAGES ? ring->stage + 1 : 0;
    ring->parity ^= ring->stage == 0;
}

/* Starts the copies of tile i to a stage that nobody reads; nothing where there is no tile. */
DEVICE void bulk_ahead(panel s, span d, i32 p, i32 tiles, i32 i, bulk_ring ring, i32 stage)
{
    if (i >= tiles)
        return;
    LOCAL_PTR T *const at = ring.tiles + stage * TILE;
    const PLACE mark = ring.marks + 8 * stage;
    const i32 column = tile_column(d, p, tiles, i), m = s.rows[0];
    const i32 from = (p + VEC - 1) / VEC * VEC, to = m / VEC * VEC;
    if (ITEM_X < COLUMNS) {
        const i32 j = column + ITEM_X, rows = j < d.to && from < to ? to - from : 0;
        const i32 bytes = rows * (i32)sizeof(T);
        MBARRIER_EXPECT(mark, bytes);
        if (bytes > 0)
            BULK_LOAD(PLACE_OF(at + ITEM_X * ROWS + from), s.A + from + j * s.a.lda, bytes, mark);
    }
#if VEC > 1
    const i32 k = ITEM_X - (ITEMS - COLUMNS * AT_ENDS);
    if (k >= 0) {
        const i32 c = k / AT_ENDS, place = k % AT_ENDS, j = column + c;
        const i32 first = place<VEC - 1, low = not_above(from, m), high = to> from ? to : from;
        const i32 row = first ? p + place : high + place - (VEC - 1);
        if (j < d.to && row < (first ? low : m))
            COPY_ELEMENT(PLACE_OF(at + c * ROWS + row), s.A + row + j * s.a.lda, (i32)sizeof(T),
                         (i32)sizeof(T));
        COPIES_ARRIVE(mark);
    }
#endif
}

/* Tiles [first, last) of a sweep that has not begun; they do not depend on v. */
DEVICE void bulk_begin(panel s, span d, i32 p, bulk_ring ring, const i32 first, const i32 last)
{
    const i32 tiles = (d.to - d.from + COLUMNS - 1) / COLUMNS;
    UNROLLED
    for (i32 i = first; i < last; i++) {
        const i32 stage = ring.stage + i;
        bulk_ahead(s, d, p, tiles, i, ring, stage < STAGES ? stage : stage - STAGES);
    }
}

/* As tile_sums, and element p of column c to 2 c + 1. */
DEVICE void bulk_sums(LOCAL_PTR const T *at, const T *v, i32 p, T *sums)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        T chains[2];
        chains[0] = chains[1] = T_make(0, 0);
        UNROLLED
        for (i32 e = 0; e < DEEP; e += VEC) {
            const vector x = *(LOCAL_PTR const vector *)(at + c * ROWS + row_of(0, e));
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                chains[(e + k) % 2] = T_fma(x.v[k], T_conj(v[e + k]), chains[(e + k) % 2]);
        }
        sums[2 * c] = T_add(chains[0], chains[1]);
        sums[2 * c + 1] = ITEM_X == 0 ? at[c * ROWS + p] : T_make(0, 0);
    }
}

/* w += the columns, each times its factor. */
DEVICE void bulk_add(LOCAL_PTR const T *at, const T *factors, T *w)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        UNROLLED
        for (i32 e = 0; e < DEEP; e += VEC) {
            const vector x = *(LOCAL_PTR const vector *)(at + c * ROWS + row_of(0, e));
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                w[e + k] = T_fma(factors[c], x.v[k], w[e + k]);
        }
    }
}

/* As swept_store. What stands before row p is stored, too, and read by nobody. */
DEVICE i32 bulk_store(panel s, i32 p, const T *w)
{
    const i32 m = s.rows[0];
    GLOBAL T *const to = s.swept + GROUP_X * swept_apart(s);
    i32 large = 0;
    UNROLLED
    for (i32 e = 0; e < DEEP; e += VEC) {
        const i32 t = row_of(0, e);
        vector x;
        UNROLLED
        for (i32 k = 0; k < VEC; k++) {
            x.v[k] = w[e + k];
            if (t + k > p && t + k < m)
                large = large || !(T_size(w[e + k]) <= SAFE_TO);
        }
        if (t < m)
            *(GLOBAL vector *)(to + t) = x;
    }
    return large;
}

/* As sweep; bulk_begin has been there for STAGES tiles. `a` has this work-item's elements of the
 * column, as vector_read gives them. Behind it a barrier of the group must come before the next
 * bulk_begin. */
DEVICE i32 bulk_sweep(panel s, span d, i32 p, reflector h, T *a, thin_known known, bulk_ring *ring,
                      LOCAL_PTR T *room, T *share)
{
    const i32 tiles = (d.to - d.from + COLUMNS - 1) / COLUMNS;
    const T tau = reflector_tau(h);
    thin_tile next;
    T w[DEEP];
    sums_clear(w, DEEP);
    vector_reflect(s, h, p, 0, a);
    if (THIN_AHEAD && tiles > 0)
        thin_load(s, d, tile_column(d, p, tiles, 0), p, &next);
    i32 before = 0; /* the stage of the tile before */
    ROLLED
    for (i32 i = 0; i < tiles; i++) {
        const i32 column = tile_column(d, p, tiles, i);
        LOCAL_PTR const T *const at = ring->tiles + ring->stage * TILE;
        thin_tile thin;
        if (THIN_AHEAD)
            thin = next;
        else
            thin_load(s, d, column, p, &thin);
        T sums[COUNT], factors[COLUMNS];
        MBARRIER_WAIT(ring->marks + 8 * ring->stage, ring->parity);
        bulk_sums(at, a, p, sums);
        thin_sums(&thin, known, sums);
        if (THIN_AHEAD && i + 1 < tiles)
            thin_load(s, d, tile_column(d, p, tiles, i + 1), p, &next);
        READS_DONE(); /* of the tile before */
        const T totals = tile_totals(sums, i % 2, room);
        if (i > 0)
            bulk_ahead(s, d, p, tiles, i - 1 + STAGES, *ring, before);
        tile_finish(s, d, &thin, column, p, tau, totals, factors, share);
        bulk_add(at, factors, w);
        before = ring->stage;
        ring_step(ring);
    }
    READS_DONE();
    return bulk_store(s, p, w);
}
