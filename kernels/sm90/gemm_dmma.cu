/* gemm_dmma.cu: C := alpha op(A) op(B) + beta C in double, real or complex, on matrix units
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
 * Complex products are real ones: C has a row of real and a row of imaginary parts for each of its rows, which rows g and g + 8
 * of a block are; terms 2 t and 2 t + 1 are the parts of term t of B, and those of A are (re, im) and (-im, re). Row or column g
 * of a block is g / 2 + 4 (g % 2); every load is one element.
 * Loads of 8 bytes stand where a pair in memory is no pair of neighbouring registers of the matrix unit.
 * The first loads of the next stage go between the last products of this one.
 *
 * Geometry: groups of ITEMS work-items along x; gemm_ring.cuh tells the rest. Barriers: one of all work-items at the
 * start; named ones of the computing work-items; with CLUSTER two of all groups of a cluster, of which all work-items wait for
 * both.
 */
#include "gemm_ring.cuh"

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
    i32 x, t;        /* its first row in each block; its columns */
    u32 a, b; /* its first elements, in bytes from the stage on; the others follow from them */
} ring_lane;

DEVICE ring_lane lane_places(i32 warp, i32 lane)
{
    ring_lane l;
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

/* Few registers: with an exclusive or between them, compilers do not load as far ahead (NVRTC 13.0). */
#define TIGHT (SOME_ELEMENTS || MIN_GROUPS > 1 || SKEW > 0 || PART || LAYERS * CLUSTER > 1)

/* The two places in a stage that all of a lane's loads of an operand are counted from. The compiler must not know how they
 * come about: it would keep the addresses of all loads in registers, through the loop. */
typedef struct ring_from {
    PLACE first, second;
} ring_from;

DEVICE ring_from a_from(PLACE stage, ring_lane l)
{
    ring_from f;
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

DEVICE ring_from b_from(PLACE stage, ring_lane l)
{
    ring_from f;
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
DEVICE void load_a(f64 *a, ring_from f, const i32 m)
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

/* What a block of A has beside its elements, once they are there. Elements are used as they stand: where one factor is
 * conjugate A has the sign, and the imaginary parts of sums get theirs at the end, because conj(a) b = conj(a conj(b)). */
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

DEVICE void turn_sums(ring_sums *sums)
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
DEVICE void load_b(f64 *b, ring_from f, const i32 n)
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

/* Column of the warp's part of the tile that element v (0 or 1) of block n is in: that of column 2 t + v of the block. */
DEVICE i32 block_column(ring_lane l, const i32 n, const i32 v)
{
    if (PREC == 3 || (A_ALONG && !B_ALONG))
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
    const ring_from from = a_from(r.stages + at->s * STAGE_BYTES, l);
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
    at->s += STEP_LAYERS;
    if (at->s >= STAGES) {
        at->s -= STAGES;
        at->parity ^= 1;
    }
    const PLACE next = r.stages + at->s * STAGE_BYTES;
    if (more) {
        SIGNAL_AWAIT(r.full + 8 * at->s, at->parity);
        load_a(p->a[0], a_from(next, l), 0);
    }
    const ring_from b_next = b_from(next, l);
    turn_a(p->a[(MT - 1) & 1]);
    UNROLLED
    for (i32 n = 0; n < NT; n++) {
        MULTIPLY_16X8X16(sums->v[MT - 1][n], p->a[(MT - 1) & 1], p->b[n]);
        if (more)
            load_b(p->b[n], b_next, n);
    }
    BUNDLE_BARRIER();
    if (lane == 0)
        SIGNAL_ARRIVE(r.empty + 8 * old);
}

DEVICE void load_first(ring_room r, ring_at at, ring_lane l, ring_parts *p)
{
    const PLACE stage = r.stages + at.s * STAGE_BYTES;
    SIGNAL_AWAIT(r.full + 8 * at.s, at.parity);
    load_a(p->a[0], a_from(stage, l), 0);
    const ring_from from = b_from(stage, l);
    UNROLLED
    for (i32 n = 0; n < NT; n++)
        load_b(p->b[n], from, n);
}

/* Element e (0, or 1 where 16 bytes hold two) of a pair of sums. */
DEVICE T sum_of(const f64 *v, const i32 column, const i32 e)
{
#if T_REALS > 1
    (void)e;
    return T_make(v[column], v[2 + column]);
#else
    return v[2 * e + column];
#endif
}

#if ZEROS
/* Sums that are not finite are made again from what counts. */
DEVICE void mend_sums(GLOBAL const T *A, GLOBAL const T *B, gemm_args a, i32 i, i32 j, ring_lane l,
                      const i32 blocks, ring_sums *sums)
{
    ROLLED
    for (i32 which = 0; which < 2 * PAIR * MT * NT; which++) {
        const i32 v = which % 2, e = which / 2 % PAIR, n = which / (2 * PAIR) % NT,
                  m = which / (2 * PAIR * NT);
        i32 wrong = 0;
        UNROLLED
        for (i32 x = 0; x < 2 * PAIR * blocks * NT; x++)
            if (x == which)
                wrong = !is_finite(
                    sum_of(sums->v[x / (2 * PAIR * NT)][x / (2 * PAIR) % NT], x % 2, x / 2 % PAIR));
        const i64 row = i + BLOCK_ROWS * m + l.x + e, column = j + block_column(l, n, v);
        if (wrong && row < a.m && column < a.n) {
            const T sum = sum_again(A, B, a, row, column);
            UNROLLED
            for (i32 x = 0; x < 2 * PAIR * blocks * NT; x++)
                if (x == which) {
                    f64 *to = sums->v[x / (2 * PAIR * NT)][x / (2 * PAIR) % NT];
#if T_REALS > 1
                    to[x % 2] = sum.re;
                    to[2 + x % 2] = sum.im;
#else
                    to[x / 2 % PAIR * 2 + x % 2] = sum;
#endif
                }
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

typedef struct ALIGNED(16) two_reals {
    f64 v[2];
} two_reals;

/* alpha (x, y) + beta old, of two reals or one complex number. */
DEVICE two_reals scaled_pair(T alpha, f64 x, f64 y, T beta, two_reals old)
{
    two_reals s;
#if T_REALS > 1
    const T sum = T_is_zero(beta)
                      ? T_mul(alpha, T_make(x, y))
                      : T_fma(alpha, T_make(x, y), T_mul(beta, T_make(old.v[0], old.v[1])));
    s.v[0] = sum.re;
    s.v[1] = sum.im;
#else
    s.v[0] = alpha * x;
    s.v[1] = alpha * y;
    if (beta != 0) {
        s.v[0] = R_fma(beta, old.v[0], s.v[0]);
        s.v[1] = R_fma(beta, old.v[1], s.v[1]);
    }
#endif
    return s;
}

/* What a lane has of block n of columns of C, before the product is added; c is where block 0 begins. */
DEVICE void load_old(GLOBAL const T *c, i64 ldc, ring_lane l, const i32 n, const i32 blocks,
                     two_reals *old)
{
    UNROLLED
    for (i32 v = 0; v < 2; v++) {
        GLOBAL const T *at = c + (block_column(l, n, v) - block_column(l, 0, 0)) * ldc;
        FORGET_AT(at);
        UNROLLED
        for (i32 m = 0; m < blocks; m++)
            old[v * MT + m] = *(GLOBAL const two_reals *)(at + BLOCK_ROWS * m);
    }
}

/* Stores it. */
DEVICE void store_block(GLOBAL T *c, i64 ldc, ring_lane l, const i32 n, const i32 blocks, T alpha,
                        T beta, const two_reals *old, const ring_sums *sums)
{
    UNROLLED
    for (i32 v = 0; v < 2; v++) {
        GLOBAL T *at = c + (block_column(l, n, v) - block_column(l, 0, 0)) * ldc;
        FORGET_AT(at);
        UNROLLED
        for (i32 m = 0; m < blocks; m++) {
            const two_reals s =
                scaled_pair(alpha, sums->v[m][n][v], sums->v[m][n][2 + v], beta, old[v * MT + m]);
            STORE_ONCE_2D((GLOBAL f64 *)(at + BLOCK_ROWS * m), s.v[0], s.v[1]);
        }
    }
}

#define OLD_BLOCKS 2
/* Stores the first `blocks` blocks of rows; (i, j) is the first element of the warp's part. */
DEVICE void store_sums(GLOBAL T *C, gemm_args a, i32 i, i32 j, ring_lane l, i32 cut, T alpha,
                       T beta, const i32 blocks, const ring_sums *sums)
{
    if (ALIGN_C == 16 && !cut && i + BLOCK_ROWS * blocks <= a.m && j + WARP_COLUMNS <= a.n) {
        GLOBAL T *c = C + i + l.x + (j + block_column(l, 0, 0)) * a.ldc;
        if (T_is_zero(beta)) {
            two_reals none[2 * MT];
            UNROLLED
            for (i32 m = 0; m < 2 * MT; m++)
                none[m].v[0] = none[m].v[1] = 0;
            UNROLLED
            for (i32 n = 0; n < NT; n++)
                store_block(c, a.ldc, l, n, blocks, alpha, beta, none, sums);
        } else {
            two_reals old[OLD_BLOCKS][2 * MT]; /* of blocks of columns under way */
            UNROLLED
            for (i32 n = 0; n < OLD_BLOCKS - 1; n++)
                load_old(c, a.ldc, l, n, blocks, old[n]);
            UNROLLED
            for (i32 n = 0; n < NT; n++) {
                if (n + OLD_BLOCKS - 1 < NT)
                    load_old(c, a.ldc, l, n + OLD_BLOCKS - 1, blocks,
                             old[(n + OLD_BLOCKS - 1) % OLD_BLOCKS]);
                store_block(c, a.ldc, l, n, blocks, alpha, beta, old[n % OLD_BLOCKS], sums);
            }
        }
        return;
    }
    UNROLLED
    for (i32 n = 0; n < NT; n++) {
        UNROLLED
        for (i32 v = 0; v < 2; v++) {
            const i64 column = j + block_column(l, n, v);
            UNROLLED
            for (i32 m = 0; m < blocks; m++) {
                UNROLLED
                for (i32 e = 0; e < PAIR; e++)
                    store_sum(C, a, i + BLOCK_ROWS * m + l.x + e, column, alpha,
                              sum_of(sums->v[m][n], v, e), beta);
            }
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
/* A group's sums of all its terms go to those who store them: with CLUSTER, each group of it some columns. */
DEVICE void send_pair(ring_room r, i32 row, i32 column, f64 x, f64 y)
{
#if CLUSTER > 1
    const i32 share = COLUMNS / CLUSTER;
    STORE_PEER_2D(PEER_PLACE(part_place(r, CLUSTER_RANK(), row, column % share), column / share), x,
                  y);
#else
    STORE_2D(sum_place(r, 0, row, column), x, y);
#endif
}

/* Every lane shows its sums: to the other layers, or, if there are none, to who stores them. */
DEVICE void show_sums(ring_room r, i32 layer, ring_lane l, const ring_sums *sums)
{
    UNROLLED
    for (i32 n = 0; n < NT; n++) {
        UNROLLED
        for (i32 v = 0; v < 2; v++) {
            const i32 column = l.column + block_column(l, n, v);
            UNROLLED
            for (i32 m = 0; m < MT; m++) {
                const i32 row = l.row + BLOCK_ROWS * m + l.x;
#if LAYERS > 1
                STORE_2D(sum_place(r, layer, row, column), sums->v[m][n][v], sums->v[m][n][2 + v]);
#else
                send_pair(r, row, column, sums->v[m][n][v], sums->v[m][n][2 + v]);
#endif
            }
        }
    }
    (void)layer;
}

/* The sum of a pair over all layers, or over what the groups of a cluster sent. */
DEVICE void add_shown(ring_room r, const i32 layers, i32 row, i32 column, f64 *sum)
{
    f64 part[LAYERS > CLUSTER ? LAYERS : CLUSTER][2];
    const i32 count = layers ? LAYERS : CLUSTER;
    UNROLLED
    for (i32 x = 0; x < count; x++)
        LOAD_2D(&part[x][0], &part[x][1],
                layers ? sum_place(r, x, row, column) : part_place(r, x, row, column));
    sum[0] = part[0][0];
    sum[2] = part[0][1];
    UNROLLED
    for (i32 x = 1; x < count; x++) {
        sum[0] += part[x][0];
        sum[2] += part[x][1];
    }
}

/* Stores a pair of sums, sum[0] and sum[2]; (i, j) is the place of the first in C. */
DEVICE void store_pair(GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C, gemm_args a, i32 cut,
                       i64 i, i64 j, T alpha, T beta, const f64 *sum)
{
    if (ALIGN_C == 16 && !ZEROS && !cut && i + PAIR <= a.m && j < a.n) {
        GLOBAL T *at = C + i + j * a.ldc;
        two_reals old;
        old.v[0] = old.v[1] = 0;
        if (!T_is_zero(beta))
            old = *(GLOBAL const two_reals *)at;
        const two_reals s = scaled_pair(alpha, sum[0], sum[2], beta, old);
        STORE_ONCE_2D((GLOBAL f64 *)at, s.v[0], s.v[1]);
        return;
    }
    UNROLLED
    for (i32 e = 0; e < PAIR; e++) {
        T one = sum_of(sum, 0, e);
#if ZEROS
        if (!is_finite(one) && i + e < a.m && j < a.n)
            one = sum_again(A, B, a, i + e, j);
#endif
        store_sum(C, a, i + e, j, alpha, one, beta);
    }
    (void)A, (void)B;
}

/* After all layers of the group have shown their sums: they are added, and stored or sent. */
DEVICE void store_shown(ring_room r, GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C, gemm_args a,
                        ring_tile tile, T alpha, T beta, i32 item)
{
    const i32 pairs = ROWS / PAIR;
    f64 sum[4] = {0, 0, 0, 0};
#if LAYERS > 1
    BARRIER_OF(1, COMPUTERS);
    ROLLED
    for (i32 x = item; x < pairs * COLUMNS; x += COMPUTERS) {
        const i32 row = x % pairs * PAIR, column = x / pairs;
        add_shown(r, 1, row, column, sum);
#if CLUSTER > 1
        send_pair(r, row, column, sum[0], sum[2]);
#else
        store_pair(A, B, C, a, ring_cut(tile), tile.i + row, tile.j + column, alpha, beta, sum);
#endif
    }
#endif
#if CLUSTER > 1
    BUNDLE_BARRIER();
    CLUSTER_BARRIER();
    const i32 first = CLUSTER_RANK() * (COLUMNS / CLUSTER);
    ROLLED
    for (i32 x = item; x < pairs * (COLUMNS / CLUSTER); x += COMPUTERS) {
        const i32 row = x % pairs * PAIR, column = x / pairs;
        add_shown(r, 0, row, column, sum);
        store_pair(A, B, C, a, ring_cut(tile), tile.i + row, tile.j + first + column, alpha, beta,
                   sum);
    }
#else
    BARRIER_OF(1, COMPUTERS); /* before the next tile's sums are shown */
#endif
}
#endif

/* Asks for a warp's part of a tile of C, which will be added to. */
DEVICE void fetch_part(GLOBAL const T *C, gemm_args a, ring_tile tile, ring_lane l, i32 lane)
{
#if ALIGN_C == 16
    const i32 left = (i32)a.m - tile.i - l.row, column = tile.j + l.column + lane,
              bytes = MINIMUM(left, WARP_ROWS) * (i32)sizeof(T) / 16 * 16;
    if (lane < WARP_COLUMNS && column < a.n && bytes > 0)
        FETCH_AHEAD(C + tile.i + l.row + column * a.ldc, bytes);
#else
    (void)C, (void)a, (void)tile, (void)l, (void)lane;
#endif
}

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
#if CLUSTER > 1
    const i32 found = has;
#endif
#if SKEW
    i32 ahead = has && steps.last - steps.first > SKEW * LAYERS ? SKEW : 0;
    if (ahead > 0 && warp >= WARPS / 2) {
        BARRIER_OF(2, COMPUTERS);
        ahead = 0;
    }
#endif
    while (has) {
        i32 again = item;
        FORGET(again);
        FORGET_AT(beta_at);
        if (layer == 0 && !T_is_zero(gemm_beta(beta_at, args.of)))
            fetch_part(C, a, tile, lane_places(again / 32 % WARPS, again % 32), again % 32);
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
        const ring_lane at_end = lane_places(again / 32 % WARPS, again % 32);
#if SHOW_SUMS
#if CLUSTER > 1
        CLUSTER_WAIT(); /* all groups have begun: their local memory is there */
#endif
        show_sums(r, layer, at_end, &sums);
        store_shown(r, A, B, C, b, tile, alpha, beta, again);
#else
        const i32 blocks = SWAP_HALVES ? MT / 2 : MT;
        const i32 i = tile.i + at_end.row + (SWAP_HALVES ? layer * BLOCK_ROWS * blocks : 0),
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
    if (LANE_X == COMPUTERS)
        ring_maps(&map_a, &map_b);
    BARRIER();
#if CLUSTER > 1
    CLUSTER_ARRIVE();
#endif
    BEGIN();
    if (args.early)
        NEXT_MAY_START();
    const gemm_args a = ring_sizes(args.of, sizes, gemm_alpha(alpha_at, args.of));
    if (LANE_X >= COMPUTERS) {
#if FEWER
        REGISTERS_FEWER(FEWER);
#endif
#if TWICE
        ring_produce(r, &map_a, &map_b, &map_a2, &map_b2, A, B, C, a, args.raster, 0,
                     LANE_X - COMPUTERS);
#else
        ring_produce(r, &map_a, &map_b, &map_a, &map_b, A, B, C, a, args.raster, 0,
                     LANE_X - COMPUTERS);
#endif
#if CLUSTER > 1
        BUNDLE_BARRIER();
        CLUSTER_WAIT();
        CLUSTER_BARRIER();
#endif
    } else {
#if FEWER
        REGISTERS_MORE(MORE);
#endif
        ring_compute(r, alpha_at, beta_at, A, B, C, args, a, LANE_X);
    }
}
