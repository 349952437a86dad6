/* gmres_correct.cl: x := x + M^-1 V y, at the end of a cycle of GMRES
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * V is read once. PRECOND 0: M is the identity; 1: M^-1 is diagonal; 2: x := V y, and others go on
 * from there. Geometry: any number of groups of WX work-items. Macros: tile.h; WX; BATCH, columns
 * requested at a time; MOST: at least the length of a cycle; PRECOND. All work-items reach the
 * barrier.
 */
#include "gmres_step.h"
#include "tile.h"
#if !defined(WX) || !defined(BATCH) || !defined(MOST) || !defined(PRECOND)
#error "gmres_correct needs WX, BATCH, MOST and PRECOND"
#endif

/* One vector of x. */
DEVICE void gmres_correct_vector(GLOBAL const T *V, GLOBAL const T *inverse, GLOBAL T *x,
                                 LOCAL_PTR const T *y, i32 columns, gmres_args a, i64 vector)
{
    TV sum = TV_zero();
    i32 j = 0;
    ROLLED
    for (; j + BATCH <= columns; j += BATCH) {
        TV v[BATCH];
        UNROLLED
        for (i32 b = 0; b < BATCH; b++)
            v[b] = TV_load(V + (j + b) * a.ld, vector);
        UNROLLED
        for (i32 b = 0; b < BATCH; b++) {
            UNROLLED
            for (i32 e = 0; e < VEC; e++)
                sum.v[e] = T_fma(y[j + b], v[b].v[e], sum.v[e]);
        }
    }
    ROLLED
    for (; j < columns; j++) {
        const TV v = TV_load(V + j * a.ld, vector);
        UNROLLED
        for (i32 e = 0; e < VEC; e++)
            sum.v[e] = T_fma(y[j], v.v[e], sum.v[e]);
    }
    UNROLLED
    for (i32 e = 0; e < VEC; e++) {
        const i64 i = vector * VEC + e;
        if (i < a.n) {
#if PRECOND == 1
            x[i] = T_fma(inverse[i], sum.v[e], x[i]);
#elif PRECOND == 0
            x[i] = T_add(x[i], sum.v[e]);
#else
            x[i] = sum.v[e];
#endif
        }
    }
    (void)inverse;
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
    for (i32 j = ITEM_X; j < columns; j += WX)
        y[j] = W_narrow(gmres_get(numbers, GMRES_Y(a.restart), j));
    BARRIER();
    ROLLED
    for (i64 vector = GROUP_X * WX + ITEM_X; vector < a.vectors; vector += GROUPS_X * WX)
        gmres_correct_vector(V, inverse, x, y, columns, a, vector);
}
