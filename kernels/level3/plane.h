/* plane.h: a function of the elements of matrices of one shape, none of them transposed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group is WX work-items along the rows and ITEMS / WX = WY along the columns; a block is WX *
 * UNROLL pieces of a column, UNROLL per work-item and WX apart, by WY columns. A piece is a vector
 * of VEC rows, which stands on an aligned address in all matrices, or, behind those, one of the
 * rows before and behind them. All loads of a work-item are issued before its first store. C may be
 * A or B: a work-item reads its elements before it writes them, and no other touches them; that is
 * all that RESTRICT is taken to promise here.
 *
 * A kernel defines the function plane_element. Geometry: any number of groups, which take the
 * blocks in turn, those below each other first. Macros: ITEMS, WX, VEC, UNROLL; ALIGN, the
 * alignment in bytes of every vector. No barriers.
 */
#include "plane_args.h"
#include "scalars.h"
#include "tile.h"

#if !defined(ITEMS) || !defined(WX) || !defined(VEC) || !defined(UNROLL) || !defined(ALIGN)
#error "plane kernels need ITEMS, WX, VEC, UNROLL and ALIGN"
#endif
#define WY (ITEMS / WX)

typedef struct plane_scalars {
    T alpha, beta;
    i32 reads_a, reads_b;
} plane_scalars;

DEVICE T plane_element(plane_scalars s, T a, T b);

DEVICE TV plane_load(GLOBAL const T *column, i64 piece, i32 needed)
{
    if (needed)
        return TV_load(column, piece);
    TV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        t.v[k] = T_make(0, 0);
    return t;
}

DEVICE void plane_edge(plane_scalars s, GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C)
{
    T a = T_make(0, 0), b = T_make(0, 0);
    if (s.reads_a)
        a = A[0];
    if (s.reads_b)
        b = B[0];
    C[0] = plane_element(s, a, b);
}

DEVICE void plane_block(plane_scalars s, GLOBAL const T *RESTRICT A, GLOBAL const T *RESTRICT B,
                        GLOBAL T *RESTRICT C, plane_args p, i32 block)
{
    const i32 down = (i32)p.down, beside = block / down;
    const i64 j = (i64)beside * WY + ITEM_X / WX;
    const i64 first = (i64)(block - beside * down) * (WX * UNROLL) + ITEM_X % WX;
    if (j >= p.n)
        return;
    GLOBAL const T *a = A + j * p.lda + p.head;
    GLOBAL const T *b = B + j * p.ldb + p.head;
    GLOBAL T *c = C + j * p.ldc + p.head;
    TV ta[UNROLL], tb[UNROLL];
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        const i32 there = first + u * WX < p.vectors;
        ta[u] = plane_load(a, first + u * WX, s.reads_a && there);
        tb[u] = plane_load(b, first + u * WX, s.reads_b && there);
    }
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            ta[u].v[k] = plane_element(s, ta[u].v[k], tb[u].v[k]);
        if (first + u * WX < p.vectors)
            ((GLOBAL TV *)c)[first + u * WX] = ta[u];
    }
    if (first + (UNROLL - 1) * WX < p.vectors)
        return;
    const i64 edges = p.m - p.vectors * VEC;
    ROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        const i64 e = first + u * WX - p.vectors;
        if (e >= 0 && e < edges) {
            const i64 row = e < p.head ? e - p.head : e - p.head + p.vectors * VEC;
            plane_edge(s, a + row, b + row, c + row);
        }
    }
}

/* The blocks of this group. */
DEVICE void plane_walk(plane_scalars s, GLOBAL const T *RESTRICT A, GLOBAL const T *RESTRICT B,
                       GLOBAL T *RESTRICT C, plane_args p)
{
    ROLLED
    for (i32 block = (i32)GROUP_X; block < (i32)p.blocks; block += (i32)GROUPS_X)
        plane_block(s, A, B, C, p, block);
}
