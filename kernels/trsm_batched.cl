/* trsm_batched.cl: B := alpha inv(op(A)) B or alpha B inv(op(A)) for many members, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Right-hand sides do not depend on each other: columns of B, or its rows where A is on the right, which is the solve
 * with the transpose. A lane has one of them, NB entries at a time in registers; WV lanes have those of one member, and
 * a group has MEMBERS members. Blocks of NB rows are taken in order of solving, so that in here every triangle is a
 * lower one. Of a block row the tiles left of the diagonal are multiplied with what was solved before, which lanes read
 * back from B; then comes its diagonal tile, whose substitution uses reciprocals of the diagonal. Every tile stands in
 * local memory for all lanes of the member, column by column, COLUMN elements apart: lanes of a member read the same
 * element, and those of other members PAD elements further. Rows past the end are those of the identity.
 *
 * alpha = 0: A and B are not read and B becomes 0. Beyond its triangle A is not read. Geometry: along x sets of
 * MEMBERS members; along y groups share the right-hand sides; ITEMS = MEMBERS * WV work-items. Macros: ITEMS, NB, WV;
 * TRANS 0 or 1: of what is solved with; CONJ 0 or 1; POINTERS. Barriers: all work-items walk the same sets, right-hand
 * sides and tiles; lanes without a member or a right-hand side store nothing.
 */
#include "member.h"
#include "scalars.h"
#include "trsm_batched_args.h"

#if !defined(ITEMS) || !defined(NB) || !defined(WV) || !defined(TRANS) || !defined(CONJ)
#error "trsm_batched needs ITEMS, NB, WV, TRANS and CONJ"
#endif
#define MEMBERS (ITEMS / WV)
#define QUICK   (16 / (i32)sizeof(T)) /* elements of 16 bytes */
#define COLUMN  ((NB + QUICK - 1) / QUICK * QUICK)
#define APART   (NB * COLUMN + QUICK)
#define LANE_V  (LANE_X % WV) /* right-hand side */
#define LANE_M  (LANE_X / WV) /* member */

typedef struct ALIGNED(16) quick {
    T v[QUICK];
} quick;

/* NB entries of a right-hand side. */
typedef struct block_entries {
    T v[NB];
} block_entries;

/* One member, and the lane's part in it. */
typedef struct solve_member {
    GLOBAL const T *A;
    GLOBAL T *b;          /* its right-hand side */
    LOCAL_PTR T *tile;    /* of this member */
    LOCAL_PTR T *inverse; /* of the diagonal */
    i32 active;           /* there is a right-hand side */
} solve_member;

/* The row of the matrix that is solved as number i. */
DEVICE i64 solve_row(trsm_batched_args a, i64 i)
{
    return a.backward ? a.order - 1 - i : i;
}

/* Puts a tile into local memory: rows from `top` on, columns from `left` on, both in order of solving. Neighbours read
 * neighbouring elements of a column of A. On the diagonal only what is below it is read, and of the diagonal itself the
 * reciprocals go to `inverse`. */
DEVICE void solve_take(solve_member p, trsm_batched_args a, i64 top, i64 left, i32 exists)
{
    const i32 diagonal = top == left;
    ROLLED
    for (i32 e = LANE_V; e < NB * NB; e += WV) {
        const i32 i = TRANS ? e / NB : e % NB, j = TRANS ? e % NB : e / NB;
        const i32 inside = exists && top + i < a.order && left + j < a.order;
        T value = T_make(0, 0);
        if (inside && (!diagonal || i > j || (i == j && !a.unit))) {
            const i64 row = solve_row(a, top + i), column = solve_row(a, left + j);
            value = TRANS ? p.A[column + row * a.lda] : p.A[row + column * a.lda];
            if (CONJ)
                value = T_conj(value);
        }
        if (diagonal && i == j)
            p.inverse[i] = inside && !a.unit ? T_reciprocal(value) : T_make(1, 0);
        p.tile[i + j * COLUMN] = T_neg(value);
    }
}

/* Entry i of the right-hand side, in order of solving. */
DEVICE GLOBAL T *solve_entry(solve_member p, trsm_batched_args a, i64 i)
{
    return p.b + solve_row(a, i) * a.step_b;
}

/* x := x - (column j of the tile) times `factor`, from row `from` on */
DEVICE block_entries solve_update(block_entries x, LOCAL_PTR const T *tile, const i32 j,
                                  const i32 from, T factor)
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
DEVICE block_entries solve_before(block_entries x, solve_member p, trsm_batched_args a, i64 top,
                                  i32 exists)
{
    ROLLED
    for (i64 left = 0; left < top; left += NB) {
        BARRIER(); /* the tile may still be read */
        solve_take(p, a, top, left, exists);
        BARRIER();
        ROLLED
        for (i32 j = 0; j < NB; j++) {
            const T factor = p.active ? *solve_entry(p, a, left + j) : T_make(0, 0);
            x = solve_update(x, p.tile, j, 0, factor);
        }
    }
    return x;
}

/* All blocks of a right-hand side. All work-items must come. */
DEVICE void solve_vector(solve_member p, trsm_batched_args a, T alpha, i32 exists)
{
    ROLLED
    for (i64 top = 0; top < a.order; top += NB) {
        block_entries x;
        UNROLLED
        for (i32 i = 0; i < NB; i++) {
            x.v[i] = T_make(0, 0);
            if (p.active && top + i < a.order)
                x.v[i] = T_mul(alpha, *solve_entry(p, a, top + i));
        }
        x = solve_before(x, p, a, top, exists);
        BARRIER();
        solve_take(p, a, top, top, exists);
        BARRIER();
        UNROLLED
        for (i32 j = 0; j < NB; j++) {
            x.v[j] = T_mul(x.v[j], p.inverse[j]);
            x = solve_update(x, p.tile, j, j + 1, x.v[j]);
        }
        UNROLLED
        for (i32 i = 0; i < NB; i++)
            if (p.active && top + i < a.order)
                *solve_entry(p, a, top + i) = x.v[i];
    }
}

KERNEL(trsm_batched, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const T *A, GLOBAL T *B, trsm_batched_args a)
{
    LOCAL quick tiles[MEMBERS * APART / QUICK];
    LOCAL T inverses[MEMBERS * NB];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars);
    const i32 reads = !T_is_zero(alpha);
    ROLLED
    for (i64 set = GROUP_X; set < a.sets; set += GROUPS_X) {
        const i64 member = set * MEMBERS + LANE_M;
        const i32 exists = member < a.batch;
        const i64 known = exists ? member : a.batch - 1;
        solve_member p;
        p.A = reads ? member_start(A, known, a.stride_a) : A;
        p.tile = tiles[0].v + LANE_M * APART;
        p.inverse = inverses + LANE_M * NB;
        GLOBAL T *b = member_start(B, known, a.stride_b);
        ROLLED
        for (i64 first = GROUP_Y * WV; first < a.vectors; first += a.vector_groups * WV) {
            const i64 vector = first + LANE_V;
            p.active = exists && vector < a.vectors;
            p.b = b + (p.active ? vector : 0) * a.next_b;
            if (reads) {
                solve_vector(p, a, alpha, exists);
            } else if (p.active) {
                ROLLED
                for (i64 i = 0; i < a.order; i++)
                    p.b[i * a.step_b] = T_make(0, 0);
            }
        }
    }
}
