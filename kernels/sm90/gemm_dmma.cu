/* gemm_dmma.cu: C := alpha op(A) op(B) + beta C in double, real or complex, on matrix units
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The frame (gemm_pipeline.cuh) brings tiles; here they are multiplied. A warp of 32 lanes has
 * WARP_ROWS x WARP_COLUMNS sums in registers, as blocks of 16 x 8. With g = lane / 4 and t = lane %
 * 4, which rows, columns and terms of a tile a lane's elements of a block stand for is free as long
 * as both factors and C agree. They are numbered such that loads from shared memory touch all banks
 * once, and are 16 bytes wide where possible:
 *   rows g and g + 8 of a block are its rows 2 g and 2 g + 1;
 *   A stored along its rows: terms t, t + 4, t + 8, t + 12 of the matrix unit are terms
 *   2 t, 2 t + 1, 2 t + 8, 2 t + 9 of the stage; column g of a block is
 *   g / 2 + 4 (g % 2), or g where B is stored along its columns;
 *   A stored along its terms: those are as they are; column g of a block
 *   is 2 (g % 4) + g / 4, or, of 16 columns of two blocks where B is stored along its columns, g %
 *   2 + 8 (g / 2 % 2) + 2 (g / 4), and 4 more of the second block.
 * Complex products are real ones: C has a row of real and a row of imaginary parts for each of its
 * rows, which rows g and g + 8 of a block are; terms 2 t and 2 t + 1 are the parts of term t of B,
 * and those of A are (re, im) and (-im, re). Row or column g of a block is g / 2 + 4 (g % 2); every
 * load is one element.
 * Loads of 8 bytes stand where a pair in memory is no pair of neighbouring registers of the matrix
 * unit.
 * The first loads of the next stage go between the last products of this one.
 *
 * Geometry: groups of ITEMS work-items along x; gemm_pipeline.cuh tells the rest. Barriers: one of
 * all work-items at the start; named ones of the computing work-items; with CLUSTER two of all
 * groups of a cluster, of which all work-items wait for both.
 */
#define STAGED_COLUMNS 16 /* of C, in its buffers: two blocks, which may share them */
#define STAGED_PARTS   (WARP_COLUMNS / STAGED_COLUMNS)
#include "gemm_pipeline.cuh"

#if SPLIT_K > 1 && (STAGES % SPLIT_K || STAGES < 2 * SPLIT_K)
#error "slices need stages of their own, two at least"
#endif

#if PREC != 1 && PREC != 3
#error "these are products in double"
#endif
#define PAIR       (2 / T_REALS) /* elements of C that stand side by side in 16 bytes */
#define BLOCK_ROWS (8 * PAIR)    /* of a block of 16 x 8 reals */
#define MT         (WARP_ROWS / BLOCK_ROWS)
#define NT         (WARP_COLUMNS / 8)
#if WARP_ROWS % (2 * BLOCK_ROWS) || WARP_COLUMNS % 16
#error "WARP_ROWS must be a multiple of two blocks, WARP_COLUMNS of 16"
#endif
#define BLOCK_BYTES (BLOCK_ROWS * LINE_BYTES) /* of A, in a stage */

typedef struct pipeline_sums {
    f64 v[MT][NT][4];
} pipeline_sums;

/* What a lane has of a stage: of A two blocks, one in use and one under way, of B all. */
typedef struct pipeline_parts {
    f64 a[2][8], b[NT][4];
} pipeline_parts;

/* Where a lane's elements are in a stage. */
typedef struct pipeline_lane {
    i32 row, column; /* of the warp's part of the tile */
    i32 x, t;        /* its first row in each block; its columns */
    u32 a, b; /* its first elements, in bytes from the stage on; the others follow from them */
} pipeline_lane;

