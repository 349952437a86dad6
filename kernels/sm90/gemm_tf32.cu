/* gemm_tf32.cu: C := alpha op(A) op(B) + beta C in single precision, by products of TF32 numbers
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An element is split into high, rounded to 11 bits, and low, the exact rest. A product is low high
 * + high low + high high. The matrix units truncate their sums, so after 16 terms these are added
 * to sums in registers, rounded to nearest. Two warpgroups compute 64 rows each of a tile, and
 * split A in registers. TMA loads stages of TERMS terms of both factors. A third warpgroup asks for
 * them and splits B: high stands where B stood, low behind it, both in lines of terms, for which it
 * may transpose blocks of 32 x 32. Mbarriers of a stage: RAW, both factors are there; READY, B is
 * split; FREE, all its products are done. TRIANGULAR: what lies beyond the triangle becomes zeros;
 * a sum that is not finite there is computed again. alpha = 0 or k = 0: A and B are not read; beta
 * = 0: C is not. Geometry: groups of 384 work-items, at most one per multiprocessor. Maps: A and B,
 * tiles of 32 x 32 elements, of 32 terms x 64 where terms lie side by side, swizzled. Macros: those
 * of gemm.h; COLUMNS 64, 128 or 192 (with TRIANGLE_C 64 or 128); STAGES 3 or more; RASTER, tile
 * rows of a band; TWO_PRODUCTS; STAYS 1: high of B is B itself. Shared memory: stages, 1024 bytes,
 * mbarriers. Barriers: one of all, and 1 and 2 of the computing warpgroups.
 */
#include "gemm.h"
#include "wgmma.cuh"

#if !defined(COLUMNS) || !defined(STAGES) || !defined(RASTER) || !defined(TWO_PRODUCTS) ||         \
    !defined(STAYS)
#error "gemm_tf32.cu needs COLUMNS, STAGES, RASTER, TWO_PRODUCTS and STAYS"
#endif
#if STAYS && (TRANS_B != 0 || TRIANGULAR > 2)
#error "B stays where it lies in lines of terms and all of it counts"
#endif

#define ROWS        128
#define TERMS       32
#define LINE_BYTES  128
#define PANEL_BYTES (32 * LINE_BYTES)
#define A_BYTES     (ROWS * LINE_BYTES)
#define B_BYTES     (COLUMNS * LINE_BYTES)
#define STAGE_BYTES (A_BYTES + 2 * B_BYTES)
#define SUMS        (COLUMNS / 2) /* of a work-item */
#define COMPUTING   256
#define SPLITTING   128
#define A_ALONG     (TRANS_A == 0) /* rows of op(A) lie side by side */
#define B_ALONG     (TRANS_B != 0) /* columns of op(B) do */

/* Registers of a work-item: 504 for two that compute and one that splits. */
#define MANY_REGISTERS 208
#define FEW_REGISTERS  88

/* Mbarriers: RAW, READY and FREE of each stage. */
#define RAW(room, slot)   ((room) + STAGES * STAGE_BYTES + 8 * (slot))
#define READY(room, slot) RAW(room, STAGES + (slot))
#define FREE(room, slot)  RAW(room, 2 * STAGES + (slot))

/* ---- Tiles ---- */

/* Where a warpgroup is: a tile of C, its steps of TERMS terms, and the slot of the step. */
typedef struct tile_walk {
    i32 i, j, first; /* the tile's first row and column, the first term of its first step */
    i32 tile, step, steps, slot;
    u32 parity;
} tile_walk;

DEVICE i32 tile_count(gemm_args a)
{
    const i32 rows = (i32)a.tile_rows;
#if TRIANGLE_C
    return rows * (rows + 1) / 2 * (ROWS / COLUMNS);
#else
    return rows * (i32)a.tile_columns;
#endif
}

/* The first row and column of a tile. Of a triangle, blocks of ROWS x ROWS are counted by pairs of
 * rows, a short one and a long one. */
