/* gemv.h: what the gemv kernels share: loads of A, the walk over blocks, sums that were cut.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tunables: WX lanes along the rows, ITEMS / WX = WY along the columns; VEC rows per load; UNROLL
 * loads in flight per work-item. ALIGN: the alignment in bytes that each vector load may count on.
 *
 * A kernel defines SUMS, how many outputs a lane sums at a time, OWNER and OWNERS, the lane's index
 * among those with different outputs and their number, HELPER and HELPERS, likewise among those
 * that sum the same outputs; and the three functions declared below. gemv_walk does the rest.
 *
 * A column is `vectors` vectors of VEC rows that stand on aligned addresses, and edges: the rows
 * before and behind them.
 */
#include "gemv_args.h"
#include "lanes.h"
#include "scalars.h"
#include "split.h"
#include "tile.h"

#if !defined(ITEMS) || !defined(WX) || !defined(VEC) || !defined(UNROLL) || !defined(ALIGN)
#error "gemv kernels need ITEMS, WX, VEC, UNROLL and ALIGN"
#endif
#if !defined(SUMS) || !defined(OWNER) || !defined(OWNERS) || !defined(HELPER) || !defined(HELPERS)
#error "gemv kernels define SUMS, OWNER, OWNERS, HELPER and HELPERS"
#endif
#define WY     (ITEMS / WX)
#define ITEM_R (ITEM_X % WX) /* along the rows */
#define ITEM_C (ITEM_X / WX) /* along the columns */

/* Vector i of a column. */
DEVICE TV gemv_load(GLOBAL const T *column, gemv_args a, i64 i)
{
    return TV_load(column + a.head, i);
}

/* Rows that are in no vector, and the row of one. */
DEVICE i64 gemv_edges(gemv_args a)
{
    return a.m - a.vectors * VEC;
}

DEVICE i64 gemv_edge(gemv_args a, i64 e)
{
    return e < a.head ? e : e + a.vectors * VEC;
}

typedef struct gemv_sums {
    T v[SUMS];
} gemv_sums;

/* The operands of a kernel. */
typedef struct gemv_data {
    GLOBAL const T *A;
    GLOBAL const T *x;
    GLOBAL T *y;
    T alpha, beta;
    gemv_args a;
} gemv_data;

/* This lane's sums over the chunks [from, to) of a block. */
DEVICE gemv_sums gemv_chunks(gemv_sums sums, gemv_data d, i32 block, i32 from, i32 to);
/* Adds the sums of an owner's helpers; valid in the first helper. All work-items must come. */
DEVICE gemv_sums gemv_group(gemv_sums sums, LOCAL_PTR gemv_sums *scratch);
/* Stores the outputs that this lane owns in a block. */
DEVICE void gemv_finish(gemv_sums sums, gemv_data d, i32 block);

DEVICE gemv_sums gemv_nothing(void)
{
    gemv_sums sums;
    UNROLLED
    for (i32 k = 0; k < SUMS; k++)
        sums.v[k] = T_make(0, 0);
    return sums;
}

/* Where a group keeps this lane's partial sums of a block. */
DEVICE i64 gemv_partial(split_args split, i32 group, i32 block)
{
    return ((i64)split_place(split, group, block) * OWNERS + OWNER) * SUMS;
}

/* This helper's share of the partial sums of a block, in order of the groups. */
DEVICE gemv_sums gemv_partials(GLOBAL const T *partials, split_args split, i32 first, i32 pieces,
                               i32 block)
{
    gemv_sums sums = gemv_nothing();
    ROLLED
    for (i32 p = HELPER; p < pieces; p += HELPERS) {
        GLOBAL const volatile R *at =
            (GLOBAL const volatile R *)(partials + gemv_partial(split, first + p, block));
        UNROLLED
        for (i32 k = 0; k < SUMS; k++)
            sums.v[k] = T_add(T_make(at[k * T_REALS], at[k * T_REALS + T_REALS - 1]), sums.v[k]);
    }
    return sums;
}

/* The chunks of this group. All work-items must come. */
DEVICE void gemv_walk(gemv_data d, GLOBAL T *partials, GLOBAL i32 *counters,
                      LOCAL_PTR gemv_sums *scratch, LOCAL_PTR i32 *flag)
{
    const split_args split = d.a.split;
    const i32 chunks = (i32)split.chunks, group = (i32)GROUP_X;
    const i32 end = split_start(split, group + 1);
    i32 chunk = split_start(split, group);
    ROLLED
    while (chunk < end) {
        const i32 block = chunk / chunks, from = chunk - block * chunks;
        const i32 to = from + end - chunk < chunks ? from + end - chunk : chunks;
        gemv_sums sums = gemv_nothing();
        if (!T_is_zero(d.alpha))
            sums = gemv_chunks(sums, d, block, from, to);
        sums = gemv_group(sums, scratch);
        i32 done = to - from == chunks;
        if (!done) {
            const i32 first = split_group(split, block * chunks);
            const i32 pieces = split_group(split, (block + 1) * chunks - 1) - first + 1;
            if (HELPER == 0) {
                UNROLLED
                for (i32 k = 0; k < SUMS; k++)
                    partials[gemv_partial(split, group, block) + k] = sums.v[k];
            }
            done = split_last(counters + first, pieces, flag);
#if WARP_SIZE > 1
            if (done)
                sums = gemv_group(gemv_partials(partials, split, first, pieces, block), scratch);
#else
            /* All come to the barriers, not only a group that is done: PoCL 3.1 loses the sums
             * behind barriers in such a branch where WX is 1. */
            sums = gemv_nothing();
            if (done)
                sums = gemv_partials(partials, split, first, pieces, block);
            sums = gemv_group(sums, scratch);
#endif
        }
        if (done && HELPER == 0)
            gemv_finish(sums, d, block);
        chunk += to - from;
    }
}

DEVICE gemv_data gemv_operands(GLOBAL const R *alpha_at, GLOBAL const R *beta_at, GLOBAL const T *A,
                               GLOBAL const T *x, GLOBAL T *y, gemv_args a)
{
    gemv_data d;
    d.A = A;
    d.x = x;
    d.y = y;
    d.alpha = alpha_of(alpha_at, a.scalars);
    d.beta = beta_of(beta_at, a.scalars);
    d.a = a;
    return d;
}
