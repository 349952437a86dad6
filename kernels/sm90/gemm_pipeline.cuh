/* gemm_pipeline.cuh: the frame of products by a multistage pipeline in shared memory
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has COMPUTERS work-items that multiply and, behind them, 128 producers that fill stages.
 * A stage holds TERMS terms of a tile of C: ROWS lines of op(A), then COLUMNS lines of op(B), 128
 * bytes each. Where the operand is stored along its terms, a line is a row (column of op(B)) with
 * its terms. Else panels of TERMS rows have one line per term. The 16 bytes number c of line r lie
 * at c ^ (r & 7): TMA's 128-byte swizzle. What lies outside a matrix is zeros in a stage.
 *
 * LOAD_MODE_A, LOAD_MODE_B: 0: TMA; 1: all producers copy single elements, because columns do not
 * start on 16 bytes; 2: halves of complex elements; 3: one TMA copy brings all panels, because no
 * edge cuts one; 4: producers copy what the addresses of a batch entry allow (gemm_batch.cuh).
 * Steps that need masks are copied by elements in any case: on the diagonal of a triangular factor,
 * and the last terms where k is read from memory.
 *
 * Groups are persistent: they compute tile after tile, and the stages of the next tile fill while a
 * tile is stored. CLUSTER > 1: the groups of a cluster have one tile and share its terms; each
 * sends its sums to those that store them. SPLIT_K: the computing warps are so many slices, each of
 * which takes every SPLIT_K-th step, or its share of each step (STEP_SLICES 1). All sums are added
 * in a fixed order.
 *
 * Macros: those of gemm.h; ROWS, COLUMNS; WARP_ROWS, WARP_COLUMNS, of a warp's part of the tile;
 * STAGES, SPLIT_K, CLUSTER; STAGGER, stages that half of the warps are behind the others;
 * LOAD_MODE_A, LOAD_MODE_B; ALIGN_C, bytes that columns of C start on; TWO_PRODUCTS, after the
 * terms of A and B come those of B and A; SIZES, m, n and k are read from memory; MIN_GROUPS,
 * ITEMS; STAGED_C, buffers of a tile of C in shared memory (gemm_staged_c.cuh), 0: work-items load
 * and store C themselves. BATCH, where it is given: many products at once, whose entries are a
 * stride apart (1) or at the addresses of an array (2). Shared memory: PIPELINE_BYTES, dynamic.
 */
#include "gemm.h"
#include "gemm_pipeline_args.h"
#include "hopper.cuh"

#if !defined(ROWS) || !defined(COLUMNS) || !defined(WARP_ROWS) || !defined(WARP_COLUMNS) ||        \
    !defined(STAGES) || !defined(SPLIT_K) || !defined(CLUSTER) || !defined(STAGGER) ||             \
    !defined(LOAD_MODE_A) || !defined(LOAD_MODE_B) || !defined(ALIGN_C) ||                         \
    !defined(TWO_PRODUCTS) || !defined(SIZES) || !defined(MIN_GROUPS) || !defined(ITEMS) ||        \
    !defined(STAGED_C)
#error                                                                                             \
    "pipelines need ROWS, COLUMNS, WARP_ROWS, WARP_COLUMNS, STAGES, SPLIT_K, CLUSTER, STAGGER, LOAD_MODE_A, LOAD_MODE_B, ALIGN_C, TWO_PRODUCTS, SIZES, MIN_GROUPS, ITEMS and STAGED_C"
#endif

#ifndef BATCH
#define BATCH 0
#endif
#if BATCH && (TRIANGLE_C || TRIANGULAR || TWO_PRODUCTS || SIZES || CLUSTER > 1)
#error "entries of a batch are whole products, one group for each tile"
#endif

#if PREC == 0
#define TERMS 32
#elif PREC == 3
#define TERMS 8
#else
#define TERMS 16
#endif
#define A_ALONG (TRANS_A == 0) /* stored along its rows */
#define B_ALONG (TRANS_B != 0) /* along its columns */