DEVICE void tile_place(gemm_args a, i32 tile, i32 *i, i32 *j)
{
    const i32 rows = (i32)a.tile_rows, columns = (i32)a.tile_columns;
#if TRIANGLE_C
    const i32 each = ROWS / COLUMNS, within = tile % each, block = tile / each;
    const i32 pair = block / (rows + 1), at = block % (rows + 1);
    const i32 longer = at > pair ? rows - 1 - pair : pair, shorter = at > pair ? at - pair - 1 : at;
    (void)columns;
    *i = (TRIANGLE_C == 2 ? longer : shorter) * ROWS;
    *j = (TRIANGLE_C == 2 ? shorter : longer) * ROWS + within * COLUMNS;
#else
    /* Bands of tile rows, or of tile columns where those have different terms: longest first. */
    const i32 by_columns = TRIANGULAR > 2, across = by_columns ? rows : columns,
              along = by_columns ? columns : rows;
    const i32 band = tile / (RASTER * across), start = band * RASTER,
              width = along - start < RASTER ? along - start : RASTER;
    const i32 rest = tile - start * across, second = rest / width, first = start + rest % width;
    const i32 row = by_columns ? second : first, column = by_columns ? first : second;
    *i = (TRIANGULAR == 1 ? rows - 1 - row : row) * ROWS;
    *j = (TRIANGULAR == 4 ? columns - 1 - column : column) * COLUMNS;
#endif
}

/* Takes the next tile from `tile` on that has elements. */
DEVICE void take_tile(gemm_args a, i32 terms, i32 tile, tile_walk *walk)
{
    walk->tile = tile;
    walk->step = 0;
    walk->steps = 0;
    if (tile >= tile_count(a))
        return;
    tile_place(a, tile, &walk->i, &walk->j);
    i32 end = terms;
    walk->first = 0;
#if TRIANGULAR == 1
    end = walk->i + ROWS < end ? walk->i + ROWS : end;
#elif TRIANGULAR == 2
    walk->first = walk->i;
#elif TRIANGULAR == 3
    walk->first = walk->j / TERMS * TERMS;
#elif TRIANGULAR == 4
    end = walk->j + COLUMNS < end ? walk->j + COLUMNS : end;
#endif
    if (end > walk->first)
        walk->steps = (end - walk->first + TERMS - 1) / TERMS * (1 + TWO_PRODUCTS);
}

/* The first step of a group, and the one behind. Tiles without terms have none. */
DEVICE void skip_empty(gemm_args a, i32 terms, tile_walk *walk)
{
    while (walk->steps == 0 && walk->tile < tile_count(a))
        take_tile(a, terms, walk->tile + (i32)GROUPS_X, walk);
}

DEVICE tile_walk first_step(gemm_args a, i32 terms)
{
    tile_walk walk;
    walk.slot = 0;
    walk.parity = 0;
    walk.i = walk.j = walk.first = 0;
    take_tile(a, terms, (i32)GROUP_X, &walk);
    skip_empty(a, terms, &walk);
    return walk;
}

DEVICE void next_slot(tile_walk *walk)
{
    if (++walk->slot == STAGES) {
        walk->slot = 0;
        walk->parity ^= 1;
    }
}

DEVICE void next_step(gemm_args a, i32 terms, tile_walk *walk)
{
    next_slot(walk);
    if (++walk->step == walk->steps) {
        take_tile(a, terms, walk->tile + (i32)GROUPS_X, walk);
        skip_empty(a, terms, walk);
    }
}

/* The first term of the step. */
DEVICE i32 term_of(const tile_walk *walk)
{
    const i32 half = walk->steps / (1 + TWO_PRODUCTS);
    return walk->first +
           (TWO_PRODUCTS && walk->step >= half ? walk->step - half : walk->step) * TERMS;
}

