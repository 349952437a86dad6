/* gemm_through.cuh: tiles of C go through local memory, by the copy engine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_ring.cuh where THROUGH is 1 or 2: so many buffers of a tile of C. One work-item of an idle warp of producers,
 * the keeper, has the engine bring old C into a buffer while the steps of its tile run, and take the new one out while those
 * of the next tile run. Work-items that compute read and write local memory only: nobody waits for loads of C at the end of a
 * tile. A tile that the copy engine cannot store as it must be (ring_stored) is stored as without buffers; keeper and computing
 * work-items both pass over it.
 *
 * A buffer is panels of TERMS rows with a line of 128 bytes per column, swizzled as stages are. A box is a panel of KEPT_COLUMNS
 * columns, and boxes go along the rows first: what lies side by side in memory is asked for within a short time. The engine cuts
 * boxes at the edges of C, as long as its columns end with whole 16 bytes.
 *
 * Signals of a buffer: `given` (old C is there, or, where beta is 0, the buffer is free), `taken` (all computing warps
 * have stored what is theirs). Use number u of the buffers is one of buffer u % THROUGH, and completes phase u / THROUGH.
 */
#define KEPT_PANEL (COLUMNS * LINE_BYTES)
#define KEPT_BYTES (ROWS / TERMS * KEPT_PANEL)
/* Columns of a box, src/blas/gemm_ring.c has the same. */
#define KEPT_COLUMNS 32
#define KEPT_BOXES   (ROWS / TERMS * (COLUMNS / KEPT_COLUMNS))
#define KEEPER       96 /* its number among the producers: the first of the last warp */
/* Bits of a place that change with bits of a column, as long as these are among the lowest three: the line, and where the
 * swizzle puts its bytes. */
#define COLUMN_BITS(bits) ((u32)(bits) * (LINE_BYTES + 16))

DEVICE PLACE kept_buffer(ring_room r, i32 use)
{
    return r.kept + use % THROUGH * KEPT_BYTES;
}

DEVICE u32 kept_parity(i32 use)
{
    return (u32)(use / THROUGH) & 1;
}

/* Where the 16 bytes are that begin with a row of a column of the tile. */
DEVICE i32 kept_place(i32 row, i32 column)
{
    const i32 chunk = row % TERMS * (i32)sizeof(T) / 16;
    return row / TERMS * KEPT_PANEL + column * LINE_BYTES + ((chunk ^ (column & 7)) << 4);
}

/* Where box number x is in a buffer, and its first row and column in the tile. */
DEVICE i32 box_place(i32 x)
{
    return x % (ROWS / TERMS) * KEPT_PANEL + x / (ROWS / TERMS) * (KEPT_COLUMNS * LINE_BYTES);
}

DEVICE i32 box_row(i32 x)
{
    return x % (ROWS / TERMS) * TERMS;
}

DEVICE i32 box_column(i32 x)
{
    return x / (ROWS / TERMS) * KEPT_COLUMNS;
}

/* By a computing warp, before it touches a buffer, and after. */
DEVICE void kept_await(ring_room r, i32 use)
{
    SIGNAL_AWAIT(r.given + 8 * (use % THROUGH), kept_parity(use));
}

DEVICE void kept_done(ring_room r, i32 use)
{
    STORES_READY();
    BUNDLE_BARRIER();
    if (LANE_X % 32 == 0)
        SIGNAL_ARRIVE(r.taken + 8 * (use % THROUGH));
}

/* Once all have stored what is theirs: the engine takes a buffer to a tile of C. */
DEVICE void keep_send(ring_room r, const tensor_map *map_c, ring_tile tile, i32 use)
{
    const i32 reals = PREC == 3 ? 2 : 1; /* the copy engine counts those */
    SIGNAL_AWAIT(r.taken + 8 * (use % THROUGH), kept_parity(use));
    ROLLED
    for (i32 x = 0; x < KEPT_BOXES; x++)
        COPY_BOX_OUT2(map_c, reals * (tile.i + box_row(x)), tile.j + box_column(x),
                      kept_buffer(r, use) + box_place(x));
    OUT_COMMIT();
}

/* The buffer of a tile is ready for the computing work-items; `adds`: as soon as old C is there. */
DEVICE void keep_give(ring_room r, const tensor_map *map_c, ring_tile tile, i32 use, i32 adds)
{
    const i32 reals = PREC == 3 ? 2 : 1;
    const PLACE given = r.given + 8 * (use % THROUGH);
    if (!adds) {
        SIGNAL_ARRIVE(given);
        return;
    }
    SIGNAL_EXPECT(given, KEPT_BYTES);
    ROLLED
    for (i32 x = 0; x < KEPT_BOXES; x++)
        COPY_BOX2(kept_buffer(r, use) + box_place(x), map_c, reals * (tile.i + box_row(x)),
                  tile.j + box_column(x), given);
}

/* What the keeper does. The last THROUGH tiles wait in `kept`, the oldest first. */
DEVICE void ring_keep(ring_room r, const tensor_map *map_c, gemm_args a, i64 raster, i32 adds)
{
    ring_tile tile = {0}, kept[THROUGH];
    i32 round = 0, use = 0;
    UNROLLED
    for (i32 x = 0; x < THROUGH; x++)
        kept[x] = tile;
    while (ring_next(a, raster, &round, &tile)) {
        if (ring_stored(a, tile))
            continue;
        if (use >= THROUGH) {
            keep_send(r, map_c, kept[0], use - THROUGH);
            OUT_READ_AWAIT(0); /* the buffer is free */
        }
        keep_give(r, map_c, tile, use, adds);
        UNROLLED
        for (i32 x = 0; x < THROUGH - 1; x++)
            kept[x] = kept[x + 1];
        kept[THROUGH - 1] = tile;
        use++;
    }
    UNROLLED
    for (i32 x = 0; x < THROUGH; x++)
        if (use + x >= THROUGH)
            keep_send(r, map_c, kept[x], use + x - THROUGH);
    OUT_AWAIT(0);
}
