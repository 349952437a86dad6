/* gemm_dmma.cu: C := alpha op(A) op(B) + beta C in double on matrix units
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The frame (gemm_ring.cuh) brings tiles; here they are multiplied. A warp of 32 lanes has WARP_ROWS x WARP_COLUMNS sums in
 * registers, as blocks of 16 x 8. With g = lane / 4 and t = lane % 4, which rows, columns and terms of a tile a lane's
 * elements of a block stand for is free as long as both factors and C agree. They are numbered such that loads
 * from local memory touch all banks once, and are 16 bytes wide where possible:
 *   rows g and g + 8 of a block are its rows 2 g and 2 g + 1;
 *   A stored along its rows: terms t, t + 4, t + 8, t + 12 of the matrix unit are terms 2 t, 2 t + 1, 2 t + 8, 2 t + 9 of the
 *   stage; column g of a block is g / 2 + 4 (g % 2), or g where B is stored along its columns;
 *   A stored along its terms: those are as they are; column g of a block is 2 (g % 4) + g / 4, or, of 16 columns of two
 *   blocks where B is stored along its columns, g % 2 + 8 (g / 2 % 2) + 2 (g / 4), and 4 more of the second block.
 * Loads of 8 bytes stand where a pair in memory is no pair of neighbouring registers of the matrix unit.
 * The first loads of the next stage go between the last products of this one.
 *
 * Geometry: groups of ITEMS work-items along x; gemm_ring.cuh tells the rest. Barriers: one of all work-items at the
 * start; named ones of the computing work-items; with CLUSTER two of all groups of a cluster.
 */
#include "gemm_ring.cuh"

#define MT (WARP_ROWS / 16)
#define NT (WARP_COLUMNS / 8)
#if WARP_ROWS % 32 || WARP_COLUMNS % 16
#error "WARP_ROWS must be a multiple of 32, WARP_COLUMNS of 16"
#endif

typedef struct ring_sums {
    f64 v[MT][NT][4];
} ring_sums;

/* What a lane has of a stage: of A two blocks, one in use and one under way, of B all. */
typedef struct ring_parts {
    f64 a[2][8], b[NT][4];
} ring_parts;

/* Where a lane's elements are in a stage. */
typedef struct ring_lane {
    i32 row, column; /* of the warp's part of the tile */
    i32 g, t;
    u32 a, b; /* its first elements, in bytes from the stage on; the others follow from them */
} ring_lane;

DEVICE ring_lane lane_places(i32 warp, i32 lane)
{
    ring_lane l;
    const i32 g = lane / 4, t = lane % 4;
    l.row = warp % (ROWS / WARP_ROWS) * WARP_ROWS;
    l.column = warp / (ROWS / WARP_ROWS) * WARP_COLUMNS;
    l.g = g;
    l.t = t;
    const i32 a_bytes = l.row * LINE_BYTES, b_bytes = A_BYTES + l.column * LINE_BYTES;
#if A_ALONG
    l.a = (u32)(a_bytes + 2 * t * LINE_BYTES + ((g ^ (2 * t)) << 4));
#if B_ALONG
    l.b = (u32)(b_bytes + 2 * t * LINE_BYTES + ((g / 2 ^ (2 * t)) << 4) + g % 2 * 8);
#else
    const i32 q = g / 2 + 4 * (g % 2);
    l.b = (u32)(b_bytes + q * LINE_BYTES + ((t ^ q) << 4));
#endif
#else
    l.a = (u32)(a_bytes + 2 * g * LINE_BYTES + ((t / 2 ^ (2 * g & 7)) << 4) + t % 2 * 8);
#if B_ALONG
    const i32 c =
        g % 2 + 8 * (g / 2 % 2) + 2 * (g / 4); /* of 16 columns; 4 more of the second block */
    l.b = (u32)(b_bytes + t * LINE_BYTES + ((c / 2 ^ t) << 4) + c % 2 * 8);
#else
    const i32 q = 2 * (g % 4) + g / 4;
    l.b = (u32)(b_bytes + q * LINE_BYTES + ((t / 2 ^ q) << 4) + t % 2 * 8);
#endif
#endif
    return l;
}