/* The first term of the step, seen from the diagonal of a triangular factor (tile's first line). */
DEVICE i32 ahead_of(const tile_walk *walk)
{
    return term_of(walk) - (TRIANGULAR <= 2 ? walk->i : walk->j);
}

/* An element of a triangular factor, as it is used; `diagonal`: the term of its diagonal. */
DEVICE float used(float stored, i32 term, i32 diagonal)
{
    if (UNIT && term == diagonal)
        return 1;
    return (UP_TO ? term <= diagonal : term >= diagonal) ? stored : 0;
}

/* ---- The third warpgroup: copies, and B split ---- */

DEVICE void ask(const tensor_map *a_map, const tensor_map *b_map, const tile_walk *walk, PLACE room)
{
    const PLACE stage = room + (u32)(walk->slot * STAGE_BYTES),
                mbarrier = RAW(room, (u32)walk->slot);
    const i32 p = term_of(walk), i = walk->i, j = walk->j;
    const i32 exchanged = TWO_PRODUCTS && walk->step >= walk->steps / 2;
    const tensor_map *const left = exchanged ? b_map : a_map, *const right =
                                                                  exchanged ? a_map : b_map;
    MBARRIER_EXPECT(mbarrier, A_BYTES + B_BYTES);
    UNROLLED
    for (i32 r = 0; r < ROWS; r += A_ALONG ? 32 : 64)
        TMA_LOAD_2(stage + (u32)(r * LINE_BYTES), left, A_ALONG ? i + r : p, A_ALONG ? p : i + r,
                   mbarrier);
    UNROLLED
    for (i32 r = 0; r < COLUMNS; r += B_ALONG ? 32 : 64)
        TMA_LOAD_2(stage + (u32)(A_BYTES + r * LINE_BYTES), right, B_ALONG ? j + r : p,
                   B_ALONG ? p : j + r, mbarrier);
}

/* The first 11 bits of a number, rounded. An Inf stays; the low part of a NaN is a NaN. */
DEVICE float high_of(float a)
{
    return AS_FLOAT((AS_WORD(a) + 0x1000u) & 0xffffe000u);
}

DEVICE void split_four(float *v, PLACE high_at, PLACE low_at)
{
    float high[4], low[4];
    UNROLLED
    for (i32 e = 0; e < 4; e++) {
        high[e] = STAYS ? AS_FLOAT(AS_WORD(v[e]) & 0xffffe000u) : high_of(v[e]);
        low[e] = v[e] - high[e];
        if (STAYS) /* it has 13 bits */
            low[e] = high_of(low[e]);
    }
    if (!STAYS)
        STORE_4S(high_at, high);
    STORE_4S(low_at, low);
}

#if B_ALONG
/* Blocks of 32 x 32: a lane has a column with all its terms before the first is stored. */
DEVICE void split_b(PLACE b, i32 lane, i32 ahead)
{
    const i32 own = lane % 32;
    ROLLED
    for (i32 panel = lane / 32; panel < COLUMNS / 32; panel += SPLITTING / 32) {
        const PLACE at = b + (u32)(panel * PANEL_BYTES);
        float v[TERMS];
        UNROLLED
        for (i32 k = 0; k < TERMS; k++)
            LOAD_1S(&v[k], at + (u32)(k * LINE_BYTES + ((own / 4 ^ (k & 7)) << 4) + own % 4 * 4));
        WARP_BARRIER();
        UNROLLED
        for (i32 c = 0; c < TERMS / 4; c++) {
            const PLACE to = at + (u32)(own * LINE_BYTES + ((c ^ (own & 7)) << 4));
            UNROLLED
            for (i32 k = 4 * c; TRIANGULAR > 2 && k < 4 * c + 4; k++)
                v[k] = used(v[k], k, panel * 32 + own - ahead);
            split_four(&v[4 * c], to, to + B_BYTES);
        }
    }
}
#else
#define AT_ONCE 4
/* Numbers stay where they are, whatever they are. */
DEVICE void split_b(PLACE b, i32 lane, i32 ahead)
{
    ROLLED
    for (i32 at = lane; at < COLUMNS * 8; at += AT_ONCE * SPLITTING) {
        float v[AT_ONCE][4];
        UNROLLED
        for (i32 u = 0; u < AT_ONCE; u++)
            LOAD_4S(v[u], b + (u32)(16 * (at + u * SPLITTING)));
        UNROLLED
        for (i32 u = 0; u < AT_ONCE; u++) {
            const i32 chunk = at + u * SPLITTING, line = chunk / 8;
            const PLACE to = b + (u32)(16 * chunk);
            UNROLLED
            for (i32 e = 0; TRIANGULAR > 2 && e < 4; e++)
                v[u][e] = used(v[u][e], ((chunk % 8 ^ (line & 7)) << 2) + e, line - ahead);
            split_four(v[u], to, to + B_BYTES);
        }
    }
}
#endif