#define LINE_BYTES  128
#define A_BYTES     (ROWS * LINE_BYTES)
#define B_BYTES     (COLUMNS * LINE_BYTES)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define WARPS       ((ROWS / WARP_ROWS) * (COLUMNS / WARP_COLUMNS)) /* of a slice */
#define COMPUTERS   (32 * WARPS * SPLIT_K)
#define PRODUCERS   128
#if ITEMS != COMPUTERS + PRODUCERS
#error "ITEMS must be those that compute and 128"
#endif

/* Slices that take steps in turn. A kernel whose slices share every step says 1 before it includes
 * this file. */
#ifndef STEP_SLICES
#define STEP_SLICES SPLIT_K
#endif
/* Arrivals that make a stage empty. */
#define EMPTY_COUNT (WARPS * SPLIT_K / STEP_SLICES * WARP_ARRIVALS)

/* Sums that meet in shared memory: columns of ROWS sums and 16 bytes, so that banks differ. Two
 * slices of one group swap halves, unless the kernel says before that they do not; else every slice
 * shows all of its sums. */
#ifndef SWAP_HALVES
#define SWAP_HALVES (SPLIT_K == 2 && CLUSTER == 1)
#endif
#define SHOW_SUMS  (SPLIT_K * CLUSTER > 1 && !SWAP_HALVES)
#define SUM_COLUMN (ROWS * (i32)sizeof(T) + 16)
#ifdef SUMS_BYTES /* the kernel has its own way */
#elif SWAP_HALVES
#define SUMS_BYTES (ROWS * COLUMNS * (i32)sizeof(T))
#elif SHOW_SUMS
#define SUMS_BYTES (((SPLIT_K > 1 ? SPLIT_K : 0) + (CLUSTER > 1 ? 1 : 0)) * COLUMNS * SUM_COLUMN)
#else
#define SUMS_BYTES 0
#endif
#define TILE_BYTES (ROWS * COLUMNS * (i32)sizeof(T))
#define PIPELINE_BYTES                                                                             \
    (1024 + STAGES * STAGE_BYTES + SUMS_BYTES + 24 * STAGES +                                      \
     STAGED_C * (TILE_BYTES + 16 * STAGED_PARTS))

/* Whether some steps are copied by elements. */
#define BY_TMA(load_mode) ((load_mode) % 3 == 0)
#define SOME_ELEMENTS     (!BY_TMA(LOAD_MODE_A) || !BY_TMA(LOAD_MODE_B) || TRIANGULAR || SIZES)
#if STAGED_C && (BATCH || SPLIT_K * CLUSTER > 1 || MIN_GROUPS > 1 || ALIGN_C != 16 || SOME_ELEMENTS)
#error                                                                                             \
    "STAGED_C goes with one product, one slice, one group per unit, columns of C on 16 bytes and TMA tiles only"
#endif
#include "gemm_panels.cuh"
/* Arrivals that make a stage full: the announcement of bytes, each producer's copies and its stores
 * of ones. */
#define FULL_COUNT                                                                                 \
    (TRANSPOSING ? TRANSPOSERS * WARP_ARRIVALS                                                     \
                 : 1 + (SOME_ELEMENTS ? PRODUCERS : 0) + (TRIANGULAR && UNIT ? PRODUCERS : 0))
#define MINIMUM(a, b) ((a) < (b) ? (a) : (b))

/* Where things are in shared memory. Mbarriers of each stage: full, empty again; brought, but not
 * transposed yet. Buffers of a tile of C, and two mbarriers of each of their parts
 * (gemm_staged_c.cuh). */
typedef struct pipeline_room {
    PLACE stages, sums, full, empty, brought;
#if STAGED_C
    PLACE staged, c_full, c_empty;
#endif
} pipeline_room;

DEVICE pipeline_room pipeline_places(PLACE room)
{
    pipeline_room r;
    r.stages = PLACE_UP(room, 1024);
    r.sums = r.stages + (STAGES * STAGE_BYTES + STAGED_C * TILE_BYTES);
    r.full = r.sums + SUMS_BYTES;
    r.empty = r.full + 8 * STAGES;
    r.brought = r.empty + 8 * STAGES;
#if STAGED_C
    r.staged = r.stages + STAGES * STAGE_BYTES;
    r.c_full = r.brought + 8 * STAGES;
    r.c_empty = r.c_full + 8 * STAGED_C * STAGED_PARTS;
#endif
    return r;
}