DEVICE pipeline_lane lane_places(i32 warp, i32 lane)
{
    pipeline_lane l;
    const i32 g = lane / 4, t = lane % 4;
    l.row = warp % (ROWS / WARP_ROWS) * WARP_ROWS;
    l.column = warp / (ROWS / WARP_ROWS) * WARP_COLUMNS;
    l.x = PREC == 3 ? g / 2 + 4 * (g % 2) : 2 * g;
    l.t = t;
    const i32 a_bytes = l.row * LINE_BYTES, b_bytes = A_BYTES + l.column * LINE_BYTES;
#if PREC == 3
    const i32 q = l.x, along = q ^ t;
    l.a = (u32)(a_bytes + (A_ALONG ? t : q) * LINE_BYTES + (along << 4));
    l.b = (u32)(b_bytes + (B_ALONG ? t : q) * LINE_BYTES + (along << 4));
#elif A_ALONG
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

/* Few registers: with an exclusive or between them, compilers do not load as far ahead (NVRTC
 * 13.0). */
#define TIGHT                                                                                      \
    (SOME_ELEMENTS || MIN_GROUPS > 1 || STAGGER > 0 || TRIANGLE_C || SPLIT_K * CLUSTER > 1 ||      \
     BATCH || STAGED_C)

/* The two places in a stage that all of a lane's loads of an operand are counted from. The compiler
 * must not know how they come about: it would keep the addresses of all loads in registers, through
 * the loop. */
typedef struct pipeline_from {
    PLACE first, second;
} pipeline_from;

DEVICE pipeline_from a_from(PLACE stage, pipeline_lane l)
{
    pipeline_from f;
    f.first = stage + l.a;
#if PREC == 3
    f.second = PLACE_XOR(f.first, 64) + (A_ALONG ? 512 : 0);
#else
    f.second = PLACE_XOR(f.first, 16) + 128; /* of lines with odd numbers */
#endif
    FORGET(f.first);
    if (PREC == 3 || !TIGHT)
        FORGET(f.second);
    return f;
}

DEVICE pipeline_from b_from(PLACE stage, pipeline_lane l)
{
    pipeline_from f;
    f.first = stage + l.b;
#if PREC == 3
    f.second = PLACE_XOR(f.first, 64) + (B_ALONG ? 512 : 0);
#elif A_ALONG && B_ALONG
    f.second = PLACE_XOR(f.first, 16) + 128;
#else
    f.second = PLACE_XOR(f.first, 64);
#endif
    FORGET(f.first);
    FORGET(f.second);
    return f;
}

/* Block number m of A. */
DEVICE void load_a(f64 *a, pipeline_from f, const i32 m)
{
#if PREC == 3
    LOAD_2D(&a[0], &a[1], f.first + m * BLOCK_BYTES);
    LOAD_2D(&a[4], &a[5], f.second + m * BLOCK_BYTES);
#elif A_ALONG
    const PLACE even = f.first + m * BLOCK_BYTES,
                odd = TIGHT ? PLACE_XOR(even, 16) + 128 : f.second + m * BLOCK_BYTES;
    LOAD_2D(&a[0], &a[1], even);
    LOAD_2D(&a[2], &a[3], odd);
    LOAD_2D(&a[4], &a[5], even + 1024);
    LOAD_2D(&a[6], &a[7], odd + 1024);
#else
    const PLACE even = f.first + m * BLOCK_BYTES, odd = PLACE_XOR(even, 16) + 128;
    UNROLLED
    for (i32 j = 0; j < 4; j++) {
        LOAD_1D(&a[2 * j],
                TIGHT ? PLACE_XOR(even, 32 * j) : PLACE_XOR(f.first, 32 * j) + m * BLOCK_BYTES);
        LOAD_1D(&a[2 * j + 1],
                TIGHT ? PLACE_XOR(odd, 32 * j) : PLACE_XOR(f.second, 32 * j) + m * BLOCK_BYTES);
    }
#endif
}

/* What a block of A has beside its elements, once they are there. Elements are used as they stand:
 * where one factor is conjugate A has the sign, and the imaginary parts of sums get theirs at the
 * end, because conj(a) b = conj(a conj(b)). */
#define ONE_CONJUGATE ((TRANS_A == 2) != (TRANS_B == 2))
DEVICE void turn_a(f64 *a)
{
#if PREC == 3
    UNROLLED
    for (i32 h = 0; h < 8; h += 4) {
        a[h + 2] = ONE_CONJUGATE ? a[h + 1] : MINUS(a[h + 1]);
        a[h + 3] = ONE_CONJUGATE ? MINUS(a[h]) : a[h];
    }
#else
    (void)a;
#endif
}

DEVICE void turn_sums(pipeline_sums *sums)
{
#if TRANS_A == 2
    UNROLLED
    for (i32 m = 0; m < MT; m++) {
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            sums->v[m][n][2] = -sums->v[m][n][2];
            sums->v[m][n][3] = -sums->v[m][n][3];
        }
    }
#else
    (void)sums;
#endif
}