DEVICE void feed(const tensor_map *a_map, const tensor_map *b_map, gemm_args a, i32 terms,
                 PLACE room, i32 lane)
{
    tile_walk ahead = first_step(a, terms), now = ahead;
    const i32 tiles = tile_count(a);
    i32 asked = 0, done = 0;
    ROLLED
    for (; now.tile < tiles; next_step(a, terms, &now), done++) {
        /* So many steps ahead that the slot was freed while the step before was split. */
        ROLLED
        while (asked < done + STAGES - 1 && ahead.tile < tiles) {
            if (lane == 0) {
                if (asked >= STAGES)
                    MBARRIER_WAIT(FREE(room, (u32)ahead.slot), ahead.parity ^ 1);
                ask(a_map, b_map, &ahead, room);
            }
            next_step(a, terms, &ahead);
            asked++;
        }
        MBARRIER_WAIT(RAW(room, (u32)now.slot), now.parity);
        split_b(room + (u32)(now.slot * STAGE_BYTES + A_BYTES), lane, ahead_of(&now));
        STORES_READY();
        WARP_BARRIER();
        if (ARRIVES(lane % 32 == 0))
            MBARRIER_ARRIVE(READY(room, (u32)now.slot));
    }
}

/* ---- The computing warpgroups ---- */

/* A, 64 rows by 16 terms, as the matrix units take it. */
typedef struct a_words {
    u32 high[2][4], low[2][4];
} a_words;

/* Where a work-item is in a tile: its first row; the other of a pair is ROW_APART further. Where
 * rows lie side by side a pair is loaded at once: what the matrix units call rows g and g + 8 are a
 * pair in the 16 bytes number 0, 4, 1, 5 of a line, for g = 0, 2, 4, 6; odd warps have 2, 6, 3, 7.
 * So 16 lanes that load together from four lines, which are swizzled, find all banks. */
#define ROW_APART (A_ALONG ? 1 : 8)
DEVICE i32 first_row(i32 lane)
{
    const i32 warp = lane / 32, g = lane % 32 / 4;
    if (!A_ALONG)
        return warp * 16 + g;
    return warp / 2 * 32 + (g / 2 % 2 * 4 + g / 4 + warp % 2 * 2) * 4 + g % 2 * 2;
}