/* By work-item 0, before a barrier. */
DEVICE void pipeline_mbarriers(pipeline_room r)
{
    for (i32 s = 0; s < STAGES; s++) {
        MBARRIER_INIT(r.full + 8 * s, FULL_COUNT);
        MBARRIER_INIT(r.empty + 8 * s, EMPTY_COUNT);
        MBARRIER_INIT(r.brought + 8 * s, 1);
    }
#if STAGED_C
    for (i32 b = 0; b < STAGED_C * STAGED_PARTS; b++) {
        MBARRIER_INIT(r.c_full + 8 * b, 1);
        MBARRIER_INIT(r.c_empty + 8 * b, WARPS * WARP_ARRIVALS);
    }
#endif
    MBARRIERS_READY();
}

/* Before memory is touched: TMA reads its maps. By one work-item. */
DEVICE void pipeline_maps(const tensor_map *map_a, const tensor_map *map_b)
{
    if (BY_TMA(LOAD_MODE_A))
        PREFETCH_TENSOR_MAP(map_a);
    if (BY_TMA(LOAD_MODE_B))
        PREFETCH_TENSOR_MAP(map_b);
}

/* m, n and k as they are: where SIZES is set, from memory. alpha = 0: no terms. */
DEVICE gemm_args pipeline_sizes(gemm_args a, GLOBAL const i64 *sizes, T alpha)
{
#if SIZES
    a.m = sizes[0];
    a.n = sizes[1];
    a.k = sizes[2];
#else
    (void)sizes;
#endif
    if (T_is_zero(alpha))
        a.k = 0;
    return a;
}

#include "gemm_tiles.cuh"
#if STAGED_C
#include "gemm_staged_c.cuh"
#endif

/* ---- Producers ---- */

/* An operand: rows of op(A), columns of op(B). */
typedef struct pipeline_operand {
    GLOBAL const T *at;
    i64 ld;
    i32 size; /* rows of op(A) */
#if BATCH
    i32 entry;     /* in its map */
    i32 load_mode; /* its elements are copied, as the macros say it; 0: 16 bytes at a time */
#endif
} pipeline_operand;

#if TRIANGULAR && UNIT
DEVICE void store_one(PLACE at)
{
#if PREC == 0
    STORE_1S(at, 1);
#elif PREC == 1
    STORE_1D(at, 1);
#elif PREC == 2
    STORE_1S(at, 1);
    STORE_1S(at + 4, 0);
#else
    STORE_2D(at, 1, 0);
#endif
}
#endif

/* One element, or zeros. */
DEVICE void copy_element(PLACE place, GLOBAL const T *from, i32 given, const i32 halves)
{
    const i32 bytes = (i32)sizeof(T) / (halves ? 2 : 1);
    COPY_ELEMENT(place, from, bytes, given ? bytes : 0);
    if (halves)
        COPY_ELEMENT(place + bytes, (GLOBAL const R *)from + 1, bytes, given ? bytes : 0);
}

/* Whether an element of a triangular factor is in its triangle: `keep` 1: terms up to the row are,
 * 2: those from it on; 0: all are. `beyond`: the term, seen from the row. */
DEVICE i32 is_kept(const i32 keep, i32 beyond)
{
    return keep == 0 || (keep == 1 ? beyond <= 0 : beyond >= 0);
}

/* Where an element of an operand is in a stage, in panels or in lines along the terms. */
DEVICE i32 element_place(const i32 panels, i32 row, i32 term)
{
    const i32 line = panels ? row / TERMS * TERMS + term : row,
              byte = (panels ? row % TERMS : term) * (i32)sizeof(T);
    return line * LINE_BYTES + (((byte >> 4) ^ (line & 7)) << 4) + (byte & 15);
}

/* The elements of an operand that a lane copies: number x stands where XOR changes the place of
 * number 0 and `lines` lines behind it. Rows that are `row_lanes` apart, or terms. */
typedef struct lane_elements {
    PLACE place; /* of element 0 */
    GLOBAL const T *from;
    i32 row, term;
} lane_elements;