/* Block number m of A. */
DEVICE void load_a(f64 *a, PLACE stage, ring_lane l, const i32 m)
{
    /* Line and line + 1 have even and odd numbers. */
    const PLACE a0 = stage + l.a + m * 2048, a1 = PLACE_XOR(a0, 16) + 128;
#if A_ALONG
    LOAD_2D(&a[0], &a[1], a0);
    LOAD_2D(&a[2], &a[3], a1);
    LOAD_2D(&a[4], &a[5], a0 + 1024);
    LOAD_2D(&a[6], &a[7], a1 + 1024);
#else
    UNROLLED
    for (i32 j = 0; j < 4; j++) {
        LOAD_1D(&a[2 * j], PLACE_XOR(a0, 32 * j));
        LOAD_1D(&a[2 * j + 1], PLACE_XOR(a1, 32 * j));
    }
#endif
}

/* Block number n of B. */
DEVICE void load_b(f64 *b, PLACE stage, ring_lane l, const i32 n)
{
    const PLACE b0 = stage + l.b;
#if A_ALONG && B_ALONG
    const PLACE b1 = PLACE_XOR(b0, 16) + 128;
    const i32 pair = n / 2 * 2048;
    const u32 second = n % 2 * 64;
    LOAD_1D(&b[0], PLACE_XOR(b0, second) + pair);
    LOAD_1D(&b[1], PLACE_XOR(b1, second) + pair);
    LOAD_1D(&b[2], PLACE_XOR(b0, second) + pair + 1024);
    LOAD_1D(&b[3], PLACE_XOR(b1, second) + pair + 1024);
#elif A_ALONG
    const PLACE b1 = PLACE_XOR(b0, 64);
    LOAD_2D(&b[0], &b[1], b0 + n * 1024);
    LOAD_2D(&b[2], &b[3], b1 + n * 1024);
#elif B_ALONG
    const PLACE b1 = PLACE_XOR(b0, 64);
    const i32 pair = n / 2 * 2048;
    const u32 second = n % 2 * 32;
    LOAD_1D(&b[0], PLACE_XOR(b0, second) + pair);
    LOAD_1D(&b[1], PLACE_XOR(b1, second) + pair + 512);
    LOAD_1D(&b[2], PLACE_XOR(b0, second) + pair + 1024);
    LOAD_1D(&b[3], PLACE_XOR(b1, second) + pair + 1536);
#else
    const PLACE b1 = PLACE_XOR(b0, 64);
    LOAD_1D(&b[0], b0 + n * 1024);
    LOAD_1D(&b[1], PLACE_XOR(b0, 32) + n * 1024);
    LOAD_1D(&b[2], b1 + n * 1024);
    LOAD_1D(&b[3], PLACE_XOR(b1, 32) + n * 1024);
#endif
}

/* Column of the warp's part of the tile that element v (0 or 1) of block n is in: that of column 2 t + v of the block. */
DEVICE i32 block_column(ring_lane l, const i32 n, const i32 v)
{
    if (A_ALONG && !B_ALONG)
        return n * 8 + l.t + 4 * v;
    if (A_ALONG)
        return n * 8 + 2 * l.t + v;
    if (!B_ALONG)
        return n * 8 + 4 * (l.t % 2) + 2 * v + l.t / 2;
    return n / 2 * 16 + n % 2 * 4 + v + 8 * (l.t % 2) + 2 * (l.t / 2);
}

/* Where a layer is in the ring. */
typedef struct ring_at {
    i32 s;
    u32 parity;
} ring_at;

/* Multiplies one stage. `more`: what comes first of the next one of the tile is loaded on the way. */
DEVICE void multiply_stage(ring_room r, ring_at *at, ring_lane l, ring_parts *p, ring_sums *sums,
                           const i32 more, i32 lane)
{
    PLACE stage = r.stages + at->s * STAGE_BYTES;
    FORGET(stage); /* else compilers keep addresses of all loads */
    UNROLLED
    for (i32 m = 0; m < MT - 1; m++) {
        load_a(p->a[(m + 1) & 1], stage, l, m + 1);
        UNROLLED
        for (i32 n = 0; n < NT; n++)
            MULTIPLY_16X8X16(sums->v[m][n], p->a[m & 1], p->b[n]);
    }
    const i32 old = at->s;
    at->s += LAYERS;
    if (at->s >= STAGES) {
        at->s -= STAGES;
        at->parity ^= 1;
    }
    PLACE next = r.stages + at->s * STAGE_BYTES;
    FORGET(next);
    if (more) {
        SIGNAL_AWAIT(r.full + 8 * at->s, at->parity);
        load_a(p->a[0], next, l, 0);
    }
    UNROLLED
    for (i32 n = 0; n < NT; n++) {
        MULTIPLY_16X8X16(sums->v[MT - 1][n], p->a[(MT - 1) & 1], p->b[n]);
        if (more)
            load_b(p->b[n], next, l, n);
    }
    BUNDLE_BARRIER();
    if (lane == 0)
        SIGNAL_ARRIVE(r.empty + 8 * old);
}

