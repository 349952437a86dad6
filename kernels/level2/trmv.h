/* trmv.h: what the trmv kernels share: loads of A, the order of blocks, sums over a group.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As gemv.h, over a triangle: a group is WX lanes along the rows and ITEMS / WX = WY along the
 * columns, each with VEC rows per load and UNROLL loads in flight. Tunables: these, and how many
 * blocks a group takes, by the size of the launch. A block's sums are as long as its place in the
 * triangle says, so groups take blocks in a snake: the longest first, then back through the others;
 * with two a group all have the same work.
 *
 * A kernel defines SUMS, how many outputs a lane sums; HELPERS, the lanes that sum the same
 * outputs, and APART, their distance; and the two functions declared below. trmv_walk does the
 * rest. What is not in the triangle is not loaded: along the diagonal single elements are, beside
 * it vectors.
 */
#include "lanes.h"
#include "storage.h"
#include "tile.h"
#include "trmv_args.h"

#if !defined(ITEMS) || !defined(WX) || !defined(VEC) || !defined(UNROLL) || !defined(ALIGN)
#error "trmv kernels need ITEMS, WX, VEC, UNROLL and ALIGN"
#endif
#if !defined(SUMS) || !defined(HELPERS) || !defined(APART)
#error "trmv kernels define SUMS, HELPERS and APART"
#endif
#define WY     (ITEMS / WX)
#define ITEM_R (ITEM_X % WX) /* along the rows */
#define ITEM_C (ITEM_X / WX) /* along the columns */

/* Vector i of a column. */
DEVICE TV trmv_load(GLOBAL const T *column, trmv_args a, i64 i)
{
    return TV_load(column + a.head, i);
}

typedef struct trmv_sums {
    T v[SUMS];
} trmv_sums;

/* The operands of a kernel; x is a contiguous copy of what y points to. */
typedef struct trmv_data {
    GLOBAL const T *A;
    GLOBAL const T *x;
    GLOBAL T *y;
    trmv_args a;
} trmv_data;

/* This lane's sums of a block. */
DEVICE trmv_sums trmv_block(trmv_sums sums, trmv_data d, i64 block);
/* Stores the outputs of a block that this lane has the whole sums of. */
DEVICE void trmv_finish(trmv_sums sums, trmv_data d, i64 block);

/* Element (row, column) of the triangle: 1 on a diagonal that is not read. */
DEVICE T trmv_element(trmv_data d, i64 row, i64 column)
{
    T a = T_make(1, 0);
    if (row != column || !d.a.unit)
        a = d.A[row + column_start(column, d.a.lda, d.a.upper)];
    return a;
}

/* Adds the sums of the helpers of one output; valid in the first of them. All work-items must
 * come. */
#if WARP_SIZE > 1
#define TOGETHER (HELPERS * APART < WARP_SIZE ? HELPERS * APART : WARP_SIZE)
#define WARP     (ITEM_X / WARP_SIZE)
#define WARPS                                                                                      \
    (HELPERS > 1 ? APART * HELPERS / WARP_SIZE : 0)      /* that share outputs; 0: less than one */
#define KEPT     (APART < WARP_SIZE ? APART : WARP_SIZE) /* sums a warp leaves */
#define SCRATCH  (WARPS > 1 ? ITEMS / WARP_SIZE * KEPT : 1)
#define FAR_WARP (APART > WARP_SIZE ? APART / WARP_SIZE : 1)

DEVICE trmv_sums trmv_group(trmv_sums sums, LOCAL_PTR trmv_sums *scratch)
{
    lanes_add(sums.v, SUMS, TOGETHER / 2, APART);
#if WARPS > 1
    BARRIER(); /* scratch may still be read */
    if (ITEM_X % WARP_SIZE < KEPT)
        scratch[WARP * KEPT + ITEM_X % WARP_SIZE] = sums;
    BARRIER();
    if (ITEM_X % (APART * HELPERS) < APART) {
        ROLLED
        for (i32 warp = FAR_WARP; warp < WARPS; warp += FAR_WARP) {
            UNROLLED
            for (i32 k = 0; k < SUMS; k++)
                sums.v[k] =
                    T_add(scratch[(WARP + warp) * KEPT + ITEM_X % WARP_SIZE].v[k], sums.v[k]);
        }
    }
#else
    (void)scratch;
#endif
    return sums;
}
#else
#define SCRATCH (HELPERS > 1 ? ITEMS : 1)

DEVICE trmv_sums trmv_group(trmv_sums sums, LOCAL_PTR trmv_sums *scratch)
{
#if HELPERS > 1
    BARRIER(); /* scratch may still be read */
    scratch[ITEM_X] = sums;
    BARRIER();
    ROLLED
    for (i32 rest = HELPERS / 2; rest > 0; rest /= 2) {
        if (ITEM_X / APART % HELPERS < rest) {
            UNROLLED
            for (i32 k = 0; k < SUMS; k++)
                scratch[ITEM_X].v[k] =
                    T_add(scratch[ITEM_X].v[k], scratch[ITEM_X + rest * APART].v[k]);
        }
        BARRIER();
    }
    sums = scratch[ITEM_X];
#else
    (void)scratch;
#endif
    return sums;
}
#endif

/* The blocks of this group. All work-items must come. */
DEVICE void trmv_walk(trmv_data d, LOCAL_PTR trmv_sums *scratch)
{
    i64 ahead = 2 * (GROUPS_X - 1 - GROUP_X) + 1; /* to the next block: there and back by turns */
    ROLLED
    for (i64 place = GROUP_X; place < d.a.blocks; place += ahead, ahead = 2 * GROUPS_X - ahead) {
        const i64 block = d.a.back ? d.a.blocks - 1 - place : place;
        trmv_sums sums;
        UNROLLED
        for (i32 k = 0; k < SUMS; k++)
            sums.v[k] = T_make(0, 0);
        sums = trmv_group(trmv_block(sums, d, block), scratch);
        if (ITEM_X / APART % HELPERS == 0)
            trmv_finish(sums, d, block);
    }
}

DEVICE trmv_data trmv_operands(GLOBAL const T *A, GLOBAL const T *x, GLOBAL T *y, trmv_args a)
{
    trmv_data d;
    d.A = A;
    d.x = x;
    d.y = y;
    d.a = a;
    return d;
}
