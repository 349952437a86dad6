/* trsm_batched.cl: B := alpha inv(op(A)) B or alpha B inv(op(A)) for many batch entries, A
 * triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Right-hand sides do not depend on each other: columns of B, or its rows where A is on the right,
 * which is the solve with the transpose. A lane has one of them, NB entries at a time in registers;
 * WV lanes have those of one batch entry, and a group has ENTRIES batch entries. Blocks of NB rows
 * are taken in order of solving, so that in here every triangle is a lower one. Of a block row the
 * tiles left of the diagonal are multiplied with what was solved before, which lanes read back from
 * B; then comes its diagonal tile, whose substitution uses reciprocals of the diagonal. Every tile
 * stands in local memory for all lanes of the batch entry, column by column, COLUMN elements apart:
 * lanes of a batch entry read the same element. Rows past the end are those of the identity.
 *
 * STAGED: right-hand sides are columns of B. Then a block of B goes through local memory both ways,
 * so that neighbours load and store neighbours; there columns are NB + 1 elements apart, so that
 * lanes, which read along them, use different banks. Otherwise neighbours have neighbouring rows of
 * B anyway.
 *
 * alpha = 0: A and B are not read and B becomes 0. Beyond its triangle A is not read. Geometry:
 * along x sets of ENTRIES batch entries; along y groups share the right-hand sides; ITEMS = ENTRIES
 * * WV work-items. Macros: ITEMS, NB, WV; STAGED; TRANS 0 or 1: of what is solved with; CONJ 0 or
 * 1; POINTERS; RESIDENT: groups that a multiprocessor has room for. Barriers: all work-items walk
 * the same sets, right-hand sides and tiles; lanes without a batch entry or a right-hand side store
 * nothing.
 */
#include "batch_entry.h"
#include "scalars.h"
#include "trsm_batched_args.h"

#if !defined(ITEMS) || !defined(NB) || !defined(WV) || !defined(STAGED) || !defined(TRANS) ||      \
    !defined(CONJ) || !defined(RESIDENT)
#error "trsm_batched needs ITEMS, NB, WV, STAGED, TRANS, CONJ and RESIDENT"
#endif
#define ENTRIES (ITEMS / WV)
#define QUICK   (16 / (i32)sizeof(T)) /* elements of 16 bytes */
#define COLUMN  ((NB + QUICK - 1) / QUICK * QUICK)
#define TILE    (NB * COLUMN)
#define STAGE   (STAGED ? (WV * (NB + 1) + QUICK - 1) / QUICK * QUICK : 0)
#define APART   ((STAGE > TILE ? STAGE : TILE) + QUICK)          /* between batch entries */
#define AT_ONCE (NB * NB / WV < 8 ? (NB * NB + WV - 1) / WV : 8) /* loads of a lane in flight */
#define B_ONCE  (NB < 8 ? NB : 8)
#define ITEM_V  (ITEM_X % WV) /* right-hand side */
#define ITEM_M  (ITEM_X / WV) /* batch entry */
#if ITEMS > 1
#define TILE_BARRIER() BARRIER()
#else
#define TILE_BARRIER() (void)0 /* compilers for CPUs take long over barriers in loops */
#endif

typedef struct ALIGNED(16) quick {
    T v[QUICK];
} quick;

/* NB entries of a right-hand side. */
typedef struct block_entries {
    T v[NB];
} block_entries;

/* One batch entry, and the lane's part in it. */
typedef struct solve_batch_entry {
    GLOBAL const T *A;
    GLOBAL T *B;          /* of the group's first right-hand side */
    GLOBAL T *b;          /* the lane's own */
    LOCAL_PTR T *tile;    /* of this batch entry */
    LOCAL_PTR T *inverse; /* of the diagonal */
    i32 active;           /* there is a right-hand side */
} solve_batch_entry;

/* The row of the matrix that is solved as number i. */
DEVICE i64 solve_row(trsm_batched_args a, i64 i)
{
    return a.backward ? a.order - 1 - i : i;
}

/* Row and column of element e of a tile: neighbours read neighbouring elements of a column of A. */
#define TILE_ROW(e)    (TRANS ? (e) / NB : (e) % NB)
#define TILE_COLUMN(e) (TRANS ? (e) % NB : (e) / NB)

/* Puts a tile into local memory: rows from `top` on, columns from `left` on, both in order of
 * solving. On the diagonal only what is below it is read, and of the diagonal itself the
 * reciprocals go to `inverse`. */
