/* gemv_batched.h: what the kernels for many products share: lanes, operands, sums, the walk over
 * the batch.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has ITEMS work-items: WX lanes along the rows of a matrix times WY along its columns, and
 * MATRICES matrices side by side. VEC rows per load; UNROLL loads in flight per work-item; ALIGN
 * and SINGLE: the alignment in bytes that vectors of A and single elements of it may count on.
 * POINTERS: the operands are arrays of addresses, and ALIGN holds only for matrices whose address
 * says so. WHOLE: rows and columns are multiples of what lanes take at a time, so nothing has to be
 * tested.
 *
 * A kernel defines SUMS, how many outputs a lane sums, HELPER and HELPERS, the lane's index among
 * those that sum the same outputs and their number, HELPER_STEP, how far apart these are; and the
 * functions declared below. Helpers add their sums across lanes so that all have the total, and
 * share the outputs.
 */
#include "gemv_batched_args.h"
#include "lanes.h"
#include "scalars.h"
#include "tile.h"

#if !defined(ITEMS) || !defined(WX) || !defined(WY) || !defined(VEC) || !defined(UNROLL) ||        \
    !defined(ALIGN) || !defined(SINGLE) || !defined(POINTERS) || !defined(WHOLE)
#error "batched kernels need ITEMS, WX, WY, VEC, UNROLL, ALIGN, SINGLE, POINTERS and WHOLE"
#endif
#if !defined(SUMS) || !defined(HELPER) || !defined(HELPERS) || !defined(HELPER_STEP)
#error "batched kernels define SUMS, HELPER, HELPERS and HELPER_STEP"
#endif
#define MATRICES (ITEMS / (WX * WY))
#define ITEM_R   (ITEM_X % WX)      /* along the rows */
#define ITEM_C   (ITEM_X / WX % WY) /* along the columns */
#define ITEM_M   (ITEM_X / (WX * WY))
#define SHARE    ((SUMS + HELPERS - 1) / HELPERS) /* outputs that a lane stores */

typedef struct ALIGNED(SINGLE) T1 {
    T v;
} T1;

typedef struct batch_sums {
    T v[SUMS];
} batch_sums;

/* One product, and this lane's part of it. */
typedef struct batch_product {
    GLOBAL const T *A;
    GLOBAL const T *x;
    GLOBAL T *y;
    i32 wide;  /* vectors of A stand on aligned addresses */
    i64 block; /* of its rows (n) or columns (t) */
} batch_product;

/* This lane's sums. */
DEVICE batch_sums batch_sum(batch_product p, gemv_batched_args a);
/* The element of y that sum k of this lane belongs to; -1: none. */
DEVICE i64 batch_output(batch_product p, gemv_batched_args a, i32 k);
/* Whether this product may be read in vectors. */
DEVICE i32 batch_wide(GLOBAL const T *A, GLOBAL const T *x);

/* Element 0 of an operand of one product. */
DEVICE GLOBAL T *batch_operand(GLOBAL const T *base, i64 matrix, i64 stride, i64 first)
{
#if POINTERS
    (void)stride;
    return (GLOBAL T *)((GLOBAL const u64 *)base)[matrix] + first;
#else
    return (GLOBAL T *)base + matrix * stride + first;
#endif
}

DEVICE T batch_single(GLOBAL const T *at)
{
    return ((GLOBAL const T1 *)at)[0].v;
}

DEVICE batch_sums batch_nothing(void)
{
    batch_sums sums;
    UNROLLED
    for (i32 k = 0; k < SUMS; k++)
        sums.v[k] = T_make(0, 0);
    return sums;
}

/* Helpers differ in the bits of ITEM_X from HELPER_STEP up to HELPERS_END. Those below WARP_SIZE
 * are crossed in registers, the others through local memory. a + b is b + a, so all get the same
 * bits. */
