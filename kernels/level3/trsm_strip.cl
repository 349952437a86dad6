/* trsm_strip.cl: B := op(A)^-1 (alpha B) or (alpha B) op(A)^-1 for a block of at most ROWS rows of
 * A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group solves for a strip of SLAB right-hand sides, from the first unknown to the last. Rows are
 * counted in the order in which they are solved, so in here every triangle is a lower one. A
 * work-item keeps one row of the strip in registers, EACH right-hand sides of it. STEP unknowns are
 * found at a time, by substitution: SLAB work-items find them, one for each right-hand side.
 * Meanwhile the others take the STEP unknowns before out of their rows, and those that have the
 * next STEP rows put them into local memory. There many work-items take the unknowns out of them
 * that were just found, and the next can be found. So the chain of a step is the substitution of
 * STEP rows and one update of STEP others.
 * The columns of A for all that (a panel) are asked for one step before they are used, and are used
 * SLAB times each. At first the groups fetch the whole block into the cache, each a part of it. The
 * diagonal is inverted once; no block is. With A on the right the transposed equations are solved.
 * alpha = 0: B becomes 0 whatever it and A hold, also where alpha is not applied here (scale is 0).
 * Geometry: one group of ITEMS work-items for each strip. Macros: ROWS, SLAB, EACH: powers of two,
 * EACH elements are a multiple of 16 bytes and divide SLAB; ITEMS: ROWS SLAB / EACH, at least SLAB;
 * STEP: even, divides ROWS, its elements are a multiple of 16 bytes; TRANS: A turned is the matrix
 * of the equations; BACKWARD: its last rows are solved first; CONJ; RIGHT: 1: A is on the right;
 * ALIGN_A: bytes that every column of A starts on, 16 only if n is a whole number of them.
 * Barriers: all work-items walk over the same steps. Local memory: LOCAL_ROOM of ROOM elements.
 */
#if !defined(ITEMS) || !defined(ROWS) || !defined(SLAB) || !defined(EACH) || !defined(STEP)
#error "trsm_strip needs ITEMS, ROWS, SLAB, EACH and STEP"
#endif
#if !defined(TRANS) || !defined(BACKWARD) || !defined(CONJ) || !defined(RIGHT) || !defined(ALIGN_A)
#error "trsm_strip needs TRANS, BACKWARD, CONJ, RIGHT and ALIGN_A"
#endif

#include "scalars.h"
#include "trsm_args.h"

#define QUICK (16 / (i32)sizeof(T))       /* elements per load from local memory */
#define VEC   (ALIGN_A == 16 ? QUICK : 1) /* elements of A per copy */

/* A panel stands in local memory as in A, from its first row on: element (i, k) counted there.
 * Neighbours along the rows are in different banks, and TRANS reads QUICK terms at once. */
#define DOWN   (TRANS ? STEP + QUICK : 1)
#define ALONG  (TRANS ? 1 : ROWS)
#define PANEL  (TRANS ? ROWS * (STEP + QUICK) : ROWS * STEP)
#define SQUARE (STEP * STEP) /* of a diagonal block, column by column */
#define FOUND  (STEP * SLAB)
/* Terms whose loads from local memory are on their way together: as many as there are registers
 * for. */
#define FEW     (QUICK > 2 ? QUICK : 2)
#define AT_ONCE (STEP < 8 || EACH * T_REALS > 8 ? FEW : 8)
#define HALF    (STEP < 8 ? STEP : 8) /* the same where few other registers are taken */
#define ROOM    (4 * FOUND + 3 * SQUARE + ROWS + 3 * PANEL)
#define LINE    (128 / (i32)sizeof(T)) /* elements of a cache line */

typedef struct ALIGNED(16) strip_quick {
    T v[QUICK];
} strip_quick;

/* A row of a work-item: some of its right-hand sides. */
typedef struct strip_row {
    T v[EACH];
} strip_row;

