/* geam_t.cl: C := alpha op(X) + beta op(Y), X transposed, Y transposed or not
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Y_TURNED 0: Y stands as C does. A work-item reads the elements of Y beside those of C that it
 * writes, before it writes them, so C may be Y. Y_TURNED 1: Y stands as X does; the tiles are added
 * as they are loaded and turned once. alpha = 0: X is not read; beta = 0: Y is not read. Geometry:
 * one group of ITEMS work-items per tile. Macros: turn.h, where X_ALIGN counts for Y too if it is
 * turned, C_ALIGN if not; Y_TURNED; CONJ_Y 0 or 1, for a turned Y. Barriers: all work-items of a
 * group have the same tile.
 */
#include "scalars.h"
#include "turn.h"

#if !defined(Y_TURNED) || !defined(CONJ_Y)
#error "geam_t needs Y_TURNED and CONJ_Y"
#endif

/* alpha x + beta y, without what is multiplied by zero. */
DEVICE T geam_element(T alpha, T x, T beta, T y)
{
    if (T_is_zero(alpha))
        return T_is_zero(beta) ? T_make(0, 0) : T_mul(beta, y);
    return T_is_zero(beta) ? T_mul(alpha, x) : T_fma(alpha, x, T_mul(beta, y));
}

DEVICE turn_x geam_load(GLOBAL const T *X, i64 ld, turn_args a, turn_place at, T factor)
{
    turn_x t;
    if (!T_is_zero(factor))
        return turn_load(X, ld, a, at);
    TURN_EACH
    for (i32 k = 0; k < X_LOADS; k++) {
        UNROLLED
        for (i32 v = 0; v < X_VEC; v++)
            t.v[k].v[v] = T_make(0, 0);
    }
    return t;
}

#if Y_TURNED
DEVICE T geam_op_y(T y)
{
#if CONJ_Y
    return T_conj(y);
#else
    return y;
#endif
}
#else
/* The elements of Y beside vector k of this work-item's part of C. */
DEVICE CV geam_beside(GLOBAL const T *Y, turn_args a, turn_place at, i32 k)
{
    const i32 e = ITEM_X + k * ITEMS;
    const i64 column = at.column + e / C_PIECES, row = at.row + e % C_PIECES * C_VEC;
    if (at.inside || (column >= 0 && column < a.n && row >= 0 && row + C_VEC <= a.m))
        return *(GLOBAL const CV *)(Y + column * a.ldy + row);
    CV t;
    UNROLLED
    for (i32 v = 0; v < C_VEC; v++) {
        const i32 there = column >= 0 && column < a.n && row + v >= 0 && row + v < a.m;
        t.v[v] = T_make(0, 0);
        if (there)
            t.v[v] = Y[column * a.ldy + row + v];
    }
    return t;
}
#endif

KERNEL(geam_t, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT X,
 GLOBAL const T *RESTRICT Y, GLOBAL T *RESTRICT C, turn_args a)
{
    LOCAL TE tile[TILE * TURN_ROW];
    BEGIN();
    const turn_place at = turn_place_of(a, (i32)GROUP_X);
    const T alpha = alpha_of(alpha_at, a.scalars);
    const T beta = beta_of(beta_at, a.scalars);
    turn_x t = geam_load(X, a.ldx, a, at, alpha);
#if Y_TURNED
    const turn_x ty = geam_load(Y, a.ldy, a, at, beta);
    TURN_EACH
    for (i32 k = 0; k < X_LOADS; k++) {
        UNROLLED
        for (i32 v = 0; v < X_VEC; v++)
            t.v[k].v[v] = geam_element(alpha, turn_op(t.v[k].v[v]), beta, geam_op_y(ty.v[k].v[v]));
    }
#else
    turn_c beside;
    TURN_EACH
    for (i32 k = 0; k < C_LOADS; k++) {
        if (T_is_zero(beta)) {
            UNROLLED
            for (i32 v = 0; v < C_VEC; v++)
                beside.v[k].v[v] = T_make(0, 0);
        } else {
            beside.v[k] = geam_beside(Y, a, at, k);
        }
    }
#endif
    turn_put(tile, t);
    BARRIER();
    TURN_EACH
    for (i32 k = 0; k < C_LOADS; k++) {
        CV out = turn_take(tile, k);
#if !Y_TURNED
        UNROLLED
        for (i32 v = 0; v < C_VEC; v++)
            out.v[v] = geam_element(alpha, turn_op(out.v[v]), beta, beside.v[k].v[v]);
#endif
        turn_store(C, a.ldc, a, at, k, out);
    }
}