/* Block number n of B. */
DEVICE void load_b(f64 *b, pipeline_from f, const i32 n)
{
#if PREC == 3 || (A_ALONG && !B_ALONG)
    LOAD_2D(&b[0], &b[1], f.first + n * 1024);
    LOAD_2D(&b[2], &b[3], f.second + n * 1024);
#elif A_ALONG
    const i32 pair = n / 2 * 2048;
    const u32 second = n % 2 * 64;
    LOAD_1D(&b[0], PLACE_XOR(f.first, second) + pair);
    LOAD_1D(&b[1], PLACE_XOR(f.second, second) + pair);
    LOAD_1D(&b[2], PLACE_XOR(f.first, second) + (pair + 1024));
    LOAD_1D(&b[3], PLACE_XOR(f.second, second) + (pair + 1024));
#elif B_ALONG
    const i32 pair = n / 2 * 2048;
    const u32 second = n % 2 * 32;
    LOAD_1D(&b[0], PLACE_XOR(f.first, second) + pair);
    LOAD_1D(&b[1], PLACE_XOR(f.second, second) + (pair + 512));
    LOAD_1D(&b[2], PLACE_XOR(f.first, second) + (pair + 1024));
    LOAD_1D(&b[3], PLACE_XOR(f.second, second) + (pair + 1536));
#else
    LOAD_1D(&b[0], f.first + n * 1024);
    LOAD_1D(&b[1], PLACE_XOR(f.first, 32) + n * 1024);
    LOAD_1D(&b[2], f.second + n * 1024);
    LOAD_1D(&b[3], PLACE_XOR(f.second, 32) + n * 1024);
#endif
}

/* Column of the warp's part of the tile that element v (0 or 1) of block n is in: that of column 2
 * t + v of the block. */
DEVICE i32 block_column(pipeline_lane l, const i32 n, const i32 v)
{
    if (PREC == 3 || (A_ALONG && !B_ALONG))
        return n * 8 + l.t + 4 * v;
    if (A_ALONG)
        return n * 8 + 2 * l.t + v;
    if (!B_ALONG)
        return n * 8 + 4 * (l.t % 2) + 2 * v + l.t / 2;
    return n / 2 * 16 + n % 2 * 4 + v + 8 * (l.t % 2) + 2 * (l.t / 2);
}

/* Where a slice is in the pipeline. */
typedef struct pipeline_at {
    i32 s;
    u32 parity;
} pipeline_at;

/* Multiplies one stage. `more`: what comes first of the next one of the tile is loaded on the
 * way. */