DEVICE void load_first(ring_room r, ring_at at, ring_lane l, ring_parts *p)
{
    const PLACE stage = r.stages + at.s * STAGE_BYTES;
    SIGNAL_AWAIT(r.full + 8 * at.s, at.parity);
    load_a(p->a[0], stage, l, 0);
    UNROLLED
    for (i32 n = 0; n < NT; n++)
        load_b(p->b[n], stage, l, n);
}

#if ZEROS
/* Sums that are not finite are made again from what counts. */
DEVICE void mend_sums(GLOBAL const T *A, GLOBAL const T *B, gemm_args a, i32 i, i32 j, ring_lane l,
                      const i32 blocks, ring_sums *sums)
{
    ROLLED
    for (i32 which = 0; which < 4 * MT * NT; which++) {
        const i32 e = which % 4, n = which / 4 % NT, m = which / (4 * NT);
        i32 wrong = 0;
        UNROLLED
        for (i32 x = 0; x < 4 * MT * NT; x++)
            if (x == which && x / (4 * NT) < blocks)
                wrong = !is_finite(sums->v[x / (4 * NT)][x / 4 % NT][x % 4]);
        const i64 row = i + 16 * m + 2 * l.g + e / 2, column = j + block_column(l, n, e % 2);
        if (wrong && row < a.m && column < a.n) {
            const f64 sum = sum_again(A, B, a, row, column);
            UNROLLED
            for (i32 x = 0; x < 4 * MT * NT; x++)
                if (x == which)
                    sums->v[x / (4 * NT)][x / 4 % NT][x % 4] = sum;
        }
    }
}

/* Whether a lane's sums are all finite. */
DEVICE i32 all_finite(const ring_sums *sums, const i32 blocks)
{
    f64 any = 0;
    UNROLLED
    for (i32 m = 0; m < blocks; m++) {
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 e = 0; e < 4; e++)
                any += sums->v[m][n][e] - sums->v[m][n][e];
        }
    }
    return any == 0;
}
#endif

typedef struct ALIGNED(16) two_sums {
    f64 v[2];
} two_sums;

/* Stores the first `blocks` blocks of rows; (i, j) is the first element of the warp's part. */
DEVICE void store_sums(GLOBAL T *C, gemm_args a, i32 i, i32 j, ring_lane l, i32 cut, f64 alpha,
                       f64 beta, const i32 blocks, const ring_sums *sums)
{
    if (ALIGN_C == 16 && !cut && i + 16 * blocks <= a.m && j + WARP_COLUMNS <= a.n) {
        GLOBAL T *c = C + i + 2 * l.g + (j + block_column(l, 0, 0)) * a.ldc;
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 v = 0; v < 2; v++) {
                GLOBAL T *at = c + (block_column(l, n, v) - block_column(l, 0, 0)) * a.ldc;
                FORGET_AT(at);
                two_sums old[MT];
                if (beta != 0) {
                    UNROLLED
                    for (i32 m = 0; m < blocks; m++)
                        old[m] = *(GLOBAL two_sums *)(at + 16 * m);
                }
                UNROLLED
                for (i32 m = 0; m < blocks; m++) {
                    two_sums s;
                    s.v[0] = alpha * sums->v[m][n][v];
                    s.v[1] = alpha * sums->v[m][n][2 + v];
                    if (beta != 0) {
                        s.v[0] = R_fma(beta, old[m].v[0], s.v[0]);
                        s.v[1] = R_fma(beta, old[m].v[1], s.v[1]);
                    }
                    STORE_ONCE_2D(at + 16 * m, s.v[0], s.v[1]);
                }
            }
        }
        return;
    }
    UNROLLED
    for (i32 n = 0; n < NT; n++) {
        UNROLLED
        for (i32 e = 0; e < 4; e++) {
            const i64 column = j + block_column(l, n, e % 2);
            UNROLLED
            for (i32 m = 0; m < blocks; m++)
                store_sum(C, a, i + 16 * m + 2 * l.g + e / 2, column, alpha, sums->v[m][n][e],
                          beta);
        }
    }
}

