/* trsm_strip.cl: B := op(A)^-1 (alpha B) or (alpha B) op(A)^-1 for a block of at most ROWS rows of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group solves for a strip of SLAB right-hand sides, from the first unknown to the last. Rows are counted in the order in
 * which they are solved, so in here every triangle is a lower one. A work-item keeps one row of the strip in registers,
 * EACH right-hand sides of it. STEP unknowns are found at a time, by substitution: SLAB work-items find them, one for
 * each right-hand side. Meanwhile the others take the STEP unknowns before out of their rows; only the rows that come next
 * have been relieved of them already. The columns of A for that come into local memory one step ahead, where they are used
 * SLAB times each. So the chain of a step is the substitution of STEP rows and one update of STEP others.
 * The diagonal is inverted once; no block is. With A on the right the transposed equations are solved.
 * alpha = 0: B becomes 0 whatever it and A hold, also where alpha is not applied here (scale is 0).
 * Geometry: one group of ITEMS work-items for each strip. Macros: ROWS, SLAB, EACH: powers of two, EACH elements are a
 * multiple of 16 bytes and divide SLAB; ITEMS: ROWS SLAB / EACH, at least SLAB; STEP: even, divides ROWS; TRANS: A turned is the matrix of the
 * equations; CONJ; RIGHT: 1: A is on the right; PAIRS: 1: elements of A are complex and stand at any address of a real.
 * Barriers: all work-items walk over the same steps. Local memory: LOCAL_ROOM of ROOM elements.
 */
#if !defined(ITEMS) || !defined(ROWS) || !defined(SLAB) || !defined(EACH) || !defined(STEP) ||     \
    !defined(TRANS) || !defined(CONJ) || !defined(RIGHT) || !defined(PAIRS)
#error "trsm_strip needs ITEMS, ROWS, SLAB, EACH, STEP, TRANS, CONJ, RIGHT and PAIRS"
#endif

#include "scalars.h"
#include "trsm_args.h"

#define QUICK (16 / (i32)sizeof(T)) /* elements per load from local memory */

/* Where element (row, k) of a panel, STEP columns of A, is kept: neighbours along the rows are in different banks. */
#define DOWN   (TRANS ? STEP + 1 : 1)
#define ALONG  (TRANS ? 1 : ROWS)
#define PANEL  (TRANS ? ROWS * (STEP + 1) : ROWS * STEP)
#define SQUARE (STEP * STEP) /* of a diagonal block, column by column */
#define FOUND  (STEP * SLAB)
/* Terms whose loads from local memory are on their way together: as many as there are registers for. */
#define AT_ONCE (STEP < 8 || EACH * T_REALS > 8 ? 2 : 8)
#define ROOM    (3 * FOUND + 2 * SQUARE + ROWS + 2 * PANEL)

typedef struct ALIGNED(16) strip_quick {
    T v[QUICK];
} strip_quick;

/* A row of a work-item: some of its right-hand sides. */
typedef struct strip_row {
    T v[EACH];
} strip_row;

/* Element (i, j) of the triangle in the order of solving, and where unknown i of a right-hand side stands in B. */
typedef struct strip_data {
    GLOBAL const T *A;
    GLOBAL T *B;
    i64 a_down, a_along, b_down, b_along;
    i64 sides; /* right-hand sides from B on */
    i32 n;
} strip_data;

DEVICE strip_data strip_of(GLOBAL const T *A, GLOBAL T *B, trsm_args a)
{
    const i32 backward = (a.triangle.upper != 0) != TRANS;
    const i64 last = backward ? a.triangle.n - 1 : 0, way = backward ? -1 : 1;
    const i64 first = GROUP_X * SLAB, lda = a.triangle.lda;
    strip_data d;
    d.A = A + last * (lda + 1);
    d.a_down = TRANS ? way * lda : way;
    d.a_along = TRANS ? way : way * lda;
    d.B = B + (RIGHT ? first + last * a.ldb : last + first * a.ldb);
    d.b_down = RIGHT ? way * a.ldb : way;
    d.b_along = RIGHT ? 1 : a.ldb;
    d.sides = a.sides - first;
    d.n = (i32)a.triangle.n;
    return d;
}

DEVICE i32 strip_inside(strip_data d, i32 row, i32 side)
{
    return row < d.n && side < d.sides;
}

