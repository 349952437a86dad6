/* gemm_ffma.cu: C := alpha op(A) op(B) + beta C in single precision, real and complex, by
 * multiply-adds
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The frame (gemm_pipeline.cuh) brings tiles; here they are multiplied. A multiprocessor starts one
 * instruction a cycle on each of its four schedulers, and a multiply-add is one: everything else
 * that computing work-items do costs. So a work-item has TM x TN sums, 16 x 8 real or 8 x 8 complex
 * ones, and loads 16 bytes at a time.
 *
 * The lanes of a warp stand 8 x 4 over its part of the tile, lane bits 3 2 1 along rows, 4 0 along
 * columns: lanes 2 i and 2 i + 1 share their rows, i and i ^ 2 their columns, and shared memory
 * serves half a warp at once. An operand that is stored along its terms is loaded as CHUNK terms of
 * one line: lane x has lines x, x + 8, x + 16 .. An operand stored along its rows (columns of B) is
 * loaded as CHUNK of these at one term: lane x has 16 bytes number x of each panel. Both ways the
 * lanes touch 16 bytes of each bank once, and what they add to the stage's place is the same in all
 * stages. The 4 lanes along columns are half of 8: two neighbouring warps share blocks of 64
 * columns, each its half of each 8 lines.
 *
 * Terms go in chunks of CHUNK. B's part of a chunk is in registers at once, A's comes in pieces of
 * PIECE rows, the next one under way. During the last piece the next chunk's B takes the place of
 * what is done. SPLIT_K: sets of warps that share the chunks of every stage. Each sum is one chain
 * of multiply-adds over ascending terms; sums of slices and of the groups of a cluster are added in
 * a fixed order.
 *
 * Geometry: groups of ITEMS work-items along x; gemm_pipeline.cuh tells the rest, and the macros.
 * Barriers: one of all work-items at the start; named ones of the computing work-items; with
 * CLUSTER some of all groups of a cluster.
 */
#define STEP_SLICES 1
#define SWAP_HALVES 0
/* Complex sums wait less for operands than turning takes; elements are put in panels at no cost. */
#define TRANSPOSES     (PREC == 0 || (LOAD_MODE_A % 3 != 0 && LOAD_MODE_B % 3 != 0))
#define SUMS_BYTES     (SPLIT_K > 1 ? 256 * COMPUTERS : 0) /* half of all sums */
#define STAGED_COLUMNS 32 /* of C, in its buffers: half of those that two warps share */
#define STAGED_PARTS   (COLUMNS > WARP_COLUMNS ? 2 : 1)
#include "gemm_pipeline.cuh"

#define CHUNK (4 / T_REALS) /* terms of 16 bytes */
#define TM    (WARP_ROWS / 8)
#define TN    8
/* Whether both operands are in panels: their lines are multiplied one after the other. */
#define BY_LINES (A_PANELS && B_PANELS)
/* A piece of A: rows and terms. */
#define PIECE_ROWS  (A_PANELS ? TM : 4)
#define PIECE_TERMS (A_PANELS ? 1 : CHUNK)
#define PIECES      (TM / PIECE_ROWS * (CHUNK / PIECE_TERMS))
#define PANEL       (TERMS * LINE_BYTES)
/* Chunks of a line that a slice has, and those that the body of its loop has: 8 lines where these
 * are terms, so that the lowest bits of their numbers repeat. */
#define CHUNKS (8 / SPLIT_K)
#define BODY   MINIMUM(CHUNKS, BY_LINES ? 4 : A_PANELS || B_PANELS ? 8 / CHUNK : 1)
/* Whether two warps share a block of columns. */
#define PAIRED (COLUMNS > WARP_COLUMNS)

#if PREC != 0 && PREC != 2
#error "gemm_ffma is for single precision"
#endif
#if WARP_ROWS * T_REALS != 128 || WARP_COLUMNS != 32 || STAGGER != 0
#error "WARP_ROWS must be 128, or 64 where elements are complex, WARP_COLUMNS 32, STAGGER 0"
#endif
#if CLUSTER > 1 && SPLIT_K == 1
#error "clusters need SPLIT_K"
#endif

typedef struct pipeline_sums {
    T v[TN][TM];
} pipeline_sums;

/* What a lane has of a chunk: of A two pieces, one in use and one under way, of B all. */
typedef struct pipeline_parts {
    T a[2][PIECE_ROWS][PIECE_TERMS];
#if BY_LINES
    T b[2][TN];
#else
    T b[TN][CHUNK];
#endif
} pipeline_parts;

/* Where a lane's elements are in a stage, in bytes, by the lowest three bits of the line's (or the
 * chunk's) number; and its first row and column in the tile. */