/* How lanes divide lines first .. first + length. Stored along the rows: neighbours have neighbours
 * there. Along the terms: they have neighbours there, but where these come into panels, eight of
 * them and four rows: 16 bytes of each bank. */
DEVICE lane_elements first_element(PLACE to, GLOBAL const T *at, i64 ld, const i32 along,
                                   const i32 panels, const i32 row_lanes, i32 lane)
{
    const i32 blocks = TERMS / 8, warp = lane / 32;
    lane_elements e;
    e.row = along ? lane % row_lanes : panels ? lane / 8 % 4 + warp / blocks * 4 : lane / TERMS;
    e.term = along ? lane / row_lanes : panels ? lane % 8 + warp % blocks * 8 : lane % TERMS;
    e.place = to + element_place(panels, e.row, e.term);
    e.from = at + (along ? e.row + e.term * ld : e.term + e.row * ld);
    return e;
}

/* Copies lines first .. first + length of an operand, terms p .. p + TERMS, one element after the
 * other. Rows beyond an edge stay what they were, as what comes of them is not stored. `cut`: the
 * terms end within. */
DEVICE void copy_lines(PLACE to, pipeline_operand o, const i32 along, const i32 panels,
                       const i32 length, const i32 halves, i32 first, i32 p, i32 terms_left,
                       const i32 cut, i32 lane)
{
    const i32 row_lanes = along ? MINIMUM(length, PRODUCERS) : PRODUCERS / TERMS,
              term_lanes = along ? PRODUCERS / row_lanes : TERMS;
    const i32 each = along ? TERMS / term_lanes : length / row_lanes, /* without a new row */
        body = MINIMUM(each, halves || BATCH == 2 ? 2 : 8);
    const i32 rows_left = o.size - first;
    const i64 apart = (along ? term_lanes : row_lanes) * o.ld;
    GLOBAL const T *at = o.at + (along ? first + (i64)p * o.ld : p + (i64)first * o.ld);
    ROLLED
    for (i32 down = 0; down < (along ? length : 1); down += row_lanes) {
        lane_elements e =
            first_element(to + down * LINE_BYTES, at + down, o.ld, along, panels, row_lanes, lane);
        const i32 left = rows_left - down - e.row;
        ROLLED
        for (i32 x = 0; x < each && left > (along ? 0 : x * row_lanes); x += body) {
            UNROLLED
            for (i32 u = 0; u < body; u++) {
                const i32 number = x + u,
                          lines = along    ? number * term_lanes
                                  : panels ? number * row_lanes / TERMS * TERMS
                                           : number * row_lanes,
                          bits = along    ? number * term_lanes
                                 : panels ? number * row_lanes * (i32)sizeof(T) >> 4
                                          : number * row_lanes;
                const i32 given = !cut || e.term + (along ? number * term_lanes : 0) < terms_left;
                if (along || left > number * row_lanes)
                    copy_element(PLACE_XOR(e.place, (bits & 7) << 4) + lines * LINE_BYTES,
                                 given ? e.from : o.at, given, halves);
                e.from += apart;
            }
        }
    }
}

#if TRIANGULAR
/* The same of a factor of which only a triangle counts. */
DEVICE void copy_triangle(PLACE to, pipeline_operand o, const i32 along, const i32 panels,
                          const i32 length, const i32 halves, i32 first, i32 p, i32 end,
                          const i32 keep, i32 lane)
{
    const i32 rows_left = o.size - first, terms_left = end - p;
    const i32 row_lanes = along ? MINIMUM(length, PRODUCERS) : PRODUCERS / TERMS,
              term_lanes = PRODUCERS / row_lanes;
    const i32 row0 = along ? lane % row_lanes : lane / TERMS,
              term0 = along ? lane / row_lanes : lane % TERMS;
    GLOBAL const T *at = o.at + (along ? first + (i64)p * o.ld : p + (i64)first * o.ld);
    const i32 count = length * TERMS / PRODUCERS, /* of a lane */
        per_row = along ? TERMS / term_lanes : 1;
    ROLLED
    for (i32 x = 0; x < count; x += MINIMUM(count, 2)) {
        UNROLLED
        for (i32 u = 0; u < MINIMUM(count, 2); u++) {
            const i32 row = row0 + (x + u) / per_row * row_lanes,
                      term = term0 + (x + u) % per_row * term_lanes;
            const PLACE place = to + element_place(panels, row, term);
            const i32 beyond = term + p - first - row,
                      given = (row < rows_left) & (term < terms_left) & is_kept(keep, beyond);
#if UNIT
            if (given && beyond == 0) {
                store_one(place);
                continue;
            }
#endif
            copy_element(place,
                         given ? at + (along ? row + (i64)term * o.ld : term + (i64)row * o.ld)
                               : o.at,
                         given, halves);
        }
    }
}
#endif

