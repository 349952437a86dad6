/* gemm_tiles.cuh: the tiles of C, which group has which of them, and the terms of each. A part of gemm_ring.cuh.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of many products at once the tiles of all members stand in one line, member after member.
 */
/* A tile of C: its first row and column. Sizes are below 2^31. */
typedef struct ring_tile {
    i32 i, j;
#if BATCH
    i32 member;
#endif
} ring_tile;

/* Its terms, and the steps of this group for it. */
typedef struct ring_steps {
    i32 from, end;   /* terms */
    i32 first, last; /* steps [first, last) from there on; those beyond `end` are zeros */
    i32 half;        /* TWICE: the first step of B and A */
} ring_steps;

#if PART
#define SIDE (ROWS > COLUMNS ? ROWS : COLUMNS)
#define EACH ((SIDE / ROWS) * (SIDE / COLUMNS)) /* tiles of a block on or below the diagonal */
#endif

DEVICE i32 parts_of(i64 whole, const i32 size)
{
    return (i32)((whole + size - 1) / size);
}

/* C in tiles, or blocks of tiles where a triangle of it is wanted. */
typedef struct ring_grid {
    i32 tiles;
    i32 long_side, short_side; /* bands of `raster` are along the long one */
    i32 raster;
} ring_grid;

DEVICE ring_grid ring_tiles(i32 m, i32 n, i32 raster)
{
    ring_grid w;
    w.raster = raster;
#if PART
    const i32 blocks = parts_of(m, SIDE);
    (void)n;
    w.long_side = w.short_side = blocks;
    w.tiles = blocks * (blocks + 1) / 2 * EACH;
#else
    const i32 down = parts_of(m, ROWS), across = parts_of(n, COLUMNS);
    /* Where tiles of a row have the same terms, bands go along rows, and the longest come first. */
    w.short_side = ZEROS >= 3 ? across : down;
    w.long_side = ZEROS >= 3 ? down : across;
    w.tiles = down * across;
#endif
    return w;
}

/* Tile number t: bands of `raster` tiles, within a band one short line after the other. Groups that run together
 * share lines of op(A) and op(B) in the cache. */
DEVICE ring_tile ring_place(ring_grid w, i32 t)
{
    ring_tile tile;
#if PART
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
    tile.i = (PART == 2 ? far : near) * SIDE + (ROWS < COLUMNS ? within * ROWS : 0);
    tile.j = (PART == 2 ? near : far) * SIDE + (ROWS < COLUMNS ? 0 : within * COLUMNS);
#else
    const i32 per = w.raster * w.long_side, band = t / per, first = band * w.raster,
              width = MINIMUM(w.raster, w.short_side - first), rest = t - band * per;
    const i32 far = rest / width;
    i32 near = first + rest - far * width;
    if (ZEROS == 1 || ZEROS == 4)
        near = w.short_side - 1 - near;
    tile.i = (ZEROS >= 3 ? far : near) * ROWS;
    tile.j = (ZEROS >= 3 ? near : far) * COLUMNS;
#endif
    return tile;
}

/* The steps of a tile that are this group's. */
DEVICE ring_steps ring_terms(gemm_args a, ring_tile tile)
{
    const i32 k = (i32)a.k;
    ring_steps t;
    (void)tile;
    t.from = 0;
    t.end = k;
#if ZEROS == 1
    t.end = MINIMUM(tile.i + ROWS, k);
#elif ZEROS == 2
    t.from = tile.i / TERMS * TERMS;
#elif ZEROS == 3
    t.from = tile.j / TERMS * TERMS;
#elif ZEROS == 4
    t.end = MINIMUM(tile.j + COLUMNS, k);
#endif
    t.half = t.end > t.from ? parts_of(t.end - t.from, TERMS) : 0;
    i32 steps = TWICE ? 2 * t.half : t.half;
    t.first = 0;
#if CLUSTER > 1
    const i32 share = (steps + CLUSTER * STEP_LAYERS - 1) / (CLUSTER * STEP_LAYERS) * STEP_LAYERS;
    t.first = MINIMUM(CLUSTER_RANK() * share, steps);
    steps = MINIMUM(t.first + share, steps);
#endif
    t.last = t.first + (steps - t.first + STEP_LAYERS - 1) / STEP_LAYERS * STEP_LAYERS;
    return t;
}

/* The next tile of this group after *round rounds, or 0: there is none. Where tiles differ in length every second round goes
 * backwards. */
DEVICE i32 ring_next(gemm_args a, i64 raster, i32 *round, ring_tile *tile)
{
    const i32 m = (i32)a.m, n = (i32)a.n;
    const ring_grid grid = ring_tiles(m, n, (i32)raster);
    const i32 tiles = BATCH ? grid.tiles * (i32)a.batch : grid.tiles;
    for (;;) {
#if CLUSTER > 1
        if (*round > 0)
            return 0;
        const i32 t = (i32)GROUP_X / CLUSTER;
#else
        const i32 groups = (i32)GROUPS_X, group = (i32)GROUP_X, before = *round * groups,
                  t = before + (ZEROS != 0 && *round % 2 != 0 ? groups - 1 - group : group);
        if (before >= tiles)
            return 0;
#endif
        *round += 1;
        if (t >= tiles)
            continue;
#if BATCH
        const i32 member = t / grid.tiles;
        *tile = ring_place(grid, t - member * grid.tiles);
        tile->member = member;
#else
        *tile = ring_place(grid, t);
#endif
#if PART
        /* Tiles beyond the edge, or beside the triangle. */
        if (tile->i >= m || tile->j >= m || (PART == 2 && tile->j >= tile->i + ROWS) ||
            (PART == 1 && tile->i >= tile->j + COLUMNS))
            continue;
#endif
        return 1;
    }
}

/* Whether the diagonal of C goes through a tile of which a triangle is wanted. */
DEVICE i32 ring_cut(ring_tile tile)
{
    return (PART != 0) & (tile.i < tile.j + COLUMNS) & (tile.j < tile.i + ROWS);
}

/* Whether work-items store a tile themselves, because the copy engine cannot: it writes whole tiles, and whole 16 bytes where C
 * ends below. */
DEVICE i32 ring_stored(gemm_args a, ring_tile tile)
{
    const i32 each = 16 / (i32)sizeof(T);
    return (THROUGH == 0) | ring_cut(tile) | ((a.m % each != 0) & (tile.i + ROWS > a.m));
}

/* Whether the copy engine stores all tiles. */
DEVICE i32 all_kept(gemm_args a)
{
    return THROUGH && !PART && a.m % (16 / (i32)sizeof(T)) == 0;
}

#if BATCH
/* Tiles of this group. */
DEVICE i32 ring_count(gemm_args a, i64 raster)
{
    const i32 tiles = ring_tiles((i32)a.m, (i32)a.n, (i32)raster).tiles * (i32)a.batch,
              groups = (i32)GROUPS_X;
    return (tiles - (i32)GROUP_X + groups - 1) / groups;
}
#endif

/* Where C of a tile's member starts. */
#if BATCH
#define POINTERS (BATCH == 2)
#include "member.h"
#define MEMBER_C(C, a, tile) member_start(C, (tile).member, (a).stride_c)
#else
#define MEMBER_C(C, a, tile) (C)
#endif