typedef struct pipeline_lane {
    u32 a[8], b[8];
    i32 row, column;
} pipeline_lane;

DEVICE pipeline_lane lane_places(i32 item)
{
    const i32 slice = item / (32 * WARPS), warp = item / 32 % WARPS, lane = item % 32;
    const i32 down = warp % (ROWS / WARP_ROWS), across = warp / (ROWS / WARP_ROWS);
    const i32 x = lane / 2 % 8, y = lane % 2 + lane / 16 * 2 + (PAIRED ? across % 2 * 4 : 0);
    const i32 row = down * WARP_ROWS, column = PAIRED ? across / 2 * (2 * WARP_COLUMNS) : 0;
    const i32 first = slice * CHUNKS, line = first * CHUNK;
    pipeline_lane l;
    l.row = row + (A_PANELS ? x * CHUNK : x);
    l.column = column + (B_PANELS ? y * CHUNK : y);
    UNROLLED
    for (i32 t = 0; t < 8; t++) {
        l.a[t] = (u32)((row + (A_PANELS ? line : x)) * LINE_BYTES +
                       ((x ^ t ^ (A_PANELS ? line & 7 : first)) << 4));
        l.b[t] = (u32)(A_BYTES + (column + (B_PANELS ? line : y)) * LINE_BYTES +
                       ((y ^ t ^ (B_PANELS ? line & 7 : first)) << 4));
    }
    return l;
}

/* Row and column of a lane's sum, from its first ones. */
DEVICE i32 sum_row(const i32 m)
{
    return A_PANELS ? m / CHUNK * TERMS + m % CHUNK : 8 * m;
}

DEVICE i32 sum_column(const i32 n)
{
    const i32 h = n / CHUNK;
    if (!B_PANELS)
        return PAIRED ? 8 * n : 4 * n;
    return (PAIRED ? h * TERMS : h / 2 * TERMS + h % 2 * (4 * CHUNK)) + n % CHUNK;
}

DEVICE void load_chunk(T *to, PLACE at)
{
    LOAD_4S((R *)to, at);
}

/* Piece p of chunk c of A. */
DEVICE void load_a(T (*to)[PIECE_TERMS], PLACE stage, const pipeline_lane *l, const i32 c,
                   const i32 p)
{
#if A_PANELS
    const i32 line = c * CHUNK + p;
    UNROLLED
    for (i32 h = 0; h < TM / CHUNK; h++) {
        T v[CHUNK];
        load_chunk(v, stage + l->a[line & 7] + line * LINE_BYTES + h * PANEL);
        UNROLLED
        for (i32 e = 0; e < CHUNK; e++)
            to[h * CHUNK + e][0] = v[e];
    }
#else
    UNROLLED
    for (i32 r = 0; r < PIECE_ROWS; r++)
        load_chunk(to[r], stage + l->a[c] + (p * PIECE_ROWS + r) * (8 * LINE_BYTES));
#endif
}

#if BY_LINES
/* Line p of chunk c of B. */
DEVICE void load_b(T *to, PLACE stage, const pipeline_lane *l, const i32 c, const i32 p)
{
    const i32 line = c * CHUNK + p;
    UNROLLED
    for (i32 h = 0; h < TN / CHUNK; h++)
        load_chunk(to + h * CHUNK, stage + l->b[(line & 7) ^ (PAIRED ? 0 : h % 2 * 4)] +
                                       line * LINE_BYTES + (PAIRED ? h : h / 2) * PANEL);
}

/* Adds the products of a line. One factor of each stays from the product before: registers give two
 * operands a cycle, from two banks, and the third must be at hand. */
DEVICE void add_line(T (*a)[PIECE_TERMS], const T *b, pipeline_sums *sums)
{
    UNROLLED
    for (i32 r = 0; r < TM; r++) {
        UNROLLED
        for (i32 x = 0; x < TN; x++) {
            const i32 n = r % 2 ? TN - 1 - x : x;
            sums->v[n][r] = T_fma(gemm_a(a[r][0]), gemm_b(b[n]), sums->v[n][r]);
        }
    }
}
#else
/* Columns h CHUNK .. of chunk c of B. */
DEVICE void load_b(T (*to)[CHUNK], PLACE stage, const pipeline_lane *l, const i32 c, const i32 h)
{
    UNROLLED
    for (i32 t = 0; t < CHUNK; t++) {
#if B_PANELS
        const i32 line = c * CHUNK + t;
        T v[CHUNK];
        load_chunk(v, stage + l->b[(line & 7) ^ (PAIRED ? 0 : h % 2 * 4)] + line * LINE_BYTES +
                          (PAIRED ? h : h / 2) * PANEL);
        UNROLLED
        for (i32 e = 0; e < CHUNK; e++)
            to[h * CHUNK + e][t] = v[e];
#else
        const i32 n = h * CHUNK + t;
        load_chunk(to[n], stage + l->b[c ^ (PAIRED ? 0 : n % 2 * 4)] +
                              n * (PAIRED ? 8 * LINE_BYTES : 4 * LINE_BYTES));
#endif
    }
}

