/* gmres_tile.h: what a work-item has of a column of V. Shared by the kernels that stream over V.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group takes tiles of WX * UNROLL vectors in turn with the other groups. A work-item keeps
 * UNROLL vectors of u and z in registers while the columns pass by, BATCH of them requested at a
 * time. Columns start on aligned addresses, and rows past the last are zero. Macros: WX, VEC,
 * ALIGN, UNROLL, BATCH.
 *
 * With one work-item per group, on CPUs, nothing is kept: parts are places in memory, in the
 * nearest cache, and loops over them stay loops, for the vectoriser. Such a part is changed where
 * it lies.
 */
#if !defined(WX) || !defined(UNROLL) || !defined(BATCH) || BATCH < 2 || BATCH > 4
#error "gmres kernels need WX, UNROLL and a BATCH of 2 to 4"
#endif
#include "tile.h"

#if WX == 1
typedef struct gmres_part {
    GLOBAL T *at;
    i64 vectors;
} gmres_part;

DEVICE gmres_part gmres_load(GLOBAL const T *column, i64 first, i64 vectors, const i32 whole)
{
    gmres_part p;
    p.at = (GLOBAL T *)column + first * VEC;
    p.vectors = whole || vectors - first > UNROLL ? UNROLL : vectors - first;
    return p;
}

DEVICE void gmres_store(GLOBAL T *column, i64 first, i64 vectors, gmres_part p, const i32 whole)
{
    (void)column; /* it is there */
    (void)first;
    (void)vectors;
    (void)p;
    (void)whole;
}

/* a b + c, in a form that the vectoriser takes */
DEVICE T gmres_fma(T a, T b, T c)
{
#if T_REALS == 1
    MAY_FUSE
    return a * b + c;
#else
    return T_fma(a, b, c);
#endif
}

/* x^H y */
DEVICE T gmres_dot(gmres_part x, gmres_part y)
{
    TV sum = TV_zero();
    ROLLED
    for (i64 q = 0; q < x.vectors; q++) {
        const TV a = TV_load(x.at, q), b = TV_load(y.at, q);
        UNROLLED
        for (i32 e = 0; e < VEC; e++)
            sum.v[e] = gmres_fma(T_conj(a.v[e]), b.v[e], sum.v[e]);
    }
    UNROLLED
    for (i32 e = 1; e < VEC; e++)
        sum.v[0] = T_add(sum.v[0], sum.v[e]);
    return sum.v[0];
}

/* y + a x */
DEVICE gmres_part gmres_add(gmres_part y, T a, gmres_part x)
{
    ROLLED
    for (i64 q = 0; q < x.vectors; q++) {
        const TV from = TV_load(x.at, q);
        TV to = TV_load(y.at, q);
        UNROLLED
        for (i32 e = 0; e < VEC; e++)
            to.v[e] = gmres_fma(a, from.v[e], to.v[e]);
        ((GLOBAL TV *)y.at)[q] = to;
    }
    return y;
}

DEVICE gmres_part gmres_scale(gmres_part y, R a)
{
    ROLLED
    for (i64 q = 0; q < y.vectors; q++) {
        TV to = TV_load(y.at, q);
        UNROLLED
        for (i32 e = 0; e < VEC; e++)
            to.v[e] = T_scale(a, to.v[e]);
        ((GLOBAL TV *)y.at)[q] = to;
    }
    return y;
}
#else
typedef struct gmres_part {
    TV v[UNROLL];
} gmres_part;

/* The work-item's vectors of a column: first, first + WX ... All of them, where `whole` (a
 * constant) says so. */
DEVICE gmres_part gmres_load(GLOBAL const T *column, i64 first, i64 vectors, const i32 whole)
{
    gmres_part p;
    UNROLLED
    for (i32 q = 0; q < UNROLL; q++) {
        if (whole || first + q * WX < vectors)
            p.v[q] = TV_load(column, first + q * WX);
        else
            p.v[q] = TV_zero();
    }
    return p;
}

DEVICE void gmres_store(GLOBAL T *column, i64 first, i64 vectors, gmres_part p, const i32 whole)
{
    UNROLLED
    for (i32 q = 0; q < UNROLL; q++)
        if (whole || first + q * WX < vectors)
            ((GLOBAL TV *)column)[first + q * WX] = p.v[q];
}

/* x^H y over the work-item's elements. */
DEVICE T gmres_dot(gmres_part x, gmres_part y)
{
    T sum[VEC];
    UNROLLED
    for (i32 e = 0; e < VEC; e++)
        sum[e] = T_make(0, 0);
    UNROLLED
    for (i32 q = 0; q < UNROLL; q++) {
        UNROLLED
        for (i32 e = 0; e < VEC; e++)
            sum[e] = T_fma(T_conj(x.v[q].v[e]), y.v[q].v[e], sum[e]);
    }
    UNROLLED
    for (i32 e = 1; e < VEC; e++)
        sum[0] = T_add(sum[0], sum[e]);
    return sum[0];
}

/* y + a x */
DEVICE gmres_part gmres_add(gmres_part y, T a, gmres_part x)
{
    UNROLLED
    for (i32 q = 0; q < UNROLL; q++) {
        UNROLLED
        for (i32 e = 0; e < VEC; e++)
            y.v[q].v[e] = T_fma(a, x.v[q].v[e], y.v[q].v[e]);
    }
    return y;
}

DEVICE gmres_part gmres_scale(gmres_part y, R a)
{
    UNROLLED
    for (i32 q = 0; q < UNROLL; q++) {
        UNROLLED
        for (i32 e = 0; e < VEC; e++)
            y.v[q].v[e] = T_scale(a, y.v[q].v[e]);
    }
    return y;
}
#endif
