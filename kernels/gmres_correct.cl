/* gmres_correct.cl: x := x + M^-1 V y, at the end of a cycle of GMRES
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * V is read once. PRECOND 0: M is the identity; 1: M^-1 is diagonal; 2: x := V y, and others go on from there.
 * Geometry: any number of groups of WX work-items. Macros: gmres_tile.h; MOST: at least the length of a cycle; PRECOND.
 * All work-items reach the barrier.
 */
#include "gmres_step.h"
#include "gmres_tile.h"
#if !defined(MOST) || !defined(PRECOND)
#error "gmres_correct needs MOST and PRECOND"
#endif

DEVICE void gmres_correct_tile(GLOBAL const T *V, GLOBAL const T *inverse, GLOBAL T *x,
                               LOCAL_PTR const T *y, i32 columns, gmres_args a, i64 first)
{
    gmres_part sum;
    UNROLLED
    for (i32 q = 0; q < UNROLL; q++)
        sum.v[q] = TV_zero();
    i32 j = 0;
    ROLLED
    for (; j + BATCH <= columns; j += BATCH) {
        gmres_part v[BATCH];
        UNROLLED
        for (i32 b = 0; b < BATCH; b++)
            v[b] = gmres_load(V + (j + b) * a.ld, first, a.vectors, 0);
        UNROLLED
        for (i32 b = 0; b < BATCH; b++)
            sum = gmres_add(sum, y[j + b], v[b]);
    }
    ROLLED
    for (; j < columns; j++)
        sum = gmres_add(sum, y[j], gmres_load(V + j * a.ld, first, a.vectors, 0));
    UNROLLED
    for (i32 q = 0; q < UNROLL; q++) {
        UNROLLED
        for (i32 e = 0; e < VEC; e++) {
            const i64 i = (first + q * WX) * VEC + e;
            if (i < a.n) {
#if PRECOND == 1
                x[i] = T_fma(inverse[i], sum.v[q].v[e], x[i]);
#elif PRECOND == 0
                (void)inverse;
                x[i] = T_add(x[i], sum.v[q].v[e]);
#else
                (void)inverse;
                x[i] = sum.v[q].v[e];
#endif
            }
        }
    }
}

KERNEL(gmres_correct, WX, 1, 1)
(GLOBAL const T *RESTRICT V, GLOBAL const f64 *RESTRICT numbers, GLOBAL const T *RESTRICT inverse,
 GLOBAL T *RESTRICT x, gmres_args a)
{
    LOCAL T y[MOST];
    BEGIN();
    const i32 columns = (i32)numbers[GMRES_COUNT];
    if (PRECOND != 2 && columns == 0)
        return;
    for (i32 j = LANE_X; j < columns; j += WX)
        y[j] = W_narrow(gmres_get(numbers, GMRES_Y(a.restart), j));
    BARRIER();
    ROLLED
    for (i64 first = GROUP_X * WX * UNROLL; first < a.vectors; first += GROUPS_X * WX * UNROLL)
        gmres_correct_tile(V, inverse, x, y, columns, a, first + LANE_X);
}
