/* gemm_tiles.cuh: the tiles of C, which group has which of them, and the terms of each. A part of
 * gemm_pipeline.cuh.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In a batch the tiles of all entries are numbered through: first those of entry 0, then those of
 * entry 1, and so on.
 */
/* A tile of C: its first row and column. Sizes are below 2^31. */
typedef struct pipeline_tile {
    i32 i, j;
#if BATCH
    i32 entry;
#endif
} pipeline_tile;

/* Its terms, and the steps of this group for it. */
typedef struct pipeline_steps {
    i32 from, end;   /* terms */
    i32 first, last; /* steps [first, last) from there on; those beyond `end` are zeros */
    i32 half;        /* TWO_PRODUCTS: the first step of B and A */
} pipeline_steps;

#if TRIANGLE_C
#define SIDE (ROWS > COLUMNS ? ROWS : COLUMNS)
#define EACH ((SIDE / ROWS) * (SIDE / COLUMNS)) /* tiles of a block on or below the diagonal */
#endif

DEVICE i32 parts_of(i64 whole, const i32 size)
{
    return (i32)((whole + size - 1) / size);
}

/* C in tiles, or blocks of tiles where a triangle of it is wanted. */
typedef struct pipeline_grid {
    i32 tiles;
    i32 long_side, short_side; /* bands of `raster` are along the long one */
    i32 raster;
} pipeline_grid;

DEVICE pipeline_grid pipeline_tiles(i32 m, i32 n, i32 raster)
{
    pipeline_grid w;
    w.raster = raster;
#if TRIANGLE_C
    const i32 blocks = parts_of(m, SIDE);
    (void)n;
    w.long_side = w.short_side = blocks;
    w.tiles = blocks * (blocks + 1) / 2 * EACH;
#else
    const i32 down = parts_of(m, ROWS), across = parts_of(n, COLUMNS);
    /* Where tiles of a row have the same terms, bands go along rows, and the longest come first. */
    w.short_side = TRIANGULAR >= 3 ? across : down;
    w.long_side = TRIANGULAR >= 3 ? down : across;
    w.tiles = down * across;
#endif
    return w;
}

/* Tile number t: bands of `raster` tiles, within a band one short line after the other. Groups that
 * run together share lines of op(A) and op(B) in the cache. */
DEVICE pipeline_tile pipeline_place(pipeline_grid w, i32 t)
{
    pipeline_tile tile;
#if TRIANGLE_C
    const i32 within = t % EACH;
    i32 block = t / EACH, band = 0, width;
    for (;;) {
        width = MINIMUM(w.raster, w.short_side - band);
        const i32 count = width * band + width * (width + 1) / 2;
        if (block < count)
            break;
        block -= count;
        band += width;
    }
    i32 far, near; /* far >= near */
    if (block < width * band) {
        near = block / width;
        far = band + block % width;
    } else {
        block -= width * band;
        near = 0;
        while (block >= width - near) {
            block -= width - near;
            near++;
        }
        far = band + near + block;
        near += band;
    }
    tile.i = (TRIANGLE_C == 2 ? far : near) * SIDE + (ROWS < COLUMNS ? within * ROWS : 0);
    tile.j = (TRIANGLE_C == 2 ? near : far) * SIDE + (ROWS < COLUMNS ? 0 : within * COLUMNS);
#else
    const i32 per = w.raster * w.long_side, band = t / per, first = band * w.raster,
              width = MINIMUM(w.raster, w.short_side - first), rest = t - band * per;
    const i32 far = rest / width;
    i32 near = first + rest - far * width;
    if (TRIANGULAR == 1 || TRIANGULAR == 4)
        near = w.short_side - 1 - near;
    tile.i = (TRIANGULAR >= 3 ? far : near) * ROWS;
    tile.j = (TRIANGULAR >= 3 ? near : far) * COLUMNS;
#endif
    return tile;
}