DEVICE void multiply_stage(pipeline_room r, pipeline_at *at, pipeline_lane l, pipeline_parts *p,
                           pipeline_sums *sums, const i32 more, i32 lane)
{
    const pipeline_from from = a_from(r.stages + at->s * STAGE_BYTES, l);
    UNROLLED
    for (i32 m = 0; m < MT - 1; m++) {
        load_a(p->a[(m + 1) & 1], from, m + 1);
        turn_a(p->a[m & 1]);
        UNROLLED
        for (i32 n = 0; n < NT; n++)
            MULTIPLY_16X8X16(sums->v[m][n], p->a[m & 1], p->b[n]);
    }
    READS_DONE(); /* all of this stage is in registers */
    const i32 old = at->s;
    at->s += STEP_SLICES;
    if (at->s >= STAGES) {
        at->s -= STAGES;
        at->parity ^= 1;
    }
    const PLACE next = r.stages + at->s * STAGE_BYTES;
    if (more) {
        MBARRIER_WAIT(r.full + 8 * at->s, at->parity);
        load_a(p->a[0], a_from(next, l), 0);
    }
    const pipeline_from b_next = b_from(next, l);
    turn_a(p->a[(MT - 1) & 1]);
    UNROLLED
    for (i32 n = 0; n < NT; n++) {
        MULTIPLY_16X8X16(sums->v[MT - 1][n], p->a[(MT - 1) & 1], p->b[n]);
        if (more)
            load_b(p->b[n], b_next, n);
    }
    WARP_BARRIER();
    if (ARRIVES(lane == 0))
        MBARRIER_ARRIVE(r.empty + 8 * old);
}

DEVICE void load_first(pipeline_room r, pipeline_at at, pipeline_lane l, pipeline_parts *p)
{
    const PLACE stage = r.stages + at.s * STAGE_BYTES;
    MBARRIER_WAIT(r.full + 8 * at.s, at.parity);
    load_a(p->a[0], a_from(stage, l), 0);
    const pipeline_from from = b_from(stage, l);
    UNROLLED
    for (i32 n = 0; n < NT; n++)
        load_b(p->b[n], from, n);
}

#include "gemm_dmma_end.cuh"

/* What the computing work-items do. */
DEVICE void pipeline_compute(pipeline_room r, GLOBAL const R *alpha_at, GLOBAL const R *beta_at,
                             GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C,
                             gemm_pipeline_args args, gemm_args a, i32 item)
{
    const i32 slice = item / (32 * WARPS), warp = item / 32 - slice * WARPS, lane = item % 32;
    const pipeline_lane l = lane_places(warp, lane);
    pipeline_at at;
    at.s = slice;
    at.parity = 0;
    pipeline_sums sums;
    pipeline_parts parts;
    pipeline_tile tile = {0};
#if STAGED_C
    i32 use = 0; /* of the buffers of C */
#endif
    i32 round = 0, has = pipeline_next(a, args.raster, &round, &tile);
    pipeline_steps steps = pipeline_terms(a, tile);
#if CLUSTER > 1
    const i32 found = has;
#endif
#if STAGGER
    i32 ahead = has && steps.last - steps.first > STAGGER * SPLIT_K ? STAGGER : 0;
    if (ahead > 0 && warp >= WARPS / 2) {
        BARRIER_OF(2, COMPUTERS);
        ahead = 0;
    }
#endif
    while (has) {
        i32 again = item;
        FORGET(again);
        FORGET_AT(beta_at);
        if (slice == 0 && pipeline_stored(a, tile) && !T_is_zero(gemm_beta(beta_at, args.of)))
            fetch_part(ENTRY_C(C, a, tile), a, tile, lane_places(again / 32 % WARPS, again % 32),
                       again % 32);
        steps = pipeline_terms(a, tile);
        UNROLLED
        for (i32 m = 0; m < MT; m++) {
            UNROLLED
            for (i32 n = 0; n < NT; n++) {
                UNROLLED
                for (i32 e = 0; e < 4; e++)
                    sums.v[m][n][e] = 0;
            }
        }
        i32 left = (steps.last - steps.first) / SPLIT_K;
        if (left > 0) {
            load_first(r, at, l, &parts);
            ROLLED
            for (; left > 1; left--) {
                multiply_stage(r, &at, l, &parts, &sums, 1, lane);
#if STAGGER
                if (ahead > 0 && --ahead == 0)
                    ARRIVE_AT(2, COMPUTERS);
#endif
            }
            multiply_stage(r, &at, l, &parts, &sums, 0, lane);
        }
        turn_sums(&sums);
        /* What follows is told anew, so that it holds no registers before. */
        gemm_args b = a;
        again = item;
        FORGET(again);
        FORGET_AT(b.ldc);
        FORGET_AT(b.m);
        FORGET_AT(b.n);
        FORGET_AT(alpha_at);
        FORGET_AT(beta_at);
        const T alpha = gemm_alpha(alpha_at, args.of), beta = gemm_beta(beta_at, args.of);
        const pipeline_lane at_end = lane_places(again / 32 % WARPS, again % 32);
#if SHOW_SUMS
#if CLUSTER > 1
        CLUSTER_WAIT(); /* all groups have begun: their shared memory is there */
#endif
        show_sums(r, slice, at_end, &sums);
        store_shown(r, A, B, ENTRY_C(C, b, tile), b, tile, alpha, beta, again);
#else
        const i32 blocks = SWAP_HALVES ? MT / 2 : MT;
        const i32 i = tile.i + at_end.row + (SWAP_HALVES ? slice * BLOCK_ROWS * blocks : 0),
                  j = tile.j + at_end.column;
#if SWAP_HALVES
        swap_halves(r, slice, again, &sums);
#endif
#if TRIANGULAR
        if (!all_finite(&sums, blocks))
            recompute_nonfinite(A, B, a, i, j, at_end, blocks, &sums);
#endif
#if STAGED_C
        if (!pipeline_stored(b, tile))
            stage_sums(r, use++, at_end, alpha, beta, &sums);
        else
#endif
            store_sums(ENTRY_C(C, b, tile), b, i, j, at_end, STAGED_C || pipeline_cut(tile), alpha,
                       beta, blocks, &sums);
#endif
        has = pipeline_next(a, args.raster, &round, &tile);
    }
#if CLUSTER > 1
    if (!found) { /* nothing to do, but others wait */
        CLUSTER_WAIT();
        CLUSTER_BARRIER();
    }
#endif
    (void)A, (void)B;
}