/* Adds piece p of A times columns h CHUNK .. of B. */
DEVICE void add_terms(T (*a)[PIECE_TERMS], T (*b)[CHUNK], const i32 p, const i32 h,
                      pipeline_sums *sums)
{
    const i32 row = p % (TM / PIECE_ROWS) * PIECE_ROWS, term = p / (TM / PIECE_ROWS) * PIECE_TERMS;
    UNROLLED
    for (i32 t = 0; t < PIECE_TERMS; t++) {
        UNROLLED
        for (i32 n = h * CHUNK; n < h * CHUNK + CHUNK; n++) {
            UNROLLED
            for (i32 r = 0; r < PIECE_ROWS; r++) {
                T *sum = &sums->v[n][row + r];
                *sum = T_fma(gemm_a(a[r][t]), gemm_b(b[n][term + t]), *sum);
            }
        }
    }
}

#endif

/* Where the computing work-items are in the pipeline. */
typedef struct pipeline_at {
    i32 s;
    u32 parity;
} pipeline_at;

DEVICE void next_stage(pipeline_at *at)
{
    at->s++;
    if (at->s == STAGES) {
        at->s = 0;
        at->parity ^= 1;
    }
}

DEVICE void load_first(pipeline_room r, pipeline_at at, const pipeline_lane *l, pipeline_parts *p)
{
    const PLACE stage = r.stages + at.s * STAGE_BYTES;
    MBARRIER_WAIT(r.full + 8 * at.s, at.parity);
    load_a(p->a[0], stage, l, 0, 0);
#if BY_LINES
    load_b(p->b[0], stage, l, 0, 0);
#else
    UNROLLED
    for (i32 h = 0; h < TN / CHUNK; h++)
        load_b(p->b, stage, l, 0, h);
#endif
}

/* Multiplies one stage. What comes first of the next is loaded on the way; without a next one, what
 * this stage starts with once more, and nobody uses it. */
DEVICE void multiply_stage(pipeline_room r, pipeline_at *at, pipeline_lane *l,
                           pipeline_parts *parts, pipeline_sums *sums, i32 more)
{
    const PLACE old = r.empty + 8 * at->s;
    PLACE stage = r.stages + at->s * STAGE_BYTES;
    ROLLED
    for (i32 c = 0; c < CHUNKS; c += BODY) {
        const i32 last = BODY == CHUNKS || c + BODY == CHUNKS;
        PLACE a_at = stage + (A_PANELS ? c * CHUNK * LINE_BYTES : 0),
              b_at = stage + (B_PANELS ? c * CHUNK * LINE_BYTES : 0);
        UNROLLED
        for (i32 u = 0; u < BODY; u++) {
            UNROLLED
            for (i32 p = 0; p < PIECES - 1; p++) {
                load_a(parts->a[(p + 1) & 1], a_at, l, u, p + 1);
#if BY_LINES
                load_b(parts->b[(p + 1) & 1], b_at, l, u, p + 1);
                add_line(parts->a[p & 1], parts->b[p & 1], sums);
#else
                UNROLLED
                for (i32 h = 0; h < TN / CHUNK; h++)
                    add_terms(parts->a[p & 1], parts->b, p, h, sums);
#endif
            }
            const i32 next = u == BODY - 1 ? 0 : u + 1;
            if (u == BODY - 1) {
#if BODY < CHUNKS
                /* The lines' chunks of the next body; after the last one those of the first. */
                const u32 turn = (u32)((last ? c : c ^ (c + BODY)) << 4);
                UNROLLED
                for (i32 t = 0; t < 8; t++) {
                    if (!A_PANELS)
                        l->a[t] ^= turn;
                    if (!B_PANELS)
                        l->b[t] ^= turn;
                }
#endif
                if (last) {
                    READS_DONE(); /* all of this stage is in registers */
                    if (more) {
                        next_stage(at);
                        MBARRIER_WAIT(r.full + 8 * at->s, at->parity);
                        stage = r.stages + at->s * STAGE_BYTES;
                    }
                    a_at = b_at = stage;
                } else {
                    a_at += A_PANELS ? BODY * CHUNK * LINE_BYTES : 0;
                    b_at += B_PANELS ? BODY * CHUNK * LINE_BYTES : 0;
                }
            }
            load_a(parts->a[0], a_at, l, next, 0);
#if BY_LINES
            load_b(parts->b[0], b_at, l, next, 0);
            add_line(parts->a[(PIECES - 1) & 1], parts->b[(PIECES - 1) & 1], sums);
#else
            UNROLLED
            for (i32 h = 0; h < TN / CHUNK; h++) {
                add_terms(parts->a[(PIECES - 1) & 1], parts->b, PIECES - 1, h, sums);
                load_b(parts->b, b_at, l, next, h);
            }
#endif
        }
    }
    WARP_BARRIER();
    if (ARRIVES(ITEM_X % 32 == 0))
        MBARRIER_ARRIVE(old);
}