/* The steps of a tile that are this group's. */
DEVICE pipeline_steps pipeline_terms(gemm_args a, pipeline_tile tile)
{
    const i32 k = (i32)a.k;
    pipeline_steps t;
    (void)tile;
    t.from = 0;
    t.end = k;
#if TRIANGULAR == 1
    t.end = MINIMUM(tile.i + ROWS, k);
#elif TRIANGULAR == 2
    t.from = tile.i / TERMS * TERMS;
#elif TRIANGULAR == 3
    t.from = tile.j / TERMS * TERMS;
#elif TRIANGULAR == 4
    t.end = MINIMUM(tile.j + COLUMNS, k);
#endif
    t.half = t.end > t.from ? parts_of(t.end - t.from, TERMS) : 0;
    i32 steps = TWO_PRODUCTS ? 2 * t.half : t.half;
    t.first = 0;
#if CLUSTER > 1
    const i32 share = (steps + CLUSTER * STEP_SLICES - 1) / (CLUSTER * STEP_SLICES) * STEP_SLICES;
    t.first = MINIMUM(CLUSTER_RANK() * share, steps);
    steps = MINIMUM(t.first + share, steps);
#endif
    t.last = t.first + (steps - t.first + STEP_SLICES - 1) / STEP_SLICES * STEP_SLICES;
    return t;
}

/* The next tile of this group after *round rounds, or 0: there is none. Where tiles differ in
 * length every second round goes backwards. */
DEVICE i32 pipeline_next(gemm_args a, i64 raster, i32 *round, pipeline_tile *tile)
{
    const i32 m = (i32)a.m, n = (i32)a.n;
    const pipeline_grid grid = pipeline_tiles(m, n, (i32)raster);
    const i32 tiles = BATCH ? grid.tiles * (i32)a.batch : grid.tiles;
    for (;;) {
#if CLUSTER > 1
        if (*round > 0)
            return 0;
        const i32 t = (i32)GROUP_X / CLUSTER;
#else
        const i32 groups = (i32)GROUPS_X, group = (i32)GROUP_X, before = *round * groups,
                  t = before + (TRIANGULAR != 0 && *round % 2 != 0 ? groups - 1 - group : group);
        if (before >= tiles)
            return 0;
#endif
        *round += 1;
        if (t >= tiles)
            continue;
#if BATCH
        const i32 entry = t / grid.tiles;
        *tile = pipeline_place(grid, t - entry * grid.tiles);
        tile->entry = entry;
#else
        *tile = pipeline_place(grid, t);
#endif
#if TRIANGLE_C
        /* Tiles beyond the edge, or beside the triangle. */
        if (tile->i >= m || tile->j >= m || (TRIANGLE_C == 2 && tile->j >= tile->i + ROWS) ||
            (TRIANGLE_C == 1 && tile->i >= tile->j + COLUMNS))
            continue;
#endif
        return 1;
    }
}

/* Whether the diagonal of C goes through a tile of which a triangle is wanted. */
DEVICE i32 pipeline_cut(pipeline_tile tile)
{
    return (TRIANGLE_C != 0) & (tile.i < tile.j + COLUMNS) & (tile.j < tile.i + ROWS);
}

/* Whether work-items store a tile themselves, because TMA cannot: it writes whole tiles, and whole
 * 16 bytes where C ends below. */
DEVICE i32 pipeline_stored(gemm_args a, pipeline_tile tile)
{
    const i32 each = 16 / (i32)sizeof(T);
    return (STAGED_C == 0) | pipeline_cut(tile) | ((a.m % each != 0) & (tile.i + ROWS > a.m));
}

/* Whether TMA stores all tiles. */
DEVICE i32 all_staged(gemm_args a)
{
    return STAGED_C && !TRIANGLE_C && a.m % (16 / (i32)sizeof(T)) == 0;
}

#if BATCH
/* Tiles of this group. */
DEVICE i32 pipeline_count(gemm_args a, i64 raster)
{
    const i32 tiles = pipeline_tiles((i32)a.m, (i32)a.n, (i32)raster).tiles * (i32)a.batch,
              groups = (i32)GROUPS_X;
    return (tiles - (i32)GROUP_X + groups - 1) / groups;
}
#endif

/* Where C of a tile's batch entry starts. */
#if BATCH
#define POINTERS (BATCH == 2)
#include "batch_entry.h"
#define ENTRY_C(C, a, tile) entry_start(C, (tile).entry, (a).stride_c)
#else
#define ENTRY_C(C, a, tile) (C)
#endif
