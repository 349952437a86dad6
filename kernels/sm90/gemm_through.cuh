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
 * A buffer has KEPT_PARTS parts: part p is every KEPT_PARTS-th KEPT_COLUMNS columns from p KEPT_COLUMNS on. Every warp
 * has columns of each part, and goes over the parts in turn. The keeper sends a part as soon as all warps have stored it. Then
 * it asks for the parts of the next tile, each as soon as the engine has read it: the end of a tile, its way out and old C of
 * the next one go on at the same time, in one buffer. KEPT_COLUMNS and KEPT_PARTS are the kernel's: they follow from the columns that
 * its work-items have.
 *
 * Signals of a part: `given` (old C is there, or, where beta is 0, the part is free), `taken` (all computing warps
 * have stored what is theirs). Use number u of the buffers is one of buffer u % THROUGH, and completes phase u / THROUGH.
 */
#if COLUMNS % (KEPT_COLUMNS * KEPT_PARTS)
#error "all parts of a buffer of C must have as many columns"
#endif
#define KEPT_PANEL (COLUMNS * LINE_BYTES)
#define KEPT_BYTES (ROWS / TERMS * KEPT_PANEL)
#define KEEPER     96 /* its number among the producers: the first of the last warp */
/* Bits of a place that change with bits of a column, as long as these are among the lowest three: the line, and where the
 * swizzle puts its bytes. */
#define COLUMN_BITS(bits) ((u32)(bits) * (LINE_BYTES + 16))

DEVICE PLACE kept_buffer(ring_room r, i32 use)
{
    return r.kept + use % THROUGH * KEPT_BYTES;
}

/* The phase of a buffer that a use completes, and the place of a part's signal among those of all buffers. */
DEVICE u32 kept_parity(i32 use)
{
    return (u32)(use / THROUGH) & 1;
}

DEVICE i32 kept_signal(i32 use, i32 part)
{
    return 8 * (use % THROUGH * KEPT_PARTS + part);
}

/* Where the 16 bytes are that begin with a row of a column of the tile. */
DEVICE i32 kept_place(i32 row, i32 column)
{
    const i32 chunk = row % TERMS * (i32)sizeof(T) / 16;
    return row / TERMS * KEPT_PANEL + column * LINE_BYTES + ((chunk ^ (column & 7)) << 4);
}

/* By a computing warp, before it touches a part of a buffer, and after. */
DEVICE void kept_await(ring_room r, i32 use, const i32 part)
{
    SIGNAL_AWAIT(r.given + kept_signal(use, part), kept_parity(use));
}

DEVICE void kept_done(ring_room r, i32 use, const i32 part)
{
    STORES_READY();
    BUNDLE_BARRIER();
    SIGNAL_ARRIVE_IF(r.taken + kept_signal(use, part), ARRIVES(LANE_X % 32 == 0));
}

/* Once all have stored what is theirs: the engine takes a part of a buffer to a tile of C. */
DEVICE void keep_send(ring_room r, const tensor_map *map_c, ring_tile tile, i32 use, i32 part)
{
    const i32 reals = PREC == 3 ? 2 : 1; /* the copy engine counts those */
    SIGNAL_AWAIT(r.taken + kept_signal(use, part), kept_parity(use));
    ROLLED
    for (i32 column = part * KEPT_COLUMNS; column < COLUMNS; column += KEPT_PARTS * KEPT_COLUMNS) {
        ROLLED
        for (i32 row = 0; row < ROWS; row += TERMS)
            COPY_BOX_OUT2(map_c, reals * (tile.i + row), tile.j + column,
                          kept_buffer(r, use) + kept_place(row, column));
    }
    OUT_COMMIT();
}

/* A part of the buffer of a tile is ready for the computing work-items; `adds`: as soon as old C is there. */
DEVICE void keep_give(ring_room r, const tensor_map *map_c, ring_tile tile, i32 use, i32 part,
                      i32 adds)
{
    const i32 reals = PREC == 3 ? 2 : 1;
    const PLACE given = r.given + kept_signal(use, part);
    if (!adds) {
        SIGNAL_ARRIVE(given);
        return;
    }
    SIGNAL_EXPECT(given, KEPT_BYTES / KEPT_PARTS);
    ROLLED
    for (i32 column = part * KEPT_COLUMNS; column < COLUMNS; column += KEPT_PARTS * KEPT_COLUMNS) {
        ROLLED
        for (i32 row = 0; row < ROWS; row += TERMS)
            COPY_BOX2(kept_buffer(r, use) + kept_place(row, column), map_c, reals * (tile.i + row),
                      tile.j + column, given);
    }
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
        ROLLED
        for (i32 part = 0; part < KEPT_PARTS && use >= THROUGH; part++)
            keep_send(r, map_c, kept[0], use - THROUGH, part);
        ROLLED
        for (i32 part = 0; part < KEPT_PARTS; part++) {
            /* The part is free. */
            if (part < KEPT_PARTS - 1)
                OUT_READ_AWAIT(1);
            else
                OUT_READ_AWAIT(0);
            keep_give(r, map_c, tile, use, part, adds);
        }
        UNROLLED
        for (i32 x = 0; x < THROUGH - 1; x++)
            kept[x] = kept[x + 1];
        kept[THROUGH - 1] = tile;
        use++;
    }
    UNROLLED
    for (i32 x = 0; x < THROUGH; x++) {
        ROLLED
        for (i32 part = 0; part < KEPT_PARTS && use + x >= THROUGH; part++)
            keep_send(r, map_c, kept[x], use + x - THROUGH, part);
    }
    OUT_AWAIT(0);
}