/* Loads and splits 16 terms from the half `half` of a stage on. */
DEVICE void load_a(PLACE stage, i32 lane, const i32 half, i32 ahead, a_words *to)
{
    const i32 row = first_row(lane), t = lane % 4;
    float v[2][4];
    UNROLLED
    for (i32 s = 0; s < 2; s++) {
        UNROLLED
        for (i32 e = 0; e < 2; e++) {
            const i32 k = 16 * half + 8 * s + 4 * e + t;
#if A_ALONG
            LOAD_2S(&v[s][2 * e], stage + (u32)(row / 32 * PANEL_BYTES + k * LINE_BYTES +
                                                ((row % 32 / 4 ^ (4 * e + t)) << 4) + row % 4 * 4));
#else
            const PLACE at = stage + (u32)(row * LINE_BYTES +
                                           (((4 * half + 2 * s + e) ^ (row & 7)) << 4) + 4 * t);
            (void)k;
            LOAD_1S(&v[s][2 * e], at);
            LOAD_1S(&v[s][2 * e + 1], at + ROW_APART * LINE_BYTES);
#endif
        }
    }
    UNROLLED
    for (i32 s = 0; s < 2; s++) {
        UNROLLED
        for (i32 e = 0; e < 4; e++) {
            if (TRIANGULAR == 1 || TRIANGULAR == 2)
                v[s][e] = used(v[s][e], 16 * half + 8 * s + e / 2 * 4 + t,
                               row + e % 2 * ROW_APART - ahead);
            const float high = high_of(v[s][e]);
            to->high[s][e] = AS_WORD(high);
            to->low[s][e] = AS_WORD(v[s][e] - high);
        }
    }
}

#if COLUMNS == 64
#define MULTIPLY MULTIPLY_64X64X8
#elif COLUMNS == 128
#define MULTIPLY MULTIPLY_64X128X8
#elif COLUMNS == 192
#define MULTIPLY MULTIPLY_64X192X8
#else
#error "COLUMNS must be 64, 128 or 192"
#endif

/* The warpgroups start their products in turn: so one adds sums while those of the other run. A
 * warpgroup waits at its own barrier until the other has started. */
DEVICE void await_turn(i32 lane)
{
    BARRIER_OF(1 + lane / 128, COMPUTING);
}

DEVICE void give_turn(i32 lane)
{
    ARRIVE_AT(2 - lane / 128, COMPUTING);
}

/* Starts the products of 16 terms: d := low high + high low + high high. */
DEVICE void start_products(float *d, const a_words *w, PLACE stage, const i32 half)
{
    const u64 high = LINES_ON(LINES_AT(stage + A_BYTES), 2 * half),
              low = LINES_ON(LINES_AT(stage + A_BYTES + B_BYTES), 2 * half);
    PRODUCTS_BEGIN();
    MULTIPLY(d, w->low[0], high, 0);
    MULTIPLY(d, w->low[1], LINES_ON(high, 1), 1);
    MULTIPLY(d, w->high[0], low, 1);
    MULTIPLY(d, w->high[1], LINES_ON(low, 1), 1);
    MULTIPLY(d, w->high[0], high, 1);
    MULTIPLY(d, w->high[1], LINES_ON(high, 1), 1);
    PRODUCTS_END();
}

DEVICE void await_products(float *d, a_words *w)
{
    PRODUCTS_WAIT();
    UNROLLED
    for (i32 n = 0; n < SUMS; n++)
        KEEP_SUM(&d[n]);
    UNROLLED
    for (i32 s = 0; s < 2; s++) {
        UNROLLED
        for (i32 e = 0; e < 4; e++) {
            KEEP_WORD(&w->high[s][e]);
            KEEP_WORD(&w->low[s][e]);
        }
    }
}

DEVICE void add_sums(float *sums, const float *d)
{
    UNROLLED
    for (i32 n = 0; n < SUMS; n++)
        sums[n] += d[n];
}

/* Where sum n of a work-item stands in the tile. */
DEVICE i32 row_of(i32 lane, const i32 n)
{
    return first_row(lane) + n % 4 / 2 * ROW_APART;
}

DEVICE i32 column_of(i32 lane, const i32 n)
{
    return n / 4 * 8 + lane % 4 * 2 + n % 2;
}

#if TRIANGULAR
/* The sum of one element, term by term, of those that count. */
DEVICE float plain_sum(GLOBAL const float *A, GLOBAL const float *B, gemm_args a, i32 terms, i64 i,
                       i64 j)
{
    float sum = 0;
    ROLLED
    for (i64 p = 0; p < terms; p++) {
        if (gemm_counts(i, j, p)) {
            const i32 unit = gemm_is_unit(i, j, p);
            const float x = unit && TRIANGULAR <= 2 ? 1
                                                    : A[A_ALONG ? i + p * a.lda : p + i * a.lda],
                        y = unit && TRIANGULAR > 2 ? 1 : B[B_ALONG ? j + p * a.ldb : p + j * a.ldb];
            sum = R_fma(x, y, sum);
        }
    }
    return sum;
}

