/* trsm_leaf.cl: B := op(A)^-1 (alpha B) or (alpha B) op(A)^-1 for one block of at most NB rows of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With A on the right the transposed equations are solved: rows of B are the right-hand sides. The triangle is taken to
 * local memory once per group, and so are slabs of SLAB right-hand sides one after the other, side by side, so that
 * loads and stores of B go along its columns whichever side A stands on. Then substitution: STEP unknowns at a time are found
 * in registers and taken out of the rows behind them. PARTS lanes have the same right-hand side: all of them find the unknowns,
 * and each takes them out of its own rows. The diagonal is inverted once, as in trsv; no block is.
 * alpha = 0: B becomes 0 whatever it and A hold, also where alpha is not applied here (scale is 0).
 * Geometry: any number of groups of ITEMS work-items. Macros: trsv_diagonal.h, where TRANS says that A turned is the
 * matrix of the equations; SLAB: a power of two that divides ITEMS; STEP: one that divides NB; RIGHT: 1: A is on the right.
 * Barriers: all work-items walk over the same slabs and all steps.
 */
#define WHOLE   0
#define AT_ONCE 4
#include "scalars.h"
#include "trsm_args.h"
#include "trsv_diagonal.h"

#if !defined(SLAB) || !defined(STEP) || !defined(RIGHT)
#error "trsm_leaf needs SLAB, STEP and RIGHT"
#endif

#define PARTS    (ITEMS / SLAB)
#define SLAB_ROW (SLAB > 1 ? SLAB + 1 : 1) /* elements of local memory per unknown */

/* Element e of a slab: which unknown of the block, as A counts them, and which right-hand side. */
DEVICE i32 leaf_row(i32 e)
{
    return RIGHT ? e / SLAB : e % NB;
}

DEVICE i32 leaf_side(i32 e)
{
    return RIGHT ? e % SLAB : e / NB;
}

/* Takes a slab to local memory, in the order of solving; what is outside is 0. */
DEVICE void leaf_load(trsv_data d, GLOBAL const T *B, trsm_args a, i64 first, T factor,
                      LOCAL_PTR T *rest)
{
    ROLLED
    for (i32 e = LANE_X; e < NB * SLAB; e += ITEMS) {
        const i32 row = leaf_row(e), side = leaf_side(e);
        T value = T_make(0, 0);
        if (row < a.triangle.n && first + side < a.sides)
            value = T_mul(factor,
                          RIGHT ? B[first + side + row * a.ldb] : B[row + (first + side) * a.ldb]);
        rest[trsv_turn(d, row) * SLAB_ROW + side] = value;
    }
}

DEVICE void leaf_store(trsv_data d, GLOBAL T *B, trsm_args a, i64 first, i32 none,
                       LOCAL_PTR const T *rest)
{
    ROLLED
    for (i32 e = LANE_X; e < NB * SLAB; e += ITEMS) {
        const i32 row = leaf_row(e), side = leaf_side(e);
        const T value = none ? T_make(0, 0) : rest[trsv_turn(d, row) * SLAB_ROW + side];
        if (row < a.triangle.n && first + side < a.sides)
            B[RIGHT ? first + side + row * a.ldb : row + (first + side) * a.ldb] = value;
    }
}

typedef struct leaf_found {
    T v[STEP];
} leaf_found;

/* Unknowns j to j + STEP - 1 of this lane's right-hand side. */
DEVICE leaf_found leaf_find(LOCAL_PTR const T *block, LOCAL_PTR const T *inverse,
                            LOCAL_PTR const T *rest, i32 j)
{
    leaf_found x;
    UNROLLED
    for (i32 s = 0; s < STEP; s++)
        x.v[s] = rest[(j + s) * SLAB_ROW + LANE_X % SLAB];
    UNROLLED
    for (i32 s = 0; s < STEP; s++) {
        x.v[s] = T_mul(x.v[s], inverse[j + s]);
        UNROLLED
        for (i32 t = s + 1; t < STEP; t++)
            x.v[t] = T_fma(block[trsv_at(j + t, j + s)], x.v[s], x.v[t]);
    }
    return x;
}

/* Takes them out of this lane's rows behind them; one of the lanes keeps them. */
DEVICE void leaf_take_out(LOCAL_PTR const T *block, LOCAL_PTR T *rest, i32 j, leaf_found x)
{
    const i32 side = LANE_X % SLAB, part = LANE_X / SLAB;
    if (part == 0) {
        UNROLLED
        for (i32 s = 0; s < STEP; s++)
            rest[(j + s) * SLAB_ROW + side] = x.v[s];
    }
    ROLLED
    for (i32 i = j + STEP + part; i < NB; i += PARTS) {
        T sum = rest[i * SLAB_ROW + side];
        UNROLLED
        for (i32 s = 0; s < STEP; s++)
            sum = T_fma(block[trsv_at(i, j + s)], x.v[s], sum);
        rest[i * SLAB_ROW + side] = sum;
    }
}

KERNEL(trsm_leaf, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT B, trsm_args a)
{
    LOCAL T block[KEPT];
    LOCAL T inverse[NB];
    LOCAL T rest[NB * SLAB_ROW];
    BEGIN();
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
