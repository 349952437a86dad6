/* gemm_staged_c.cuh: the epilogue through shared memory: TMA loads and stores tiles of C
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_pipeline.cuh where STAGED_C is 1 or 2: the number of buffers of a tile of C. The
 * epilogue warp is one of the producers' warps that has nothing else to do. One of its work-items
 * (EPILOGUE_ITEM) has TMA load old C into a buffer while the steps of its tile run, and store new C
 * while the steps of the next tile run. Computing work-items read and write shared memory only, so
 * nobody waits for loads of C at the end of a tile. Tiles that TMA cannot store (pipeline_stored)
 * are stored as without buffers: epilogue item and computing work-items both pass over them.
 *
 * A buffer is panels of TERMS rows with a line of 128 bytes per column, swizzled as stages are. One
 * TMA copy moves a panel of STAGED_COLUMNS columns. Copies go along the rows first: what lies side
 * by side in memory is asked for within a short time. TMA clips copies at the edges of C, as long
 * as its columns end with whole 16 bytes.
 *
 * A buffer has STAGED_PARTS parts. Part p is every STAGED_PARTS-th STAGED_COLUMNS columns, from p
 * STAGED_COLUMNS on. Every warp has columns of each part, and goes over the parts in turn. The
 * epilogue item sends a part as soon as all warps have stored it. Then it asks for the parts of the
 * next tile, each as soon as TMA has read it. So the end of a tile, its way out and old C of the
 * next one overlap, in one buffer. STAGED_COLUMNS and STAGED_PARTS are the kernel's: they follow
 * from the columns that its work-items have.
 *
 * Mbarriers of a part: `c_full`, old C is there or, where beta is 0, the part is free; `c_empty`,
 * all computing warps have stored what is theirs. Use number u of the buffers is one of buffer u %
 * STAGED_C, and completes phase u / STAGED_C.
 */
#if COLUMNS % (STAGED_COLUMNS * STAGED_PARTS)
#error "all parts of a buffer of C must have as many columns"
#endif
#define STAGED_PANEL  (COLUMNS * LINE_BYTES)
#define STAGED_BYTES  (ROWS / TERMS * STAGED_PANEL)
#define EPILOGUE_ITEM 96 /* its number among the producers: the first of the last warp */
/* Bits of a place that change with bits of a column, as long as these are among the lowest three:
 * the line, and where the swizzle puts its bytes. */
#define COLUMN_BITS(bits) ((u32)(bits) * (LINE_BYTES + 16))

DEVICE PLACE staged_buffer(pipeline_room r, i32 use)
{
    return r.staged + use % STAGED_C * STAGED_BYTES;
}

/* The phase of a buffer that a use completes, and the place of a part's mbarrier among those of all
 * buffers. */
DEVICE u32 staged_parity(i32 use)
{
    return (u32)(use / STAGED_C) & 1;
}

DEVICE i32 staged_mbarrier(i32 use, i32 part)
{
    return 8 * (use % STAGED_C * STAGED_PARTS + part);
}

/* Where the 16 bytes are that begin with a row of a column of the tile. */
DEVICE i32 staged_place(i32 row, i32 column)
{
    const i32 chunk = row % TERMS * (i32)sizeof(T) / 16;
    return row / TERMS * STAGED_PANEL + column * LINE_BYTES + ((chunk ^ (column & 7)) << 4);
}

/* By a computing warp, before it touches a part of a buffer, and after. */
DEVICE void staged_wait(pipeline_room r, i32 use, const i32 part)
{
    MBARRIER_WAIT(r.c_full + staged_mbarrier(use, part), staged_parity(use));
}

DEVICE void staged_done(pipeline_room r, i32 use, const i32 part)
{
    STORES_READY();
    WARP_BARRIER();
    MBARRIER_ARRIVE_IF(r.c_empty + staged_mbarrier(use, part), ARRIVES(ITEM_X % 32 == 0));
}

/* Once all have stored what is theirs: TMA takes a part of a buffer to a tile of C. */
DEVICE void epilogue_store(pipeline_room r, const tensor_map *map_c, pipeline_tile tile, i32 use,
                           i32 part)
{
    const i32 reals = PREC == 3 ? 2 : 1; /* TMA counts those */
    MBARRIER_WAIT(r.c_empty + staged_mbarrier(use, part), staged_parity(use));
    ROLLED
    for (i32 column = part * STAGED_COLUMNS; column < COLUMNS;
         column += STAGED_PARTS * STAGED_COLUMNS) {
        ROLLED
        for (i32 row = 0; row < ROWS; row += TERMS)
            TMA_STORE_2(map_c, reals * (tile.i + row), tile.j + column,
                        staged_buffer(r, use) + staged_place(row, column));
    }
    TMA_STORE_COMMIT();
}

/* A part of the buffer of a tile is ready for the computing work-items; `adds`: as soon as old C is
 * there. */
DEVICE void epilogue_load(pipeline_room r, const tensor_map *map_c, pipeline_tile tile, i32 use,
                          i32 part, i32 adds)
{
    const i32 reals = PREC == 3 ? 2 : 1;
    const PLACE c_full = r.c_full + staged_mbarrier(use, part);
    if (!adds) {
        MBARRIER_ARRIVE(c_full);
        return;
    }
    MBARRIER_EXPECT(c_full, STAGED_BYTES / STAGED_PARTS);
    ROLLED
    for (i32 column = part * STAGED_COLUMNS; column < COLUMNS;
         column += STAGED_PARTS * STAGED_COLUMNS) {
        ROLLED
        for (i32 row = 0; row < ROWS; row += TERMS)
            TMA_LOAD_2(staged_buffer(r, use) + staged_place(row, column), map_c,
                       reals * (tile.i + row), tile.j + column, c_full);
    }
}

/* What the epilogue item does. The last STAGED_C tiles wait in `pending`, the oldest first. */
DEVICE void pipeline_epilogue(pipeline_room r, const tensor_map *map_c, gemm_args a, i64 raster,
                              i32 adds)
{
    pipeline_tile tile = {0}, pending[STAGED_C];
    i32 round = 0, use = 0;
    UNROLLED
    for (i32 x = 0; x < STAGED_C; x++)
        pending[x] = tile;
    while (pipeline_next(a, raster, &round, &tile)) {
        if (pipeline_stored(a, tile))
            continue;
        ROLLED
        for (i32 part = 0; part < STAGED_PARTS && use >= STAGED_C; part++)
            epilogue_store(r, map_c, pending[0], use - STAGED_C, part);
        ROLLED
        for (i32 part = 0; part < STAGED_PARTS; part++) {
            /* The part is free. */
            if (part < STAGED_PARTS - 1)
                TMA_STORE_READ_WAIT(1);
            else
                TMA_STORE_READ_WAIT(0);
            epilogue_load(r, map_c, tile, use, part, adds);
        }
        UNROLLED
        for (i32 x = 0; x < STAGED_C - 1; x++)
            pending[x] = pending[x + 1];
        pending[STAGED_C - 1] = tile;
        use++;
    }
    UNROLLED
    for (i32 x = 0; x < STAGED_C; x++) {
        ROLLED
        for (i32 part = 0; part < STAGED_PARTS && use + x >= STAGED_C; part++)
            epilogue_store(r, map_c, pending[x], use + x - STAGED_C, part);
    }
    TMA_STORE_WAIT(0);
}
