/* gmres_dots.cl: partial sums of V^H u and V^H z, for the columns of V below u; of u^H u and u^H z
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gmres_step.h explains where it stands in a step. The sums over a tile go straight to local
 * memory: where lanes run together they are added over these first, and each such warp has its own
 * sums there; elsewhere each work-item has. So any number of columns up to BLOCK takes a few
 * registers. Geometry: any number of groups of WX work-items; group g leaves its sums at partials +
 * g * 2 (m + 1) * T_REALS, for column j two elements. Macros: gmres_tile.h; BLOCK; LAST 1: there is
 * no z, its sums are zero. All work-items reach the barriers, or none: the state is not written
 * here.
 */
#include "gmres_step.h"
#include "gmres_tile.h"
#include "lanes.h"
#if !defined(BLOCK) || !defined(LAST)
#error "gmres_dots needs BLOCK and LAST"
#endif

#define SLOTS (WX / WARP_SIZE)
#define SUMS  (2 * BLOCK * T_REALS)

/* Adds two sums per column over the lanes that run together and puts them behind those of earlier
 * tiles. */
DEVICE void gmres_keep(LOCAL_PTR f64 *mine, T *sums, const i32 count)
{
#if WARP_SIZE > 1
    lanes_add(sums, 2 * count, WARP_SIZE / 2, 1);
    if (ITEM_X % WARP_SIZE != 0)
        return;
#endif
    UNROLLED
    for (i32 k = 0; k < 2 * count; k++) {
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++)
            mine[k * T_REALS + part] += T_real(sums[k], part);
    }
}

DEVICE void gmres_columns(LOCAL_PTR f64 *mine, GLOBAL const T *V, gmres_part u, gmres_part z,
                          gmres_args a, i64 first, const i32 count, const i32 whole)
{
    gmres_part x[BATCH];
    T sums[2 * BATCH];
    UNROLLED
    for (i32 b = 0; b < count; b++)
        x[b] = gmres_load(V + b * a.ld, first, a.vectors, whole);
    UNROLLED
    for (i32 b = 0; b < count; b++) {
        sums[2 * b] = gmres_dot(x[b], u);
        sums[2 * b + 1] = LAST ? T_make(0, 0) : gmres_dot(x[b], z);
    }
    gmres_keep(mine, sums, count);
}

DEVICE void gmres_dots_tile(LOCAL_PTR f64 *mine, GLOBAL const T *V, gmres_args a, i64 first,
                            const i32 whole)
{
    GLOBAL const T *at = V + a.step * a.ld;
    const gmres_part u = gmres_load(at, first, a.vectors, whole);
    gmres_part z = u;
    if (!LAST)
        z = gmres_load(at + a.ld, first, a.vectors, whole);
    const i32 columns = (i32)a.columns;
    GLOBAL const T *X = V + a.first * a.ld;
    i32 j = 0;
    ROLLED
    for (; j + BATCH <= columns; j += BATCH, X += BATCH * a.ld)
        gmres_columns(mine + 2 * j * T_REALS, X, u, z, a, first, BATCH, whole);
    if (BATCH > 2 && j + 2 <= columns) {
        gmres_columns(mine + 2 * j * T_REALS, X, u, z, a, first, 2, whole);
        j += 2;
        X += 2 * a.ld;
    }
    ROLLED
    for (; j < columns; j++, X += a.ld)
        gmres_columns(mine + 2 * j * T_REALS, X, u, z, a, first, 1, whole);
    if (a.own) {
        T sums[2];
        sums[0] = gmres_dot(u, u);
        sums[1] = LAST ? T_make(0, 0) : gmres_dot(u, z);
        gmres_keep(mine + 2 * j * T_REALS, sums, 1);
    }
}

KERNEL(gmres_dots, WX, 1, 2)
(GLOBAL const T *RESTRICT V, GLOBAL const f64 *RESTRICT numbers, GLOBAL f64 *RESTRICT partials,
 gmres_args a)
{
    LOCAL f64 room[SLOTS * SUMS];
    BEGIN();
    if (gmres_stopped(numbers))
        return;
    LOCAL_PTR f64 *mine = room + ITEM_X / WARP_SIZE * SUMS;
    for (i32 i = ITEM_X; i < SLOTS * SUMS; i += WX)
        room[i] = 0;
    BARRIER();
    const i64 tile = WX * UNROLL;
    ROLLED
    for (i64 first = GROUP_X * tile; first < a.vectors; first += GROUPS_X * tile) {
        if (first + tile <= a.vectors)
            gmres_dots_tile(mine, V, a, first + ITEM_X, 1);
        else
            gmres_dots_tile(mine, V, a, first + ITEM_X, 0);
    }
    BARRIER();
    const i32 count = 2 * (i32)(a.columns + a.own) * T_REALS;
    GLOBAL f64 *to = partials + (GROUP_X * (a.restart + 1) + a.first) * 2 * T_REALS;
    for (i32 i = ITEM_X; i < count; i += WX) {
        f64 sum = 0;
        ROLLED
        for (i32 slot = 0; slot < SLOTS; slot++)
            sum += room[slot * SUMS + i];
        to[i] = sum;
    }
}