/* Sums that are not finite, of the terms that count alone. */
DEVICE void recompute_nonfinite(GLOBAL const float *A, GLOBAL const float *B, gemm_args a,
                                i32 terms, i32 lane, i32 i, i32 j, float *sums)
{
    UNROLLED
    for (i32 n = 0; n < SUMS; n++) {
        const i64 row = i + row_of(lane, n), column = j + column_of(lane, n);
        if (!(sums[n] - sums[n] == 0) && row < a.m && column < a.n)
            sums[n] = plain_sum(A, B, a, terms, row, column);
    }
}
#endif

#if A_ALONG
typedef struct ALIGNED(8) two {
    float v[2];
} two;

/* Stores a whole tile in pairs of rows. All of what C had is loaded into `old` before. */
DEVICE void store_pairs(GLOBAL float *C, i64 ldc, i32 lane, float alpha, float beta,
                        const float *sums, float *old)
{
    C += first_row(lane);
    if (beta != 0) {
        UNROLLED
        for (i32 n = 0; n < SUMS; n += n % 2 ? 3 : 1) {
            const two c = *(GLOBAL const two *)(C + column_of(lane, n) * ldc);
            old[n] = c.v[0];
            old[n + 2] = c.v[1];
        }
    }
    UNROLLED
    for (i32 n = 0; n < SUMS; n += n % 2 ? 3 : 1) {
        two c;
        UNROLLED
        for (i32 e = 0; e < 2; e++)
            c.v[e] = beta == 0 ? alpha * sums[n + 2 * e]
                               : R_fma(alpha, sums[n + 2 * e], beta * old[n + 2 * e]);
        *(GLOBAL two *)(C + column_of(lane, n) * ldc) = c;
    }
}
#endif

#define STORED_AT_ONCE 8
/* Stores a tile element by element, some at once: what C had before any of them is stored. */
DEVICE void store_tile(GLOBAL float *C, gemm_args a, i32 lane, i32 i, i32 j, float alpha,
                       float beta, const float *sums, float *old)
{
    const i32 rows = (i32)(a.m - i < ROWS ? a.m - i : ROWS),
              columns = (i32)(a.n - j < COLUMNS ? a.n - j : COLUMNS);
    const i32 cut = (TRIANGLE_C != 0) & (i < j + COLUMNS) & (j < i + ROWS);
    C += (i64)j * a.ldc + i;
#if A_ALONG
    if (rows == ROWS && columns == COLUMNS && !cut && a.ldc % 2 == 0 && (u64)C % 8 == 0) {
        store_pairs(C, a.ldc, lane, alpha, beta, sums, old);
        return;
    }
#endif
    UNROLLED
    for (i32 from = 0; from < SUMS; from += STORED_AT_ONCE) {
        UNROLLED
        for (i32 n = from; n < from + STORED_AT_ONCE; n++) {
            const i32 row = row_of(lane, n), column = column_of(lane, n);
            const i32 there =
                (row < rows) & (column < columns) & (!cut || gemm_wanted(i + row, j + column));
            old[n] = there && beta != 0 ? C[column * a.ldc + row] : 0;
        }
        UNROLLED
        for (i32 n = from; n < from + STORED_AT_ONCE; n++) {
            const i32 row = row_of(lane, n), column = column_of(lane, n);
            if ((row < rows) & (column < columns) & (!cut || gemm_wanted(i + row, j + column)))
                C[column * a.ldc + row] =
                    beta == 0 ? alpha * sums[n] : R_fma(alpha, sums[n], beta * old[n]);
        }
    }
}

