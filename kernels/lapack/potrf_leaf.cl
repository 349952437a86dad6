/* potrf_leaf.cl: A = L L^H or U^H U for one diagonal block of at most NB rows, in place, and the
 * rows of L below it
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The block is taken to local memory as L; U is L^H. STEP columns at a time: every work-item
 * factors the STEP x STEP triangle on the diagonal in registers, solves for its rows below, and
 * takes them out of the columns behind. The first pivot that is not positive (NaN is not) ends the
 * walk: the columns before it are stored, the rest of A stays as it was, and *state and *info get
 * its number, counted from 1 through the whole matrix. A block behind one that failed does nothing.
 * The first block of a matrix sets both to 0. *state is what later blocks read, *info is the
 * caller's.
 *
 * BELOW > 0: every group factors the same block, and with it BELOW rows of those below it, which
 * are its own. No group waits for another: the last one that took the block to its local memory
 * stores the block, *state and *info.
 *
 * Geometry: groups of ITEMS work-items, one for each BELOW rows below the block, at least one.
 * Macros: ITEMS; NB; STEP: divides NB; WIDE: columns that a work-item updates at once; BELOW: 0, or
 * a multiple of 16; UPPER. Barriers: all work-items see the same pivots and leave together. Local
 * memory: LOCAL_ROOM of ROOM elements. `counter` is 0 before and after.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(STEP) || !defined(WIDE) || !defined(UPPER) ||      \
    !defined(BELOW)
#error "potrf_leaf needs ITEMS, NB, STEP, WIDE, BELOW and UPPER"
#endif
#include "potrf_args.h"

#define ROWS (NB + BELOW) /* of L in local memory */
/* Elements of L, column by column: its triangle alone, or all of its rows. */
#define KEPT (BELOW > 0 ? ROWS * NB : NB * (NB + 1) / 2)
#define ROOM (KEPT + STEP * STEP) /* and the triangle on the diagonal, until all have read it */
#define DOWN (ITEMS < 32 ? ITEMS : 32) /* work-items side by side along a column */
#define OVER (ITEMS / DOWN)            /* columns, in WIDE at a time, side by side */
/* Elements that a work-item has on their way at once. */
#define HELD       (NB * NB / ITEMS < 16 ? NB * NB / ITEMS : 16)
#define HELD_BELOW (NB * BELOW / ITEMS < 16 ? NB * BELOW / ITEMS : 16)

/* Where L(i, j) is kept, i >= j. */
DEVICE i32 at(i32 i, i32 j)
{
    return BELOW > 0 ? j * ROWS + i : j * NB - j * (j + 1) / 2 + i;
}

/* Element e of the square as it lies in memory: in L its row and column. */
DEVICE i32 row_of(i32 e)
{
    return UPPER ? e / NB : e % NB;
}

DEVICE i32 column_of(i32 e)
{
    return UPPER ? e % NB : e / NB;
}

DEVICE i64 place_of(potrf_args a, i32 e)
{
    return e % NB + e / NB * a.lda;
}

/* What is outside of the block is the identity. */
DEVICE void leaf_load(GLOBAL const T *A, potrf_args a, LOCAL_PTR T *L)
{
    ROLLED
    for (i32 from = ITEM_X; from < NB * NB; from += ITEMS * HELD) {
        T held[HELD];
        UNROLLED
        for (i32 h = 0; h < HELD; h++) {
            const i32 e = from + h * ITEMS, i = row_of(e), j = column_of(e);
            held[h] = T_make(i == j, 0);
            if (i >= j && i < a.n)
                held[h] = A[place_of(a, e)];
        }
        UNROLLED
        for (i32 h = 0; h < HELD; h++) {
            const i32 e = from + h * ITEMS, i = row_of(e), j = column_of(e);
            if (i >= j)
                L[at(i, j)] = UPPER ? T_conj(held[h]) : held[h];
        }
    }
}

/* Columns [0, done) of L. */
DEVICE void leaf_store(GLOBAL T *A, potrf_args a, i32 done, LOCAL_PTR const T *L)
{
    ROLLED
    for (i32 e = ITEM_X; e < NB * NB; e += ITEMS) {
        const i32 i = row_of(e), j = column_of(e);
        if (i >= j && i < a.n && j < done)
            A[place_of(a, e)] = UPPER ? T_conj(L[at(i, j)]) : L[at(i, j)];
    }
}

