/* trsm_leaf.cl: B := op(A)^-1 (alpha B) or (alpha B) op(A)^-1 for one block of at most NB rows of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With A on the right the transposed equations are solved: rows of B are the right-hand sides. The
 * triangle is taken to local memory once per group, and so are slabs of SLAB right-hand sides one
 * after the other, side by side, so that loads and stores of B go along its columns whichever side
 * A stands on. Then substitution: STEP unknowns at a time are found in registers and taken out of
 * the rows behind them. A lane has EACH right-hand sides, so that an element of the triangle is
 * loaded once for all of them. PARTS lanes have the same ones: all of them find the unknowns, and
 * each takes them out of its own rows. The diagonal is inverted once, as in trsv; no block is.
 * alpha = 0: B becomes 0 whatever it and A hold, also where alpha is not applied here (scale is 0).
 * Geometry: any number of groups of ITEMS work-items. Macros: trsv_diagonal.h, where TRANS says
 * that A turned is the matrix of the equations; SLAB, EACH: powers of two, SLAB / EACH divides
 * ITEMS; STEP: one that divides NB; RIGHT: 1: A is on the right. Barriers: all work-items walk over
 * the same slabs and all steps. Local memory: LOCAL_ROOM of ROOM elements.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(SLAB) || !defined(EACH) || !defined(STEP) ||       \
    !defined(RIGHT)
#error "trsm_leaf needs ITEMS, NB, SLAB, EACH, STEP and RIGHT"
#endif

#define LANES    (SLAB / EACH)             /* side by side, with different right-hand sides */
#define PARTS    (ITEMS / LANES)           /* at most NB */
#define SLAB_ROW (SLAB > 1 ? SLAB + 1 : 1) /* elements of local memory per unknown */

/* Elements of the triangle and of a slab that a work-item has on their way at once, and rows that
 * it takes unknowns out of at once: each would wait for the one before. Where lanes do not share
 * right-hand sides, which is on CPUs, they are code. */
#define WHOLE 0
#if PARTS == 1
#define AT_ONCE 4
#define HELD    1
#define CHAINS  1
#else
#define MOST_AT_ONCE (PREC == 3 ? 16 : 32)
#define AT_ONCE      (NB * NB / ITEMS < MOST_AT_ONCE ? NB * NB / ITEMS : MOST_AT_ONCE)
#define HELD         (NB * SLAB / ITEMS < 16 ? NB * SLAB / ITEMS : 16)
#define CHAINS       (NB / PARTS < 4 ? NB / PARTS : 4)
#endif
#include "scalars.h"
#include "trsm_args.h"
#include "trsv_diagonal.h"

#define ROOM (KEPT + NB + NB * SLAB_ROW) /* elements: block, reciprocals, slab */

/* Element e of a slab: which unknown of the block, as A counts them, and which right-hand side. */
DEVICE i32 leaf_row(i32 e)
{
    return RIGHT ? e / SLAB : e % NB;
}

DEVICE i32 leaf_side(i32 e)
{
    return RIGHT ? e % SLAB : e / NB;
}

/* Where it stands in B. */
DEVICE i64 leaf_place(trsm_args a, i64 first, i32 e)
{
    return RIGHT ? first + leaf_side(e) + leaf_row(e) * a.ldb
                 : leaf_row(e) + (first + leaf_side(e)) * a.ldb;
}

DEVICE i32 leaf_inside(trsm_args a, i64 first, i32 e)
{
    return leaf_row(e) < a.triangle.n && first + leaf_side(e) < a.sides;
}

/* Takes a slab to local memory, in the order of solving; what is outside is 0. */
DEVICE void leaf_load(trsv_data d, GLOBAL const T *B, trsm_args a, i64 first, T factor,
                      LOCAL_PTR T *rest)
{
    ROLLED
    for (i32 from = ITEM_X; from < NB * SLAB; from += ITEMS * HELD) {
        T held[HELD];
        UNROLLED
        for (i32 h = 0; h < HELD; h++) {
            const i32 e = from + h * ITEMS;
            held[h] = T_make(0, 0);
            if (leaf_inside(a, first, e))
                held[h] = B[leaf_place(a, first, e)];
        }
        UNROLLED
        for (i32 h = 0; h < HELD; h++) {
            const i32 e = from + h * ITEMS;
            rest[trsv_turn(d, leaf_row(e)) * SLAB_ROW + leaf_side(e)] = T_mul(factor, held[h]);
        }
    }
}

DEVICE void leaf_store(trsv_data d, GLOBAL T *B, trsm_args a, i64 first, i32 none,
                       LOCAL_PTR const T *rest)
{
    ROLLED
    for (i32 from = ITEM_X; from < NB * SLAB; from += ITEMS * HELD) {
        UNROLLED
        for (i32 h = 0; h < HELD; h++) {
            const i32 e = from + h * ITEMS;
            const T value =
                none ? T_make(0, 0) : rest[trsv_turn(d, leaf_row(e)) * SLAB_ROW + leaf_side(e)];
            if (leaf_inside(a, first, e))
                B[leaf_place(a, first, e)] = value;
        }
    }
}