#include "gemm_ffma_end.cuh"

/* The sums of a tile's steps. */
DEVICE void add_steps(pipeline_room r, i32 count, pipeline_at *at, pipeline_sums *sums)
{
    i32 item = ITEM_X;
    FORGET(item); /* places of one tile are not kept for the next */
    pipeline_lane l = lane_places(item);
    pipeline_parts parts;
    UNROLLED
    for (i32 e = 0; e < TM * TN; e++)
        sums->SUM(e) = T_make(0, 0);
    if (count == 0)
        return;
    load_first(r, *at, &l, &parts);
    ROLLED
    for (i32 left = count; left > 0; left--)
        multiply_stage(r, at, &l, &parts, sums, left > 1);
    next_stage(at);
}

/* What the computing work-items do. */
DEVICE void pipeline_compute(pipeline_room r, GLOBAL const R *alpha_at, GLOBAL const R *beta_at,
                             GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C,
                             gemm_pipeline_args args, gemm_args a)
{
    pipeline_at at;
    pipeline_sums sums;
    pipeline_tile tile;
#if STAGED_C
    i32 use = 0; /* of the buffers of C */
#endif
    i32 round = 0;
    at.s = 0;
    at.parity = 0;
    for (;;) {
        i32 same = round, item = ITEM_X;
        if (!pipeline_next(a, args.raster, &round, &tile))
            break;
        const pipeline_steps steps = pipeline_terms(a, tile);
        add_steps(r, steps.last - steps.first, &at, &sums);
        /* What follows is told anew, so that it holds no registers before. */
        FORGET(same);
        FORGET(item);
        round = same + 1;
        tile.i = tile.j = 0;
        if (!all_staged(a)) { /* else its place does not matter here */
            round = same;
            pipeline_next(a, args.raster, &round, &tile);
        }
        const pipeline_lane l = lane_places(item);
        pipeline_share s;
        s.i = tile.i;
        s.j = tile.j;
        s.first = s.column = 0;
        s.lane_row = l.row;
        s.lane_column = l.column;
#if SPLIT_K > 1
        s.column = add_split_k(r, item, &sums);
#endif
#if CLUSTER > 1
        s.first = CLUSTER_RANK() * SHARE;
        add_groups(r, item, &sums);
#endif
#if TRIANGULAR
        recompute_nonfinite(A, B, a, s, &sums);
#endif
        const T alpha = gemm_alpha(alpha_at, args.of), beta = gemm_beta(beta_at, args.of);
#if STAGED_C
        if (all_staged(a) || !pipeline_stored(a, tile)) {
            stage_sums(r, use++, l, alpha, beta, &sums);
            continue;
        }
#endif
        if (STAGED_C || pipeline_cut(tile) || tile.i + ROWS > a.m || tile.j + COLUMNS > a.n)
            store_some(ENTRY_C(C, a, tile), a, s, alpha, beta, &sums);
        else if (T_is_zero(beta))
            store_whole(ENTRY_C(C, a, tile), a.ldc, s, alpha, beta, 0, &sums);
        else
            store_whole(ENTRY_C(C, a, tile), a.ldc, s, alpha, beta, 1, &sums);
    }
    (void)A, (void)B;
}

KERNEL(gemm_ffma, ITEMS, 1, MIN_GROUPS)
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
        const i32 adds = !T_is_zero(gemm_beta(beta_at, args.of));
#if TWO_PRODUCTS
        pipeline_produce(r, &map_a, &map_b, &map_a2, &map_b2, A, B, C, a, args.raster, adds,
                         ITEM_X - COMPUTERS);
#else
        pipeline_produce(r, &map_a, &map_b, &map_a, &map_b, A, B, C, a, args.raster, adds,
                         ITEM_X - COMPUTERS);
#endif
#if CLUSTER > 1
        WARP_BARRIER(); /* the first of a warp may have worked alone */
        CLUSTER_BARRIER();
        CLUSTER_BARRIER();
#endif
    } else {
#if FEWER
        REGISTERS_MORE(MORE);
#endif
        pipeline_compute(r, alpha_at, beta_at, A, B, C, args, a);
    }
}