#define HELPERS_END (HELPER_STEP * HELPERS)
#if WARP_SIZE > HELPERS_END
#define SHUFFLES_END HELPERS_END
#else
#define SHUFFLES_END WARP_SIZE
#endif
#if WARP_SIZE > HELPER_STEP
#define LOCAL_FROM WARP_SIZE
#else
#define LOCAL_FROM HELPER_STEP
#endif
#define BATCH_SCRATCH (LOCAL_FROM < HELPERS_END ? ITEMS : 1)

/* All work-items must come. */
DEVICE batch_sums batch_across(batch_sums sums, LOCAL_PTR batch_sums *scratch)
{
#if WARP_SIZE > 1
    UNROLLED
    for (i32 distance = HELPER_STEP; distance < SHUFFLES_END; distance *= 2) {
        UNROLLED
        for (i32 k = 0; k < SUMS; k++)
            sums.v[k] = T_add(sums.v[k], T_shuffle_xor(sums.v[k], distance));
    }
#endif
#if LOCAL_FROM < HELPERS_END
    ROLLED
    for (i32 distance = LOCAL_FROM; distance < HELPERS_END; distance *= 2) {
        BARRIER(); /* scratch may still be read */
        scratch[ITEM_X] = sums;
        BARRIER();
        UNROLLED
        for (i32 k = 0; k < SUMS; k++)
            sums.v[k] = T_add(sums.v[k], scratch[ITEM_X ^ distance].v[k]);
    }
#else
    (void)scratch;
#endif
    return sums;
}

/* Sum s * HELPERS + HELPER, without an index that varies: that would put the sums into memory. */
DEVICE T batch_pick(batch_sums sums, i32 s)
{
    T mine = sums.v[s * HELPERS];
    UNROLLED
    for (i32 k = 1; k < HELPERS; k++)
        if (s * HELPERS + k < SUMS && HELPER == k)
            mine = sums.v[s * HELPERS + k < SUMS ? s * HELPERS + k : 0];
    return mine;
}

/* One block of one product per lane; what is stored of y is read before A is. `exists`: not past
 * the end of the batch, whose last product the lanes there repeat. All work-items must come. */
DEVICE void batch_block(batch_product p, gemv_batched_args a, i32 exists, T alpha, T beta,
                        LOCAL_PTR batch_sums *scratch)
{
    T old[SHARE];
    i64 outputs[SHARE];
    UNROLLED
    for (i32 s = 0; s < SHARE; s++) {
        const i32 k = s * HELPERS + HELPER;
        outputs[s] = exists && k < SUMS ? batch_output(p, a, k) : -1;
        old[s] = outputs[s] >= 0 && !T_is_zero(beta) ? p.y[outputs[s] * a.incy] : T_make(0, 0);
    }
    batch_sums sums = batch_nothing();
    if (!T_is_zero(alpha))
        sums = batch_sum(p, a);
    sums = batch_across(sums, scratch);
    UNROLLED
    for (i32 s = 0; s < SHARE; s++) {
        const T sum = batch_pick(sums, s);
        const T all = T_is_zero(beta) ? T_mul(alpha, sum) : T_fma(alpha, sum, T_mul(beta, old[s]));
        if (outputs[s] >= 0)
            p.y[outputs[s] * a.incy] = all;
    }
}

/* The products of this group. All work-items must come. */
DEVICE void batch_walk(GLOBAL const T *A, GLOBAL const T *x, GLOBAL T *y, T alpha, T beta,
                       gemv_batched_args a, LOCAL_PTR batch_sums *scratch)
{
    ROLLED
    for (i64 set = GROUP_X; set < a.sets; set += GROUPS_X) {
        const i64 wanted = set * MATRICES + ITEM_M;
        const i64 matrix = wanted < a.batch ? wanted : a.batch - 1;
        batch_product p;
        p.A = batch_operand(A, matrix, a.stride_a, 0);
        p.x = batch_operand(x, matrix, a.stride_x, a.first_x);
        p.y = batch_operand(y, matrix, a.stride_y, a.first_y);
        p.wide = batch_wide(p.A, p.x);
        ROLLED
        for (p.block = GROUP_Y; p.block < a.blocks; p.block += a.block_groups)
            batch_block(p, a, wanted < a.batch, alpha, beta, scratch);
    }
}