/* Unknowns of a lane, STEP of each of its right-hand sides. */
typedef struct leaf_found {
    T v[STEP][EACH];
} leaf_found;

/* Where unknown `row` of this lane's right-hand side number q is kept. */
DEVICE i32 leaf_at(i32 row, i32 q)
{
    return row * SLAB_ROW + ITEM_X % LANES + q * LANES;
}

/* Unknowns j to j + STEP - 1. */
DEVICE leaf_found leaf_find(LOCAL_PTR const T *block, LOCAL_PTR const T *inverse,
                            LOCAL_PTR const T *rest, i32 j)
{
    leaf_found x;
    UNROLLED
    for (i32 s = 0; s < STEP; s++) {
        UNROLLED
        for (i32 q = 0; q < EACH; q++)
            x.v[s][q] = rest[leaf_at(j + s, q)];
    }
    UNROLLED
    for (i32 s = 0; s < STEP; s++) {
        UNROLLED
        for (i32 q = 0; q < EACH; q++)
            x.v[s][q] = T_mul(x.v[s][q], inverse[j + s]);
        UNROLLED
        for (i32 t = s + 1; t < STEP; t++) {
            UNROLLED
            for (i32 q = 0; q < EACH; q++)
                x.v[t][q] = T_fma(block[trsv_at(j + t, j + s)], x.v[s][q], x.v[t][q]);
        }
    }
    return x;
}

/* The row of chain c; where there is none the first one again, which no other lane changes. */
DEVICE i32 leaf_chain(i32 from, i32 c)
{
    return from + c * PARTS < NB ? from + c * PARTS : from;
}

/* Takes them out of this lane's rows behind them; one of the lanes that have them keeps them. */
DEVICE void leaf_take_out(LOCAL_PTR const T *block, LOCAL_PTR T *rest, i32 j, leaf_found x)
{
    const i32 part = ITEM_X / LANES;
    if (part == 0) {
        UNROLLED
        for (i32 s = 0; s < STEP; s++) {
            UNROLLED
            for (i32 q = 0; q < EACH; q++)
                rest[leaf_at(j + s, q)] = x.v[s][q];
        }
    }
    ROLLED
    for (i32 from = j + STEP + part; from < NB; from += PARTS * CHAINS) {
        T sums[CHAINS][EACH];
        UNROLLED
        for (i32 c = 0; c < CHAINS; c++) {
            UNROLLED
            for (i32 q = 0; q < EACH; q++)
                sums[c][q] = rest[leaf_at(leaf_chain(from, c), q)];
        }
        UNROLLED
        for (i32 s = 0; s < STEP; s++) {
            UNROLLED
            for (i32 c = 0; c < CHAINS; c++) {
                const T a = block[trsv_at(leaf_chain(from, c), j + s)];
                UNROLLED
                for (i32 q = 0; q < EACH; q++)
                    sums[c][q] = T_fma(a, x.v[s][q], sums[c][q]);
            }
        }
        UNROLLED
        for (i32 c = 0; c < CHAINS; c++) {
            UNROLLED
            for (i32 q = 0; q < EACH; q++)
                if (from + c * PARTS < NB)
                    rest[leaf_at(from + c * PARTS, q)] = sums[c][q];
        }
    }
}

KERNEL(trsm_leaf, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT B, trsm_args a)
{
    LOCAL_ROOM(T, block, ROOM);
    BEGIN();
    LOCAL_PTR T *inverse = block + KEPT;
    LOCAL_PTR T *rest = inverse + NB;
    const T alpha = alpha_of(alpha_at, a.scalars);
    const T factor = a.scale ? alpha : T_make(1, 0);
    const i32 none = T_is_zero(alpha);
    trsv_data d;
    d.A = A;
    d.a = a.triangle;
    d.backward = (d.a.upper != 0) != TRANS;
    trsv_take_diagonal(d, 0, block, inverse);
    BARRIER();
    trsv_invert(inverse);
    ROLLED
    for (i64 slab = GROUP_X; slab < a.slabs; slab += GROUPS_X) {
        leaf_load(d, B, a, slab * SLAB, factor, rest);
        ROLLED
        for (i32 j = 0; j < NB; j += STEP) {
            BARRIER(); /* rows j to j + STEP - 1 are complete */
            const leaf_found x = leaf_find(block, inverse, rest, j);
            BARRIER(); /* all lanes have found them */
            leaf_take_out(block, rest, j, x);
        }
        BARRIER();
        leaf_store(d, B, a, slab * SLAB, none, rest);
        BARRIER(); /* the slab may still be read */
    }
}
