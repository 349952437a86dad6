/* stein_solve.cl: a step of inverse iteration, for all eigenvectors that need one
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * (T - (w_j + s i) I) x = b, and the imaginary part of x is the next vector: a component along an
 * eigenvector at distance g from w_j is multiplied by s / (g^2 + s^2), with s = 4 u norm1(T). So
 * eigenvalues that rounding does not tell apart have about the same factor, and a vector remains
 * what it was among theirs, where it is orthogonal to the others. A real shift would turn all of
 * them into the one that is nearest by chance. As no pivot is smaller than s, none is replaced. b
 * is random in step 0, then the vector as stein_cluster.cl leaves it.
 *
 * T - w I = P L U with partial pivoting is made anew in each step, along with L's part of the
 * solution; U and the right-hand side are in `room`. sizes: the largest modulus in a vector.
 *
 * Geometry: a.slots work-items, in groups of ITEMS; each takes vectors in turn. For complex
 * precisions; X and the rest are real. Macros: ITEMS; DEEP, how many rows of U are loaded at once,
 * because each row of x waits for the one before. No barriers.
 */
#if !defined(ITEMS) || !defined(DEEP)
#error "stein_solve needs ITEMS and DEEP"
#endif
#include "stein_close.h"

typedef struct solve {
    GLOBAL const R *d, *e;
    GLOBAL T *room; /* the work-item's: elements are a.slots apart */
    GLOBAL R *x;
    R value, beside;
    T x1, x2; /* those behind the row */
    R most;
} solve;

DEVICE void store_row(solve s, stein_args a, i64 i, T y, T reciprocal, T u1, T u2)
{
    GLOBAL T *const at = s.room + i * a.slots;
    const i64 part = a.n * a.slots;
    at[0] = y;
    at[part] = reciprocal;
    at[2 * part] = u1;
    at[3 * part] = u2;
}

DEVICE T start_at(solve s, stein_args a, i64 i, i64 j)
{
    return T_make(a.step == 0 ? stein_random(i, j, 0) : s.x[i], 0);
}

DEVICE T diagonal_at(solve s, i64 i)
{
    return T_make(s.d[i] - s.value, -s.beside);
}

/* Row by row: p and q are what is left of the row, y of its right-hand side. */
DEVICE void eliminate(solve s, stein_args a, i64 j)
{
    const T zero = T_make(0, 0);
    R below = a.n > 1 ? s.e[0] : (R)0;
    T p = diagonal_at(s, 0), q = T_make(below, 0), y = start_at(s, a, 0, j);
    T next = a.n > 1 ? diagonal_at(s, 1) : zero, b = a.n > 1 ? start_at(s, a, 1, j) : zero;
    ROLLED
    for (i64 i = 0; i + 1 < a.n; i++) {
        /* those of the next row: nothing waits for them here */
        const i64 ahead = i + 2 < a.n ? i + 2 : i + 1;
        const R after = i + 2 < a.n ? s.e[i + 1] : (R)0;
        const T later = diagonal_at(s, ahead), further = start_at(s, a, ahead, j);
        const i32 exchange = T_size(p) < fabs(below);
        const T other = T_make(below, 0), behind = T_make(after, 0);
        const T reciprocal = T_reciprocal(exchange ? other : p);
        const T factor = T_neg(T_mul(exchange ? p : other, reciprocal));
        const T u1 = exchange ? next : q, u2 = exchange ? behind : zero, top = exchange ? b : y;
        store_row(s, a, i, top, reciprocal, u1, u2);
        y = T_fma(factor, top, exchange ? y : b);
        p = T_fma(factor, u1, exchange ? q : next);
        q = T_fma(factor, u2, exchange ? zero : behind);
        below = after;
        next = later;
        b = further;
    }
    store_row(s, a, a.n - 1, y, T_reciprocal(p), zero, zero);
}

DEVICE solve take_row(solve s, i64 i, T y, T reciprocal, T u1, T u2)
{
    const T x = T_mul(T_fma(T_neg(u1), s.x1, T_fma(T_neg(u2), s.x2, y)), reciprocal);
    const R element = T_real(x, T_REALS - 1);
    s.x[i] = element;
    s.most = fabs(element) > s.most ? fabs(element) : s.most;
    s.x2 = s.x1;
    s.x1 = x;
    return s;
}

DEVICE R substitute(solve s, stein_args a)
{
    const i64 part = a.n * a.slots;
    i64 i = a.n - 1;
    ROLLED
    for (; i >= DEEP - 1; i -= DEEP) {
        T y[DEEP], reciprocal[DEEP], u1[DEEP], u2[DEEP];
        UNROLLED
        for (i32 k = 0; k < DEEP; k++) {
            GLOBAL const T *const at = s.room + (i - k) * a.slots;
            y[k] = at[0];
            reciprocal[k] = at[part];
            u1[k] = at[2 * part];
            u2[k] = at[3 * part];
        }
        UNROLLED
        for (i32 k = 0; k < DEEP; k++)
            s = take_row(s, i - k, y[k], reciprocal[k], u1[k], u2[k]);
    }
    ROLLED
    for (; i >= 0; i--) {
        GLOBAL const T *const at = s.room + i * a.slots;
        s = take_row(s, i, at[0], at[part], at[2 * part], at[3 * part]);
    }
    return s.most;
}

KERNEL(stein_solve, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT scaled, GLOBAL const R *RESTRICT numbers, GLOBAL const R *RESTRICT values,
 GLOBAL const i32 *RESTRICT again, GLOBAL T *RESTRICT room, GLOBAL R *RESTRICT X,
 GLOBAL R *RESTRICT sizes, stein_args a)
{
    BEGIN();
    const i64 slot = GROUP_X * ITEMS + ITEM_X;
    const R back = numbers[STURM_BACK];
    const i32 finite = stein_finite(numbers);
    solve s;
    s.d = scaled;
    s.e = scaled + a.n;
    s.room = room + slot;
    s.beside = 2 * TWICE_ROUNDOFF * stein_norm(numbers);
    s.x1 = s.x2 = T_make(0, 0);
    s.most = 0;
    ROLLED
    for (i64 j = slot; finite && j < a.count; j += a.slots) {
        if (a.step < STEIN_STEPS || again[j] != 0) {
            s.x = X + j * a.ldx;
            s.value = values[j] / back;
            eliminate(s, a, j);
            sizes[j] = substitute(s, a);
        }
    }
}