DEVICE void copy_elements(PLACE to, pipeline_operand o, const i32 along, const i32 panels,
                          const i32 length, const i32 halves, i32 first, i32 p, i32 end,
                          const i32 keep, i32 lane)
{
    const i32 terms_left = end - p;
#if TRIANGULAR
    if (keep != 0) {
        copy_triangle(to, o, along, panels, length, halves, first, p, end, keep, lane);
        return;
    }
#endif
    (void)keep;
    if (BATCH != 2 && terms_left >= TERMS) /* addresses of a batch leave few registers */
        copy_lines(to, o, along, panels, length, halves, first, p, terms_left, 0, lane);
    else
        copy_lines(to, o, along, panels, length, halves, first, p, terms_left, 1, lane);
}

#include "gemm_batch.cuh"

/* TMA tiles of an operand, one for a lane; `lane` counts from the first of the lanes that ask for
 * this operand. */
DEVICE void tma_load_tiles(PLACE to, const tensor_map *map, pipeline_operand o, const i32 load_mode,
                           const i32 along, const i32 length, i32 first, i32 p, PLACE full,
                           i32 lane)
{
    const i32 reals = PREC == 3 ? 2 : 1; /* TMA counts those */
    if (load_mode == 3) {
        if (lane == 0)
            TMA_LOAD_PANELS(to, map, o, p, first / TERMS, full);
    } else if (along) {
        ROLLED /* producers have few registers */
            for (i32 panel = lane; panel >= 0 && panel < length / TERMS;
                 panel += WORKING == 1 ? 1 : 32) TMA_LOAD(to + panel * (TERMS * LINE_BYTES), map, o,
                                                          reals * (first + panel * TERMS), p, full);
    } else if (lane == 0) {
        TMA_LOAD(to, map, o, reals * p, first, full);
    }
    (void)o;
}

/* How a step of a tile is brought: by elements where masks are needed. */
DEVICE i32 by_elements(const i32 load_mode, const i32 mine, pipeline_tile tile, i32 end, i32 p)
{
    (void)mine, (void)tile, (void)end, (void)p;
#if SIZES
    if (p + TERMS > end)
        return 1;
#endif
#if TRIANGULAR
    const i32 at = TRIANGULAR <= 2 ? tile.i : tile.j;
    if (p >= end) /* a step that only fills up the slices' number */
        return 1;
    if (mine && p < at + (TRIANGULAR <= 2 ? ROWS : COLUMNS) && p + TERMS > at)
        return 1;
#endif
    return !BY_TMA(load_mode);
}

/* Fills one stage with the terms from p on. map_a and a are those of the rows of C, b of its
 * columns. */