/* A row of B; what is outside is 0. */
DEVICE strip_row strip_load(strip_data d, i32 row, i32 side, T factor)
{
    GLOBAL const T *at = d.B + (row * d.b_down + side * d.b_along);
    strip_row w;
    UNROLLED
    for (i32 q = 0; q < EACH; q++) {
        w.v[q] = T_make(0, 0);
        if (strip_inside(d, row, side + q))
            w.v[q] = at[q * d.b_along];
    }
    UNROLLED
    for (i32 q = 0; q < EACH; q++)
        w.v[q] = T_mul(factor, w.v[q]);
    return w;
}

DEVICE void strip_store(strip_data d, i32 row, i32 side, i32 none, strip_row w)
{
    GLOBAL T *at = d.B + (row * d.b_down + side * d.b_along);
    UNROLLED
    for (i32 q = 0; q < EACH; q++)
        if (strip_inside(d, row, side + q))
            at[q * d.b_along] = none ? T_make(0, 0) : w.v[q];
}

/* ---- A, on its way into local memory ---- */

DEVICE void strip_copy(LOCAL_PTR T *to, GLOBAL const T *from)
{
#if PAIRS
    COPY_AHEAD((LOCAL_PTR R *)to, (GLOBAL const R *)from);
    COPY_AHEAD((LOCAL_PTR R *)to + 1, (GLOBAL const R *)from + 1);
#else
    COPY_AHEAD(to, from);
#endif
}

/* The columns of a block, in the rows below it. */
DEVICE void strip_copy_panel(strip_data d, i32 block, LOCAL_PTR T *panel)
{
    const i32 first = (block + 1) * STEP;
    GLOBAL const T *from = d.A + block * STEP * d.a_along;
#if TRANS
    ROLLED
    for (i32 e = LANE_X; e < (d.n - first) * STEP; e += ITEMS) {
        const i32 row = first + e / STEP, k = e % STEP;
        strip_copy(panel + (row * DOWN + k * ALONG), from + (row * d.a_down + k * d.a_along));
    }
#else
    const i32 row = LANE_X % ROWS;
    if (row >= first && row < d.n) {
        ROLLED
        for (i32 k = LANE_X / ROWS; k < STEP; k += ITEMS / ROWS)
            strip_copy(panel + (row * DOWN + k * ALONG), from + (row * d.a_down + k * d.a_along));
    }
#endif
}

/* What is below the diagonal of a diagonal block; rows outside are those of the identity. */
DEVICE void strip_copy_square(strip_data d, i32 block, LOCAL_PTR T *square)
{
    const i32 first = block * STEP;
    ROLLED
    for (i32 e = LANE_X; e < SQUARE; e += ITEMS) {
        const i32 i = TRANS ? e / STEP : e % STEP, j = TRANS ? e % STEP : e / STEP;
        if (i > j && first + i < d.n)
            strip_copy(square + (j * STEP + i),
                       d.A + ((first + i) * d.a_down + (first + j) * d.a_along));
        else if (i > j)
            square[j * STEP + i] = T_make(0, 0);
    }
}

DEVICE T strip_op(T a)
{
    return CONJ ? T_conj(a) : a;
}

/* Reciprocals of the diagonal, ones where that is ones. */
DEVICE void strip_invert(strip_data d, i64 unit, LOCAL_PTR T *inverse)
{
    ROLLED
    for (i32 i = LANE_X; i < ROWS; i += ITEMS) {
        T value = T_make(1, 0);
        if (i < d.n && !unit)
            value = d.A[i * (d.a_down + d.a_along)];
        inverse[i] = T_reciprocal(strip_op(value));
    }
}

/* ---- Steps ---- */

/* Finds STEP unknowns of one right-hand side from what is left of their rows. */
DEVICE void strip_find(LOCAL_PTR const T *square, LOCAL_PTR const T *inverse,
                       LOCAL_PTR const T *rest, LOCAL_PTR T *found, i32 side)
{
    T x[STEP];
    UNROLLED
    for (i32 i = 0; i < STEP; i++)
        x[i] = rest[i * SLAB + side];
    UNROLLED
    for (i32 j = 0; j < STEP; j++) {
        x[j] = T_mul(x[j], inverse[j]);
        UNROLLED
        for (i32 i = j + 1; i < STEP; i++)
            x[i] = T_fma(T_neg(strip_op(square[j * STEP + i])), x[j], x[i]);
    }
    UNROLLED
    for (i32 i = 0; i < STEP; i++)
        found[i * SLAB + side] = x[i];
}