#if SWAP_HALVES
/* Two layers: each gives the other half of its sums, and has the rest of both in its first blocks afterwards. */
DEVICE void swap_halves(ring_room r, i32 layer, i32 item, ring_sums *sums)
{
    const i32 half = MT / 2, lanes = 32 * WARPS;
    const i32 size = half * NT * 2 * lanes * 16;
    const PLACE own = r.sums + 16 * (item - layer * lanes), to = own + layer * size,
                from = own + (1 - layer) * size;
    BARRIER_OF(1, COMPUTERS);
    UNROLLED
    for (i32 m = 0; m < half; m++) {
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 e = 0; e < 2; e++) {
                const PLACE at = to + ((m * NT + n) * 2 + e) * lanes * 16;
                if (layer)
                    STORE_2D(at, sums->v[m][n][2 * e], sums->v[m][n][2 * e + 1]);
                else
                    STORE_2D(at, sums->v[half + m][n][2 * e], sums->v[half + m][n][2 * e + 1]);
            }
        }
    }
    BARRIER_OF(1, COMPUTERS);
    UNROLLED
    for (i32 m = 0; m < half; m++) {
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 e = 0; e < 2; e++) {
                f64 x, y;
                LOAD_2D(&x, &y, from + ((m * NT + n) * 2 + e) * lanes * 16);
                sums->v[m][n][2 * e] =
                    (layer ? sums->v[half + m][n][2 * e] : sums->v[m][n][2 * e]) + x;
                sums->v[m][n][2 * e + 1] =
                    (layer ? sums->v[half + m][n][2 * e + 1] : sums->v[m][n][2 * e + 1]) + y;
            }
        }
    }
}
#endif

#if SHOW_SUMS
/* All layers of all groups of a cluster show their sums; then each group adds and stores some columns. */
DEVICE void show_sums(ring_room r, i32 layer, ring_lane l, const ring_sums *sums)
{
    UNROLLED
    for (i32 m = 0; m < MT; m++) {
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 v = 0; v < 2; v++)
                STORE_2D(
                    sum_place(r, layer, l.row + 16 * m + 2 * l.g, l.column + block_column(l, n, v)),
                    sums->v[m][n][v], sums->v[m][n][2 + v]);
        }
    }
}