DEVICE void fill_stage(PLACE stage, PLACE full, const tensor_map *map_a, const tensor_map *map_b,
                       pipeline_operand a, pipeline_operand b, const i32 load_mode_a,
                       const i32 load_mode_b, pipeline_tile tile, i32 p, i32 end, i32 lane)
{
    const i32 some_a = by_elements(load_mode_a, TRIANGULAR == 1 || TRIANGULAR == 2, tile, end, p),
              some_b = by_elements(load_mode_b, TRIANGULAR >= 3, tile, end, p);
    /* The mbarrier may count bytes before it is told of them: without this arrival it is not
     * complete. */
    if (lane == 0)
        MBARRIER_EXPECT(full, (some_a ? 0 : A_BYTES) + (some_b ? 0 : B_BYTES));
    if (lane < 32) {
        if (!some_a)
            tma_load_tiles(stage, map_a, a, load_mode_a, A_ALONG, ROWS, tile.i, p, full, lane);
        if (!some_b)
            tma_load_tiles(stage + A_BYTES, map_b, b, load_mode_b, B_ALONG, COLUMNS, tile.j, p,
                           full, WORKING > 1 ? lane - 16 : lane);
    }
#if SOME_ELEMENTS
    if (some_a)
        copy_factor(stage, a, A_ALONG, A_PANELS, ROWS, load_mode_a, tile.i, p, end,
                    TRIANGULAR == 1   ? 1
                    : TRIANGULAR == 2 ? 2
                                      : 0,
                    lane);
    if (some_b)
        copy_factor(stage + A_BYTES, b, B_ALONG, B_PANELS, COLUMNS, load_mode_b, tile.j, p, end,
                    TRIANGULAR == 4   ? 1
                    : TRIANGULAR == 3 ? 2
                                      : 0,
                    lane);
    COPIES_ARRIVE(full);
#if TRIANGULAR && UNIT
    MBARRIER_ARRIVE(full);
#endif
#else
    (void)a, (void)b;
#endif
}

/* Asks for the columns of a tile of C, which will be added to. */
DEVICE void fetch_tile(GLOBAL const T *C, gemm_args a, pipeline_tile tile, i32 lane)
{
#if ALIGN_C == 16
    const i32 left = (i32)a.m - tile.i, bytes = MINIMUM(left, ROWS) * (i32)sizeof(T) / 16 * 16;
    for (i32 c = lane; c < COLUMNS; c += WORKING)
        if (tile.j + c < a.n && bytes > 0)
            FETCH_AHEAD(C + tile.i + (tile.j + c) * a.ldc, bytes);
#else
    (void)C, (void)a, (void)tile, (void)lane;
#endif
}

#if TRANSPOSING
#include "gemm_transpose.cuh"
#endif

/* What the producers do. `lane` counts from the first producer. Maps: of A and of B, and, for the
 * second half of TWO_PRODUCTS, of B as the rows' and A as the columns' operand. `adds`: beta is not
 * 0. */
DEVICE void pipeline_produce(pipeline_room r, const tensor_map *map_a, const tensor_map *map_b,
                             const tensor_map *map_a2, const tensor_map *map_b2, GLOBAL const T *A,
                             GLOBAL const T *B, GLOBAL const T *C, gemm_args a, i64 raster,
                             i32 adds, i32 lane)
{
#if TRANSPOSING
    if (lane >= 32 && lane < 32 * (TRANSPOSERS + 1))
        pipeline_transpose(r, a, raster, lane - 32);
#endif
    if (lane >= WORKING)
        return;
#if !BATCH
    const pipeline_operand first = {A, a.lda, (i32)a.m}, second = {B, a.ldb, (i32)a.n};
#endif
    pipeline_tile tile;
    i32 s = 0, round = 0;
    u32 lap = 0;
    while (pipeline_next(a, raster, &round, &tile)) {
        const pipeline_steps steps = pipeline_terms(a, tile);
#if BATCH
        const pipeline_operand first = entry_factor(A, a.lda, a.m, a.stride_a, a, tile),
                               second = entry_factor(B, a.ldb, a.n, a.stride_b, a, tile);
#endif
        ROLLED
        for (i32 step = steps.first; step < steps.last; step++) {
            const PLACE stage = r.stages + s * STAGE_BYTES,
                        full = (TRANSPOSING ? r.brought : r.full) + 8 * s;
            if (lap > 0)
                MBARRIER_WAIT(r.empty + 8 * s, (lap - 1) & 1);
            if (WORKING == 32) /* a lane that came late would miss an mbarrier */
                WARP_BARRIER();
#if TWO_PRODUCTS
            if (step >= steps.half) {
                const pipeline_operand rows = {B, a.ldb, (i32)a.m}, columns = {A, a.lda, (i32)a.n};
                fill_stage(stage, full, map_a2, map_b2, rows, columns, LOAD_MODE_B, LOAD_MODE_A,
                           tile, steps.from + (step - steps.half) * TERMS, steps.end, lane);
            } else
#endif
                fill_stage(stage, full, map_a, map_b, first, second, LOAD_MODE_A, LOAD_MODE_B, tile,
                           steps.from + step * TERMS, steps.end, lane);
            if (++s == STAGES) {
                s = 0;
                lap++;
            }
        }
        if (adds && pipeline_stored(a, tile))
            fetch_tile(ENTRY_C(C, a, tile), a, tile, lane);
    }
    (void)map_a2, (void)map_b2;
}