/* Takes STEP unknowns out of a row. */
DEVICE strip_row strip_take_out(LOCAL_PTR const T *panel, LOCAL_PTR const T *found, i32 row,
                                i32 side, strip_row w)
{
    LOCAL_PTR const T *at = panel + row * DOWN;
    LOCAL_PTR const strip_quick *x = (LOCAL_PTR const strip_quick *)(found + side);
    ROLLED
    for (i32 from = 0; from < STEP; from += AT_ONCE) {
        UNROLLED
        for (i32 k = from; k < from + AT_ONCE; k++) {
            const T a = T_neg(strip_op(at[k * ALONG]));
            UNROLLED
            for (i32 q = 0; q < EACH / QUICK; q++) {
                const strip_quick some = x[k * (SLAB / QUICK) + q];
                UNROLLED
                for (i32 c = 0; c < QUICK; c++)
                    w.v[q * QUICK + c] = T_fma(a, some.v[c], w.v[q * QUICK + c]);
            }
        }
    }
    return w;
}

/* A row of STEP unknowns or of what is left of them: to local memory and back. */
DEVICE void strip_put(LOCAL_PTR T *to, i32 row, i32 side, strip_row w)
{
    UNROLLED
    for (i32 q = 0; q < EACH; q++)
        to[row * SLAB + side + q] = w.v[q];
}

DEVICE strip_row strip_get(LOCAL_PTR const T *from, i32 row, i32 side)
{
    strip_row w;
    UNROLLED
    for (i32 q = 0; q < EACH; q++)
        w.v[q] = from[row * SLAB + side + q];
    return w;
}

KERNEL(trsm_strip, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT B, trsm_args a)
{
    LOCAL_ROOM(strip_quick, room, ROOM / QUICK + 1);
    BEGIN();
    LOCAL_PTR T *found = (LOCAL_PTR T *)room; /* of this step and of the one before */
    LOCAL_PTR T *rest = found + 2 * FOUND;
    LOCAL_PTR T *square = rest + FOUND;
    LOCAL_PTR T *inverse = square + 2 * SQUARE;
    LOCAL_PTR T *panel = inverse + ROWS;
    const T alpha = alpha_of(alpha_at, a.scalars);
    const T factor = a.scale ? alpha : T_make(1, 0);
    const strip_data d = strip_of(A, B, a);
    const i32 row = LANE_X % ROWS, side = LANE_X / ROWS * EACH, mine = row / STEP;
    strip_row w = strip_load(d, row, side, factor);
    strip_copy_square(d, 0, square);
    strip_copy_square(d, 1, square + SQUARE);
    strip_copy_panel(d, 0, panel);
    COPIES_END();
    strip_invert(d, a.triangle.unit, inverse);
    if (mine == 0)
        strip_put(rest, row, side, w);
    COPIES_WAIT(0);
    BARRIER();
    ROLLED
    for (i32 block = 0; block * STEP < d.n; block++) {
        const i32 now = block % 2, other = 1 - now;
        if (LANE_X < SLAB)
            strip_find(square + now * SQUARE, inverse + block * STEP, rest, found + now * FOUND,
                       LANE_X);
        if (block > 0 && mine > block && row < d.n)
            w = strip_take_out(panel + other * PANEL, found + other * FOUND, row, side, w);
        COPIES_WAIT(0);
        BARRIER(); /* the block is found, the columns below it are here */
        if (mine == block)
            w = strip_get(found + now * FOUND, row % STEP, side);
        if (mine == block + 1 && row < d.n)
            w = strip_take_out(panel + now * PANEL, found + now * FOUND, row, side, w);
        if (mine == block + 1)
            strip_put(rest, row % STEP, side, w);
        strip_copy_square(d, block + 2, square + now * SQUARE);
        strip_copy_panel(d, block + 1, panel + other * PANEL);
        COPIES_END();
        BARRIER(); /* the next block can be found */
    }
    strip_store(d, row, side, T_is_zero(alpha), w);
}