#if BELOW > 0
/* Element e of this group's rows below the block, as they lie in memory: its row and column. */
DEVICE i32 below_row(i32 e)
{
    return UPPER ? e / NB : e % BELOW;
}

DEVICE i32 below_column(i32 e)
{
    return UPPER ? e % NB : e / BELOW;
}

DEVICE i64 below_place(potrf_args a, i32 e)
{
    const i64 i = a.n + GROUP_X * BELOW + below_row(e);
    return UPPER ? below_column(e) + i * a.lda : i + below_column(e) * a.lda;
}

DEVICE i32 is_below(potrf_args a, i32 e, i32 columns)
{
    return GROUP_X * BELOW + below_row(e) < a.below && below_column(e) < columns;
}

/* This group's rows: what is not there is zeros. */
DEVICE void below_load(GLOBAL const T *A, potrf_args a, LOCAL_PTR T *L)
{
    ROLLED
    for (i32 from = ITEM_X; from < NB * BELOW; from += ITEMS * HELD_BELOW) {
        T held[HELD_BELOW];
        UNROLLED
        for (i32 h = 0; h < HELD_BELOW; h++) {
            const i32 e = from + h * ITEMS;
            held[h] = T_make(0, 0);
            if (is_below(a, e, (i32)a.n))
                held[h] = A[below_place(a, e)];
        }
        UNROLLED
        for (i32 h = 0; h < HELD_BELOW; h++) {
            const i32 e = from + h * ITEMS;
            L[at(NB + below_row(e), below_column(e))] = UPPER ? T_conj(held[h]) : held[h];
        }
    }
}

/* Columns [0, done) of them. */
DEVICE void below_store(GLOBAL T *A, potrf_args a, i32 done, LOCAL_PTR const T *L)
{
    ROLLED
    for (i32 e = ITEM_X; e < NB * BELOW; e += ITEMS)
        if (is_below(a, e, done)) {
            const T x = L[at(NB + below_row(e), below_column(e))];
            A[below_place(a, e)] = UPPER ? T_conj(x) : x;
        }
}
#endif

/* The triangle on the diagonal, the reciprocals of its pivots, and how many of them are positive
 * before the first that is not. */
typedef struct leaf_corner {
    T v[STEP][STEP];
    R inverse[STEP];
    i32 good;
} leaf_corner;

/* From its reciprocal, with a step of Newton's: a third of the time of a root and a quotient. An
 * infinite pivot, whose reciprocal is 0, is its root. */
DEVICE R root_of(R pivot, R inverse)
{
    const R root = pivot * inverse;
    return inverse > 0 ? R_fma(R_fma(-root, root, pivot), inverse / 2, root) : pivot;
}

DEVICE leaf_corner leaf_factor(LOCAL_PTR const T *L, i32 j)
{
    leaf_corner d;
    d.good = STEP;
    UNROLLED
    for (i32 s = 0; s < STEP; s++) {
        UNROLLED
        for (i32 t = 0; t <= s; t++)
            d.v[s][t] = L[at(j + s, j + t)];
    }
    UNROLLED
    for (i32 t = 0; t < STEP; t++) {
        const R pivot = T_real(d.v[t][t], 0);
        if (!(pivot > 0) && d.good == STEP)
            d.good = t;
        const R inverse = rsqrt(pivot);
        d.v[t][t] = T_make(root_of(pivot, inverse), 0);
        d.inverse[t] = inverse;
        UNROLLED
        for (i32 s = t + 1; s < STEP; s++)
            d.v[s][t] = T_scale(d.inverse[t], d.v[s][t]);
        UNROLLED
        for (i32 c = t + 1; c < STEP; c++) {
            UNROLLED
            for (i32 s = c; s < STEP; s++)
                d.v[s][c] = T_fma(T_neg(d.v[s][t]), T_conj(d.v[c][t]), d.v[s][c]);
        }
    }
    return d;
}