/* ---- The end of a tile ---- */

/* The sum of element (i, j) from memory, term by term, only those that count. Where a triangular
 * factor meets Inf or NaN beyond its triangle, sums of whole stages are wrong: 0 x Inf. */
DEVICE T sum_again(GLOBAL const T *A, GLOBAL const T *B, gemm_args a, i64 i, i64 j)
{
    const i64 on = TRIANGULAR <= 2 ? i : j;
    const i64 from = TRIANGULAR != 0 && !UP_TO ? on : 0,
              end = TRIANGULAR != 0 && UP_TO ? MINIMUM(on + 1, a.k) : a.k;
    T sum = T_make(0, 0);
    ROLLED
    for (i64 p = from; p < end; p++) {
        T x = gemm_a(A_ALONG ? A[i + p * a.lda] : A[p + i * a.lda]),
          y = gemm_b(B_ALONG ? B[j + p * a.ldb] : B[p + j * a.ldb]);
        if (gemm_is_unit(i, j, p)) {
            if (TRIANGULAR <= 2)
                x = T_make(1, 0);
            else
                y = T_make(1, 0);
        }
        sum = T_fma(x, y, sum);
    }
    return sum;
}

DEVICE i32 is_finite(T sum)
{
    const R re = T_real(sum, 0), im = T_real(sum, T_REALS - 1);
    return re - re == 0 && im - im == 0;
}

#if SHOW_SUMS
/* Where slice `slice` of a group shows the sum of an element of the tile. */
DEVICE PLACE sum_place(pipeline_room r, i32 slice, i32 row, i32 column)
{
    return r.sums + (slice * (COLUMNS * SUM_COLUMN) + column * SUM_COLUMN + row * (i32)sizeof(T));
}

/* Where a group of a cluster gets, from group `rank`, sums of its share of the columns of the
 * tile. */
DEVICE PLACE part_place(pipeline_room r, i32 rank, i32 row, i32 column)
{
    return sum_place(r, SPLIT_K > 1 ? SPLIT_K : 0, row, rank * (COLUMNS / CLUSTER) + column);
}
#endif

/* Old C(i, j), if it is there and wanted; `adds`: beta is not 0. A work-item loads all that it can
 * hold before it stores anything: a load behind a store waits for memory alone. */
DEVICE T old_sum(GLOBAL const T *C, gemm_args a, i32 i, i32 j, i32 adds)
{
    T old = T_make(0, 0);
    const i32 has = adds & (i < (i32)a.m) & (j < (i32)a.n) & gemm_wanted(i, j);
    GLOBAL const R *at = (GLOBAL const R *)(C + i + j * a.ldc);
    UNROLLED
    for (i32 x = 0; x < T_REALS; x++)
        LOAD_IF((R *)&old + x, at + x, has);
    return old;
}

/* C(i, j) := alpha sum + beta C(i, j), if it is there and wanted. */
DEVICE void store_alone(GLOBAL T *C, gemm_args a, i64 i, i64 j, T alpha, T sum, T beta)
{
    if (i < a.m && j < a.n && gemm_wanted(i, j))
        gemm_store(C + i + j * a.ldc, alpha, sum, beta, i == j);
}

/* C(i, j) := alpha sum + beta old, if it is there and wanted. */
DEVICE void store_sum(GLOBAL T *C, gemm_args a, i32 i, i32 j, T alpha, T sum, T beta, T old)
{
    if (i >= (i32)a.m || j >= (i32)a.n || !gemm_wanted(i, j))
        return;
#if REAL_DIAGONAL && T_REALS > 1
    if (i == j) {
        old = T_make(T_real(old, 0), 0);
        C[i + j * a.ldc] = T_make(T_real(scaled_sum(alpha, sum, beta, old), 0), 0);
        return;
    }
#endif
    C[i + j * a.ldc] = scaled_sum(alpha, sum, beta, old);
}