DEVICE void store_shown(ring_room r, GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C, gemm_args a,
                        ring_tile tile, f64 alpha, f64 beta, i32 item)
{
    const i32 rank = CLUSTER > 1 ? CLUSTER_RANK() : 0, share = COLUMNS / CLUSTER;
    ROLLED
    for (i32 x = item; x < ROWS / 2 * share; x += COMPUTERS) {
        const i32 row = x % (ROWS / 2) * 2, column = rank * share + x / (ROWS / 2);
        const i64 i = tile.i + row, j = tile.j + column;
        f64 sum[2] = {0, 0};
        UNROLLED
        for (i32 group = 0; group < CLUSTER; group++) {
            UNROLLED
            for (i32 layer = 0; layer < LAYERS; layer++) {
                f64 part[2];
                const PLACE at = sum_place(r, layer, row, column);
#if CLUSTER > 1
                LOAD_PEER_2D(&part[0], &part[1], PEER_PLACE(at, group));
#else
                LOAD_2D(&part[0], &part[1], at);
#endif
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
#if ZEROS
        for (i32 e = 0; e < 2; e++)
            if (!is_finite(sum[e]) && i + e < a.m && j < a.n)
                sum[e] = sum_again(A, B, a, i + e, j);
#else
        (void)A, (void)B;
#endif
        store_sum(C, a, i, j, alpha, sum[0], beta);
        store_sum(C, a, i + 1, j, alpha, sum[1], beta);
    }
}
#endif

/* What the computing work-items do. */
DEVICE void ring_compute(ring_room r, GLOBAL const R *alpha_at, GLOBAL const R *beta_at,
                         GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C, gemm_ring_args args,
                         gemm_args a, i32 item)
{
    const i32 layer = item / (32 * WARPS), warp = item / 32 - layer * WARPS, lane = item % 32;
    const ring_lane l = lane_places(warp, lane);
    ring_at at;
    at.s = layer;
    at.parity = 0;
    ring_sums sums;
    ring_parts parts;
    ring_tile tile = {0, 0};
    i32 round = 0, has = ring_next(a, args.raster, &round, &tile);
    ring_steps steps = ring_terms(a, tile);
#if SKEW
    i32 ahead = has && steps.last - steps.first > SKEW * LAYERS ? SKEW : 0;
    if (ahead > 0 && warp >= WARPS / 2) {
        BARRIER_OF(2, COMPUTERS);
        ahead = 0;
    }
#endif
    while (has) {
        steps = ring_terms(a, tile);
        UNROLLED
        for (i32 m = 0; m < MT; m++) {
            UNROLLED
            for (i32 n = 0; n < NT; n++) {
                UNROLLED
                for (i32 e = 0; e < 4; e++)
                    sums.v[m][n][e] = 0;
            }
        }
        i32 left = (steps.last - steps.first) / LAYERS;
        if (left > 0) {
            load_first(r, at, l, &parts);
            ROLLED
            for (; left > 1; left--) {
                multiply_stage(r, &at, l, &parts, &sums, 1, lane);
#if SKEW
                if (ahead > 0 && --ahead == 0)
                    ARRIVE_AT(2, COMPUTERS);
#endif
            }
            multiply_stage(r, &at, l, &parts, &sums, 0, lane);
        }
        /* What follows is told anew, so that it holds no registers before. */
        i32 again = item;
        gemm_args b = a;
        FORGET(again);
        FORGET_AT(b.ldc);
        FORGET_AT(b.m);
        FORGET_AT(b.n);
        FORGET_AT(alpha_at);
        FORGET_AT(beta_at);
        const f64 alpha = gemm_alpha(alpha_at, args.of), beta = gemm_beta(beta_at, args.of);
        const ring_lane at_end = lane_places(again / 32 % WARPS, again % 32);
#if SHOW_SUMS
        show_sums(r, layer, at_end, &sums);
#if CLUSTER > 1
        CLUSTER_BARRIER();
#else
        BARRIER_OF(1, COMPUTERS);
#endif
        store_shown(r, A, B, C, b, tile, alpha, beta, again);
#if CLUSTER > 1
        CLUSTER_BARRIER();
#else
        BARRIER_OF(1, COMPUTERS);
#endif
#else
        const i32 blocks = SWAP_HALVES ? MT / 2 : MT;
        const i32 i = tile.i + at_end.row + (SWAP_HALVES ? layer * 16 * blocks : 0),
                  j = tile.j + at_end.column;
#if SWAP_HALVES
        swap_halves(r, layer, again, &sums);
#endif
#if ZEROS
        if (!all_finite(&sums, blocks))
            mend_sums(A, B, a, i, j, at_end, blocks, &sums);
#endif
        store_sums(C, b, i, j, at_end, ring_cut(tile), alpha, beta, blocks, &sums);
#endif
        has = ring_next(a, args.raster, &round, &tile);
    }
    (void)A, (void)B;
}

KERNEL(gemm_dmma, ITEMS, 1, MIN_GROUPS)
(MAP(map_a), MAP(map_b),
#if TWICE
 MAP(map_a2), MAP(map_b2),
#endif
 GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, GLOBAL const i64 *RESTRICT sizes,
 gemm_ring_args args)
{
    LOCAL_ROOM(i64, room, RING_BYTES / 8);
    const ring_room r = ring_places(PLACE_OF(room));
    if (LANE_X == 0)
        ring_signals(r);
    BARRIER();
    BEGIN();
    const gemm_args a = ring_sizes(args.of, sizes, gemm_alpha(alpha_at, args.of));
    if (LANE_X >= COMPUTERS) {
#if FEWER
        REGISTERS_FEWER(FEWER);
#endif
        const i32 adds = !T_is_zero(gemm_beta(beta_at, args.of));
#if TWICE
        ring_produce(r, &map_a, &map_b, &map_a2, &map_b2, A, B, C, a, args.raster, adds,
                     LANE_X - COMPUTERS);
#else
        ring_produce(r, &map_a, &map_b, &map_a, &map_b, A, B, C, a, args.raster, adds,
                     LANE_X - COMPUTERS);
#endif
#if CLUSTER > 1
        BUNDLE_BARRIER(); /* the first of a bundle may have worked alone */
        CLUSTER_BARRIER();
        CLUSTER_BARRIER();
#endif
    } else {
#if FEWER
        REGISTERS_MORE(MORE);
#endif
        ring_compute(r, alpha_at, beta_at, A, B, C, args, a, LANE_X);
    }
}