/* This work-item's rows below the triangle. */
DEVICE void leaf_solve(LOCAL_PTR T *L, i32 j, leaf_corner d)
{
    ROLLED
    for (i32 i = j + STEP + ITEM_X; i < ROWS; i += ITEMS) {
        T x[STEP];
        UNROLLED
        for (i32 s = 0; s < STEP; s++)
            x[s] = L[at(i, j + s)];
        UNROLLED
        for (i32 s = 0; s < STEP; s++) {
            x[s] = T_scale(d.inverse[s], x[s]);
            UNROLLED
            for (i32 t = s + 1; t < STEP; t++)
                x[t] = T_fma(T_neg(x[s]), T_conj(d.v[t][s]), x[t]);
        }
        UNROLLED
        for (i32 s = 0; s < STEP; s++)
            L[at(i, j + s)] = x[s];
    }
}

/* Takes columns [j, j + STEP) out of those behind. */
DEVICE void leaf_update(LOCAL_PTR T *L, i32 j)
{
    ROLLED
    for (i32 k = j + STEP + ITEM_X / DOWN * WIDE; k < NB; k += OVER * WIDE) {
        T row[WIDE][STEP];
        UNROLLED
        for (i32 w = 0; w < WIDE; w++) {
            UNROLLED
            for (i32 s = 0; s < STEP; s++)
                row[w][s] = T_neg(T_conj(L[at(k + w, j + s)]));
        }
        ROLLED
        for (i32 i = k + ITEM_X % DOWN; i < ROWS; i += DOWN) {
            T sums[WIDE];
            UNROLLED
            for (i32 w = 0; w < WIDE; w++)
                if (i >= k + w)
                    sums[w] = L[at(i, k + w)];
            UNROLLED
            for (i32 s = 0; s < STEP; s++) {
                const T x = L[at(i, j + s)];
                UNROLLED
                for (i32 w = 0; w < WIDE; w++)
                    if (i >= k + w)
                        sums[w] = T_fma(x, row[w][s], sums[w]);
            }
            UNROLLED
            for (i32 w = 0; w < WIDE; w++)
                if (i >= k + w)
                    L[at(i, k + w)] = sums[w];
        }
    }
}

KERNEL(potrf_leaf, ITEMS, 1, 1)
(GLOBAL T *RESTRICT A, GLOBAL i64 *RESTRICT state, GLOBAL i64 *RESTRICT info,
 GLOBAL i32 *RESTRICT counter, potrf_args a)
{
    LOCAL_ROOM(T, L, ROOM);
#if BELOW > 0
    LOCAL i32 last[1];
#endif
    BEGIN();
    LOCAL_PTR T *corner = L + KEPT;
    if (a.before > 0 && *state != 0)
        a.n = a.below = 0; /* all work-items still reach the barriers */
    leaf_load(A, a, L);
#if BELOW > 0
    below_load(A, a, L);
    BARRIER(); /* the group has the block and *state */
    if (ITEM_X == 0)
        last[0] = GROUPS_X == 1 || TICKET(counter) == (i32)GROUPS_X - 1;
#endif
    i32 done = 0, good = STEP;
    ROLLED
    while (done < a.n && good == STEP) {
        const i32 j = done;
        BARRIER(); /* the columns from j on are complete */
        const leaf_corner d = leaf_factor(L, j);
        good = d.good;
        done = j + good;
        leaf_solve(L, j, d);
        if (ITEM_X == 0) {
            UNROLLED
            for (i32 s = 0; s < STEP; s++) {
                UNROLLED
                for (i32 t = 0; t <= s; t++)
                    corner[s * STEP + t] = d.v[s][t];
            }
        }
        BARRIER(); /* all work-items have read the triangle */
        for (i32 e = ITEM_X; e < STEP * STEP; e += ITEMS)
            if (e / STEP >= e % STEP)
                L[at(j + e / STEP, j + e % STEP)] = corner[e];
        leaf_update(L, j);
    }
    BARRIER();
#if BELOW > 0
    below_store(A, a, done < a.n ? done : (i32)a.n, L);
    if (!last[0])
        return;
#endif
    leaf_store(A, a, done, L);
    if (ITEM_X == 0 && (good < STEP || a.before == 0)) {
        const i64 failed = good < STEP ? a.before + done + 1 : 0;
        *state = failed;
        *info = failed;
    }
    if (ITEM_X == 0 && GROUPS_X > 1)
        *counter = 0;
}