DEVICE void solve_take(solve_batch_entry p, trsm_batched_args a, i64 top, i64 left, i32 exists)
{
    const i32 diagonal = top == left;
    ROLLED
    for (i32 first = ITEM_V; first < NB * NB; first += WV * AT_ONCE) {
        T values[AT_ONCE];
        UNROLLED
        for (i32 u = 0; u < AT_ONCE; u++) {
            const i32 e = first + u * WV, i = TILE_ROW(e), j = TILE_COLUMN(e);
            values[u] = T_make(i == j && (a.unit || top + i >= a.order), 0);
            if (exists && e < NB * NB && top + i < a.order && left + j < a.order &&
                (!diagonal || i > j || (i == j && !a.unit))) {
                const i64 row = solve_row(a, top + i), column = solve_row(a, left + j);
                values[u] = TRANS ? p.A[column + row * a.lda] : p.A[row + column * a.lda];
            }
        }
        UNROLLED
        for (i32 u = 0; u < AT_ONCE; u++) {
            const i32 e = first + u * WV, i = TILE_ROW(e), j = TILE_COLUMN(e);
            const T value = CONJ ? T_conj(values[u]) : values[u];
            if (e < NB * NB && diagonal && i == j)
                p.inverse[i] = T_reciprocal(value);
            if (e < NB * NB)
                p.tile[i + j * COLUMN] = T_neg(value);
        }
    }
}

/* Entry i of the right-hand side, in order of solving. */
DEVICE GLOBAL T *solve_entry(solve_batch_entry p, trsm_batched_args a, i64 i)
{
    return p.b + solve_row(a, i) * a.step_b;
}

/* x := x - (column j of the tile) times `factor`, from row `from` on */
DEVICE block_entries solve_update(block_entries x, LOCAL_PTR const T *tile, i32 j, const i32 from,
                                  T factor)
{
    UNROLLED
    for (i32 i = 0; i < NB; i += QUICK) {
        if (i + QUICK > from) {
            const quick q = *(LOCAL_PTR const quick *)(tile + j * COLUMN + i);
            UNROLLED
            for (i32 c = 0; c < QUICK; c++)
                if (i + c >= from && i + c < NB)
                    x.v[i + c < NB ? i + c : 0] =
                        T_fma(q.v[c], factor, x.v[i + c < NB ? i + c : 0]);
        }
    }
    return x;
}

/* What was solved before, times the tiles left of the diagonal. All work-items must come. */
DEVICE block_entries solve_before(block_entries x, solve_batch_entry p, trsm_batched_args a,
                                  i64 top, i32 exists)
{
    ROLLED
    for (i64 left = 0; left < top; left += NB) {
        TILE_BARRIER(); /* the tile may still be read */
        solve_take(p, a, top, left, exists);
        TILE_BARRIER();
        ROLLED
        for (i32 j = 0; j < NB; j += B_ONCE) {
            T factors[B_ONCE];
            UNROLLED
            for (i32 u = 0; u < B_ONCE; u++)
                factors[u] = p.active ? *solve_entry(p, a, left + j + u) : T_make(0, 0);
            UNROLLED
            for (i32 u = 0; u < B_ONCE; u++)
                x = solve_update(x, p.tile, j + u, 0, factors[u]);
        }
    }
    return x;
}

#if STAGED
/* Element e of a block of B: entry and right-hand side, and where it is staged. */
#define STAGE_ENTRY(e)  ((e) % NB)
#define STAGE_VECTOR(e) ((e) / NB)
#define STAGE_AT(e)     (STAGE_VECTOR(e) * (NB + 1) + STAGE_ENTRY(e))

/* A block of the batch entry's right-hand sides into local memory, and back; `vectors`: so many
 * there are. */
DEVICE void solve_stage(solve_batch_entry p, trsm_batched_args a, i64 top, i64 vectors)
{
    ROLLED
    for (i32 first = ITEM_V; first < NB * WV; first += WV * B_ONCE) {
        T values[B_ONCE];
        UNROLLED
        for (i32 u = 0; u < B_ONCE; u++) {
            const i32 e = first + u * WV;
            values[u] = T_make(0, 0);
            if (top + STAGE_ENTRY(e) < a.order && STAGE_VECTOR(e) < vectors)
                values[u] = p.B[solve_row(a, top + STAGE_ENTRY(e)) + STAGE_VECTOR(e) * a.next_b];
        }
        UNROLLED
        for (i32 u = 0; u < B_ONCE; u++)
            p.tile[STAGE_AT(first + u * WV)] = values[u];
    }
}