DEVICE void compute(GLOBAL const float *A, GLOBAL const float *B, GLOBAL float *C, gemm_args a,
                    i32 terms, PLACE room, i32 lane, float alpha, float beta)
{
    tile_walk walk = first_step(a, terms);
    const i32 tiles = tile_count(a);
    float sums[SUMS], d[SUMS];
    a_words one, other;
    (void)A, (void)B;
    UNROLLED
    for (i32 n = 0; n < SUMS; n++)
        d[n] = 0;
    if (walk.tile < tiles) {
        if (lane >= 128)
            give_turn(lane);
        MBARRIER_WAIT(RAW(room, (u32)walk.slot), walk.parity);
        load_a(room + (u32)(walk.slot * STAGE_BYTES), lane, 0, ahead_of(&walk), &one);
    }
    ROLLED
    for (i32 tile = (i32)GROUP_X; tile < tiles; tile += (i32)GROUPS_X) {
        i32 i, j;
        UNROLLED
        for (i32 n = 0; n < SUMS; n++)
            sums[n] = 0;
        ROLLED
        while (walk.tile == tile) {
            const i32 slot = walk.slot;
            const PLACE stage = room + (u32)(slot * STAGE_BYTES);
            MBARRIER_WAIT(READY(room, (u32)slot), walk.parity);
            await_turn(lane);
            start_products(d, &one, stage, 0);
            give_turn(lane);
            load_a(stage, lane, 1, ahead_of(&walk), &other);
            await_products(d, &one);
            add_sums(sums, d);
            await_turn(lane);
            start_products(d, &other, stage, 1);
            next_step(a, terms, &walk);
            if (lane < 128 || walk.tile < tiles) /* nobody waits for the very last */
                give_turn(lane);
            if (walk.tile < tiles) {
                MBARRIER_WAIT(RAW(room, (u32)walk.slot), walk.parity);
                load_a(room + (u32)(walk.slot * STAGE_BYTES), lane, 0, ahead_of(&walk), &one);
            }
            await_products(d, &other);
            WARP_BARRIER();
            if (ARRIVES(lane % 32 == 0))
                MBARRIER_ARRIVE(FREE(room, (u32)slot));
            add_sums(sums, d);
        }
        tile_place(a, tile, &i, &j);
#if TRIANGULAR
        recompute_nonfinite(A, B, a, terms, lane, i, j, sums);
#endif
        if (i < a.m && j < a.n)
            store_tile(C, a, lane, i, j, alpha, beta, sums, d);
    }
}

KERNEL(gemm_tf32, COMPUTING + SPLITTING, 1, 1)
(MAP(a_map), MAP(b_map), GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const T *RESTRICT A, GLOBAL const T *RESTRICT B, GLOBAL T *C, gemm_args a)
{
    LOCAL_ROOM(u64, given, (STAGES * (STAGE_BYTES + 24) + 1024) / 8);
    const PLACE room = WHOLE_PLACE(PLACE_OF(given));
    if (ITEM_X == 0) {
        ROLLED
        for (u32 s = 0; s < STAGES; s++) {
            MBARRIER_INIT(RAW(room, s), 1);
            MBARRIER_INIT(READY(room, s), SPLITTING / 32 * WARP_ARRIVALS);
            MBARRIER_INIT(FREE(room, s), COMPUTING / 32 * WARP_ARRIVALS);
        }
        MBARRIERS_READY();
    }
    BEGIN();
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    const i32 terms = alpha == 0 ? 0 : (i32)a.k;
    BARRIER();
    if (ITEM_X >= COMPUTING) {
        REGISTERS_FEWER(FEW_REGISTERS);
        feed(&a_map, &b_map, a, terms, room, ITEM_X - COMPUTING);
    } else {
        REGISTERS_MORE(MANY_REGISTERS);
        compute(A, B, C, a, terms, room, ITEM_X, alpha, beta);
    }
}