/* Element (i, j) of the triangle in the order of solving, and where unknown i of a right-hand side
 * stands in B. */
typedef struct strip_data {
    GLOBAL const T *A;
    GLOBAL T *B;
    i64 lda, a_down, a_along, b_down, b_along;
    i64 sides; /* right-hand sides from B on */
    i32 n;
} strip_data;

DEVICE strip_data strip_of(GLOBAL const T *A, GLOBAL T *B, trsm_args a)
{
    const i64 last = BACKWARD ? a.triangle.n - 1 : 0, way = BACKWARD ? -1 : 1;
    const i64 first = GROUP_X * SLAB, lda = a.triangle.lda;
    strip_data d;
    d.A = A + last * (lda + 1);
    d.lda = lda;
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

/* A row of B; what is outside is 0. Addresses come one after the other: EACH of them would take
 * registers. */
DEVICE strip_row strip_load(strip_data d, i32 row, i32 side, T factor)
{
    GLOBAL const T *at = d.B + (row * d.b_down + side * d.b_along);
    strip_row w;
    UNROLLED
    for (i32 q = 0; q < EACH; q++) {
        w.v[q] = T_make(0, 0);
        if (strip_inside(d, row, side + q))
            w.v[q] = *at;
        at += d.b_along;
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
    for (i32 q = 0; q < EACH; q++) {
        if (strip_inside(d, row, side + q))
            *at = none ? T_make(0, 0) : w.v[q];
        at += d.b_along;
    }
}

/* ---- A, on its way into local memory ---- */

/* Fetches the triangle into the cache, all groups together. A is at its first element in memory. */
DEVICE void strip_fetch(GLOBAL const T *A, i64 lda, i32 n)
{
    const i32 lines = (n + LINE - 1) / LINE, upper = TRANS != BACKWARD;
    ROLLED
    for (i64 e = GROUP_X * ITEMS + ITEM_X; e < (i64)n * lines; e += GROUPS_X * ITEMS) {
        const i32 column = (i32)e / lines, row = ((i32)e - column * lines) * LINE;
        if (upper ? row <= column : row + LINE > column)
            FETCH(A + row + column * lda);
    }
}

DEVICE void strip_copy(LOCAL_PTR T *to, GLOBAL const T *from)
{
#if ALIGN_A < 4 * T_REALS || (PREC == 3 && ALIGN_A < 16)
    COPY_AHEAD((LOCAL_PTR R *)to, (GLOBAL const R *)from);
    COPY_AHEAD((LOCAL_PTR R *)to + 1, (GLOBAL const R *)from + 1);
#else
    COPY_AHEAD(to, from);
#endif
}

/* VEC elements. */
DEVICE void strip_copy_vector(LOCAL_PTR T *to, GLOBAL const T *from)
{
#if ALIGN_A == 16
    COPY_AHEAD((LOCAL_PTR strip_quick *)to, (GLOBAL const strip_quick *)from);
#else
    strip_copy(to, from);
#endif
}

/* The columns of a block, in the rows below it. `A` is the first element in memory. */
DEVICE void strip_copy_panel(GLOBAL const T *A, i64 lda, i32 n, i32 block, LOCAL_PTR T *panel)
{
    const i32 solved = (block + 1) * STEP;
    /* Rows and columns in the order of memory. */
    const i32 first = BACKWARD ? 0 : solved, end = BACKWARD ? n - solved : n;
    const i32 column = BACKWARD ? n - solved : block * STEP;
#if TRANS
    const i32 k = ITEM_X % (STEP / VEC) * VEC;
    ROLLED
    for (i32 row = first + ITEM_X / (STEP / VEC); row < end; row += ITEMS / (STEP / VEC))
        strip_copy_vector(panel + (row * DOWN + k), A + (column + k + row * lda));
#else
    const i32 row = first + ITEM_X % (ROWS / VEC) * VEC;
    if (row < end) {
        GLOBAL const T *from = A + (row + (column + ITEM_X / (ROWS / VEC)) * lda);
        ROLLED
        for (i32 k = ITEM_X / (ROWS / VEC); k < STEP; k += ITEMS / (ROWS / VEC)) {
            strip_copy_vector(panel + (row + k * ALONG), from);
            from += ITEMS / (ROWS / VEC) * lda;
        }
    }
#endif
}

/* What is below the diagonal of a diagonal block; rows outside are those of the identity. */
DEVICE void strip_copy_square(strip_data d, i32 block, LOCAL_PTR T *square)
{
    const i32 first = block * STEP;
    ROLLED
    for (i32 e = ITEM_X; e < SQUARE; e += ITEMS) {
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
    for (i32 i = ITEM_X; i < ROWS; i += ITEMS) {
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

/* Term k of QUICK ones from `from` on, in the order of memory: where its unknown is. */
DEVICE i32 strip_term(i32 k)
{
    return BACKWARD ? STEP - 1 - k : k;
}

/* QUICK elements of A from term k on. */
DEVICE strip_quick strip_terms(LOCAL_PTR const T *at, i32 k)
{
    strip_quick a;
#if TRANS
    a = *(LOCAL_PTR const strip_quick *)(at + k);
#else
    UNROLLED
    for (i32 c = 0; c < QUICK; c++)
        a.v[c] = at[(k + c) * ALONG];
#endif
    UNROLLED
    for (i32 c = 0; c < QUICK; c++)
        a.v[c] = T_neg(strip_op(a.v[c]));
    return a;
}

/* Takes STEP unknowns out of a row, which stands at `at` of a panel. */
DEVICE strip_row strip_take_out(LOCAL_PTR const T *at, LOCAL_PTR const T *found, i32 side,
                                strip_row w)
{
    LOCAL_PTR const strip_quick *x = (LOCAL_PTR const strip_quick *)(found + side);
    ROLLED
    for (i32 from = 0; from < STEP; from += AT_ONCE) {
        UNROLLED
        for (i32 k = 0; k < AT_ONCE; k++) {
            const strip_quick a = strip_terms(at, from + k / QUICK * QUICK);
            UNROLLED
            for (i32 q = 0; q < EACH / QUICK; q++) {
                const strip_quick some = x[strip_term(from + k) * (SLAB / QUICK) + q];
                UNROLLED
                for (i32 c = 0; c < QUICK; c++)
                    w.v[q * QUICK + c] = T_fma(a.v[k % QUICK], some.v[c], w.v[q * QUICK + c]);
            }
        }
    }
    return w;
}

/* Takes STEP unknowns out of the next STEP rows, QUICK right-hand sides of a row at a time; in two
 * sums, so that one need not wait for the other. `first` is where the first of the rows stands in
 * the panel; `rows` of them exist. */
DEVICE void strip_take_next(LOCAL_PTR const T *first, LOCAL_PTR const T *found, LOCAL_PTR T *rest,
                            i32 rows)
{
    LOCAL_PTR const strip_quick *x = (LOCAL_PTR const strip_quick *)found;
    LOCAL_PTR strip_quick *left = (LOCAL_PTR strip_quick *)rest;
    ROLLED
    for (i32 e = ITEM_X; e < FOUND / QUICK; e += ITEMS) {
        const i32 row = e % STEP, side = e / STEP, place = row * (SLAB / QUICK) + side;
        LOCAL_PTR const T *at = first + (BACKWARD ? -row : row) * DOWN;
        if (row >= rows)
            continue;
        strip_quick sums[2];
        sums[0] = left[place];
        UNROLLED
        for (i32 c = 0; c < QUICK; c++)
            sums[1].v[c] = T_make(0, 0);
        ROLLED
        for (i32 from = 0; from < STEP; from += HALF) {
            UNROLLED
            for (i32 k = 0; k < HALF; k++) {
                const strip_quick a = strip_terms(at, from + k / QUICK * QUICK);
                const strip_quick some = x[strip_term(from + k) * (SLAB / QUICK) + side];
                UNROLLED
                for (i32 c = 0; c < QUICK; c++)
                    sums[k % 2].v[c] = T_fma(a.v[k % QUICK], some.v[c], sums[k % 2].v[c]);
            }
        }
        UNROLLED
        for (i32 c = 0; c < QUICK; c++)
            sums[0].v[c] = T_add(sums[1].v[c], sums[0].v[c]);
        left[place] = sums[0];
    }
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

/* Where row i, in the order of solving, stands in a panel. */
DEVICE i32 strip_place(strip_data d, i32 i)
{
    return (BACKWARD ? d.n - 1 - i : i) * DOWN;
}

KERNEL(trsm_strip, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT B, trsm_args a)
{
    LOCAL_ROOM(strip_quick, room, ROOM / QUICK + 1);
    BEGIN();
    LOCAL_PTR T *panel = (LOCAL_PTR T *)room; /* three of them */
    LOCAL_PTR T *found = panel + 3 * PANEL;   /* in this step and in the one before */
    LOCAL_PTR T *rest = found + 2 * FOUND;    /* of this step's rows and of the next ones */
    LOCAL_PTR T *square = rest + 2 * FOUND;   /* three */
    LOCAL_PTR T *inverse = square + 3 * SQUARE;
    const T alpha = alpha_of(alpha_at, a.scalars);
    const T factor = a.scale ? alpha : T_make(1, 0);
    const strip_data d = strip_of(A, B, a);
    const i32 row = ITEM_X % ROWS, side = ITEM_X / ROWS * EACH, mine = row / STEP;
    strip_copy_square(d, 0, square);
    strip_copy_square(d, 1, square + SQUARE);
    strip_copy_panel(A, d.lda, d.n, 0, panel);
    COPIES_END();
    strip_fetch(A, d.lda, d.n);
    strip_row w = strip_load(d, row, side, factor);
    strip_invert(d, a.triangle.unit, inverse);
    if (mine == 0)
        strip_put(rest, row, side, w);
    COPIES_WAIT(0);
    BARRIER();
    i32 before = 2, now = 0, next = 1; /* which of three */
    ROLLED
    for (i32 block = 0; block * STEP < d.n; block++) {
        const i32 odd = block % 2, even = 1 - odd;
        strip_copy_panel(A, d.lda, d.n, block + 1, panel + next * PANEL);
        strip_copy_square(d, block + 2, square + before * SQUARE);
        COPIES_END();
        if (ITEM_X < SLAB)
            strip_find(square + now * SQUARE, inverse + block * STEP, rest + odd * FOUND,
                       found + odd * FOUND, ITEM_X);
        if (block > 0 && mine > block && row < d.n)
            w = strip_take_out(panel + before * PANEL + strip_place(d, row), found + even * FOUND,
                               side, w);
        if (mine == block + 1)
            strip_put(rest + even * FOUND, row % STEP, side, w);
        COPIES_WAIT(1);
        BARRIER(); /* the block is found, the columns below it are here */
        if (mine == block)
            w = strip_get(found + odd * FOUND, row % STEP, side);
        strip_take_next(panel + now * PANEL + strip_place(d, (block + 1) * STEP),
                        found + odd * FOUND, rest + even * FOUND, d.n - (block + 1) * STEP);
        BARRIER(); /* the next block can be found */
        const i32 free = before;
        before = now;
        now = next;
        next = free;
    }
    /* Told anew, so that it holds no registers through the loop: long rows would spill (NVRTC
     * 13.0). */
    strip_store(strip_of(A, B, a), ITEM_X % ROWS, ITEM_X / ROWS * EACH, T_is_zero(alpha), w);
}