DEVICE void solve_unstage(solve_batch_entry p, trsm_batched_args a, i64 top, i64 vectors)
{
    ROLLED
    for (i32 e = ITEM_V; e < NB * WV; e += WV)
        if (top + STAGE_ENTRY(e) < a.order && STAGE_VECTOR(e) < vectors)
            p.B[solve_row(a, top + STAGE_ENTRY(e)) + STAGE_VECTOR(e) * a.next_b] =
                p.tile[STAGE_AT(e)];
}
#endif

/* alpha times a block of B. All work-items must come. */
DEVICE block_entries solve_load(solve_batch_entry p, trsm_batched_args a, i64 top, i64 vectors,
                                T alpha)
{
    block_entries x;
#if STAGED
    TILE_BARRIER(); /* the tile may still be read */
    solve_stage(p, a, top, vectors);
    TILE_BARRIER();
    UNROLLED
    for (i32 i = 0; i < NB; i++)
        x.v[i] = T_mul(alpha, p.tile[ITEM_V * (NB + 1) + i]);
#else
    (void)vectors;
    UNROLLED
    for (i32 i = 0; i < NB; i++) {
        x.v[i] = T_make(0, 0);
        if (p.active && top + i < a.order)
            x.v[i] = T_mul(alpha, *solve_entry(p, a, top + i));
    }
#endif
    return x;
}

/* Stores it. All work-items must come. */
DEVICE void solve_store(solve_batch_entry p, trsm_batched_args a, i64 top, i64 vectors,
                        block_entries x)
{
#if STAGED
    TILE_BARRIER(); /* the tile may still be read */
    UNROLLED
    for (i32 i = 0; i < NB; i++)
        p.tile[ITEM_V * (NB + 1) + i] = x.v[i];
    TILE_BARRIER();
    solve_unstage(p, a, top, vectors);
#else
    (void)vectors;
    UNROLLED
    for (i32 i = 0; i < NB; i++)
        if (p.active && top + i < a.order)
            *solve_entry(p, a, top + i) = x.v[i];
#endif
}

/* All blocks of a right-hand side; `vectors`: of the group there are so many of the batch entry.
 * All work-items must come. */
DEVICE void solve_vector(solve_batch_entry p, trsm_batched_args a, i64 vectors, T alpha, i32 exists)
{
    ROLLED
    for (i64 top = 0; top < a.order; top += NB) {
        block_entries x = solve_load(p, a, top, vectors, alpha);
        x = solve_before(x, p, a, top, exists);
        TILE_BARRIER();
        solve_take(p, a, top, top, exists);
        TILE_BARRIER();
        UNROLLED
        for (i32 j = 0; j < NB; j++) {
            x.v[j] = T_mul(x.v[j], p.inverse[j]);
            x = solve_update(x, p.tile, j, j + 1, x.v[j]);
        }
        solve_store(p, a, top, vectors, x);
    }
}

KERNEL(trsm_batched, ITEMS, 1, RESIDENT)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const T *A, GLOBAL T *B, trsm_batched_args a)
{
    LOCAL quick tiles[ENTRIES * APART / QUICK];
    LOCAL T inverses[ENTRIES * NB];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars);
    const i32 reads = !T_is_zero(alpha);
    ROLLED
    for (i64 set = GROUP_X; set < a.sets; set += GROUPS_X) {
        const i64 entry = set * ENTRIES + ITEM_M;
        const i32 exists = entry < a.batch;
        const i64 known = exists ? entry : a.batch - 1;
        solve_batch_entry p;
        p.A = reads ? entry_start(A, known, a.stride_a) : A;
        p.tile = tiles[0].v + ITEM_M * APART;
        p.inverse = inverses + ITEM_M * NB;
        GLOBAL T *start = entry_start(B, known, a.stride_b);
        ROLLED
        for (i64 first = GROUP_Y * WV; first < a.vectors; first += a.vector_groups * WV) {
            const i64 vector = first + ITEM_V;
            p.active = exists && vector < a.vectors;
            p.B = start + first * a.next_b;
            p.b = p.active ? start + vector * a.next_b : start;
            if (reads) {
                solve_vector(p, a, exists ? a.vectors - first : 0, alpha, exists);
            } else if (p.active) {
                ROLLED
                for (i64 i = 0; i < a.order; i++)
                    p.b[i * a.step_b] = T_make(0, 0);
            }
        }
    }
}
