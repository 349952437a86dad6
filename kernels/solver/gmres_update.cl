/* gmres_update.cl: v = (u - V s) / beta and the next u = (z - V t - v c) / beta
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gmres_step.h explains where it stands in a step: v takes the place of u, the next u that of z.
 * gmres_column has left s, t, c and beta among the numbers. Where there are more than BLOCK
 * columns, launches take turns, and the last one (a.own) divides. Geometry: any number of groups of
 * WX work-items. Macros: gmres_tile.h; BLOCK. All work-items reach the barrier, or none.
 */
#include "gmres_step.h"
#include "gmres_tile.h"
#ifndef BLOCK
#error "gmres_update needs BLOCK"
#endif

DEVICE T gmres_minus(GLOBAL const f64 *numbers, i64 base, i64 i)
{
    return T_neg(W_narrow(gmres_get(numbers, base, i)));
}

DEVICE void gmres_subtract(gmres_part *u, gmres_part *z, GLOBAL const T *X,
                           LOCAL_PTR const T *coefficients, gmres_args a, i64 first,
                           const i32 count, const i32 whole)
{
    gmres_part x[BATCH];
    UNROLLED
    for (i32 b = 0; b < count; b++)
        x[b] = gmres_load(X + b * a.ld, first, a.vectors, whole);
    UNROLLED
    for (i32 b = 0; b < count; b++) {
        *u = gmres_add(*u, coefficients[2 * b], x[b]);
        *z = gmres_add(*z, coefficients[2 * b + 1], x[b]);
    }
}

DEVICE void gmres_update_tile(GLOBAL T *V, LOCAL_PTR const T *coefficients, gmres_args a, R inverse,
                              T along, i64 first, const i32 whole)
{
    GLOBAL T *at = V + a.step * a.ld;
    gmres_part u = gmres_load(at, first, a.vectors, whole);
    gmres_part z = gmres_load(at + a.ld, first, a.vectors, whole);
    const i32 columns = (i32)a.columns;
    GLOBAL const T *X = V + a.first * a.ld;
    i32 j = 0;
    ROLLED
    for (; j + BATCH <= columns; j += BATCH, X += BATCH * a.ld)
        gmres_subtract(&u, &z, X, coefficients + 2 * j, a, first, BATCH, whole);
    if (BATCH > 2 && j + 2 <= columns) {
        gmres_subtract(&u, &z, X, coefficients + 2 * j, a, first, 2, whole);
        j += 2;
        X += 2 * a.ld;
    }
    ROLLED
    for (; j < columns; j++, X += a.ld)
        gmres_subtract(&u, &z, X, coefficients + 2 * j, a, first, 1, whole);
    if (a.own) {
        u = gmres_scale(u, inverse);
        z = gmres_scale(gmres_add(z, along, u), inverse);
    }
    gmres_store(at, first, a.vectors, u, whole);
    gmres_store(at + a.ld, first, a.vectors, z, whole);
}

KERNEL(gmres_update, WX, 1, 2)
(GLOBAL T *V, GLOBAL const f64 *RESTRICT numbers, gmres_args a)
{
    LOCAL T coefficients[2 * BLOCK];
    BEGIN();
    if (gmres_stopped(numbers))
        return;
    for (i32 j = ITEM_X; j < a.columns; j += WX) {
        coefficients[2 * j] = gmres_minus(numbers, GMRES_AGAIN(a.restart), a.first + j);
        coefficients[2 * j + 1] = gmres_minus(numbers, GMRES_FIRST(a.restart), a.first + j);
    }
    BARRIER();
    const T along = gmres_minus(numbers, GMRES_ALONG(a.restart), 0);
    const R inverse = (R)(1 / numbers[GMRES_ALONG(a.restart) + 2]);
    const i64 tile = WX * UNROLL;
    ROLLED
    for (i64 first = GROUP_X * tile; first < a.vectors; first += GROUPS_X * tile) {
        if (first + tile <= a.vectors)
            gmres_update_tile(V, coefficients, a, inverse, along, first + ITEM_X, 1);
        else
            gmres_update_tile(V, coefficients, a, inverse, along, first + ITEM_X, 0);
    }
}