KERNEL(gemm_dmma, ITEMS, 1, MIN_GROUPS)
(MAP(map_a), MAP(map_b),
#if TWO_PRODUCTS
 MAP(map_a2), MAP(map_b2),
#endif
#if STAGED_C
 MAP(map_c),
#endif
 GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, GLOBAL const i64 *RESTRICT sizes,
 gemm_pipeline_args args)
{
    LOCAL_ROOM(i64, room, PIPELINE_BYTES / 8);
    const pipeline_room r = pipeline_places(PLACE_OF(room));
    if (ITEM_X == 0)
        pipeline_mbarriers(r);
    if (ITEM_X == COMPUTERS)
        pipeline_maps(&map_a, &map_b);
#if STAGED_C
    if (ITEM_X == COMPUTERS + EPILOGUE_ITEM)
        PREFETCH_TENSOR_MAP(&map_c);
#endif
    BARRIER();
#if CLUSTER > 1
    CLUSTER_ARRIVE();
#endif
    BEGIN();
    if (args.early)
        NEXT_MAY_START();
    const gemm_args a = pipeline_sizes(args.of, sizes, gemm_alpha(alpha_at, args.of));
    if (ITEM_X >= COMPUTERS) {
#if FEWER
        REGISTERS_FEWER(FEWER);
#endif
#if STAGED_C
        if (ITEM_X == COMPUTERS + EPILOGUE_ITEM)
            pipeline_epilogue(r, &map_c, a, args.raster, !T_is_zero(gemm_beta(beta_at, args.of)));
#endif
#if TWO_PRODUCTS
        pipeline_produce(r, &map_a, &map_b, &map_a2, &map_b2, A, B, C, a, args.raster, 0,
                         ITEM_X - COMPUTERS);
#else
        pipeline_produce(r, &map_a, &map_b, &map_a, &map_b, A, B, C, a, args.raster, 0,
                         ITEM_X - COMPUTERS);
#endif
#if CLUSTER > 1
        WARP_BARRIER();
        CLUSTER_WAIT();
        CLUSTER_BARRIER();
#endif
    } else {
#if FEWER
        REGISTERS_MORE(MORE);
#endif
        pipeline_compute(r, alpha_at, beta_at, A, B, C, args, a, ITEM_X);
    }
}
