/* cg.h: what the two kernels of an iteration of pipelined CG share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An iteration is cg_vectors, then cg_product. cg_vectors takes the sums of both kernels before it,
 * makes alpha and beta of them in every group alike, moves x, r and p and makes partial sums <r,
 * r>, <r, M^-1 r>. cg_product makes q = A p and partial sums <p, q>, <q, M^-1 q>. beta is known
 * before the new r is, for where <r, p> = <r, M^-1 r>
 *     <r', M^-1 r'> = alpha^2 <q, M^-1 q> - <r, M^-1 r>
 *
 * Group 0 of cg_vectors writes what comes next, group 0 of cg_product makes it the state: so no
 * launch writes what its other groups read. Macros: WX; PRECOND 0: none, 1: Jacobi, 2: block-Jacobi
 * with BLOCK rows, in tiles of TILE rows; RANGE 0: groups stride over all tiles, 1: one contiguous
 * range per group.
 */
#define SUM_R    R
#define SUM_N    4
#define SUM_MAIN 2
#include "cg_args.h"
#include "reduce.h"
#include "solver_state.h"

#define CG_NEXT         STATE_FIRST       /* outcome */
#define CG_NEXT_UPDATES (STATE_FIRST + 1) /* of x */
#define CG_UPDATES      (STATE_FIRST + 2)

/* Partial sums of a group that are stored: two. */
#define CG_SUMS 2

#if !defined(WX) || !defined(PRECOND) || !defined(RANGE)
#error "CG needs WX, PRECOND and RANGE"
#endif
#if PRECOND == 2 && (!defined(BLOCK) || !defined(TILE) || TILE % BLOCK != 0)
#error "block-Jacobi needs BLOCK, and TILE of whole blocks"
#endif

/* Re(conj(a) b) + sum */
DEVICE R dot_real(T a, T b, R sum)
{
#if T_REALS > 1
    return R_fma(a.re, b.re, R_fma(a.im, b.im, sum));
#else
    return R_fma(a, b, sum);
#endif
}

/* The first two sums of the group, to its place among the partial sums. All work-items must
 * come. */
DEVICE void cg_store_sums(R first, R second, GLOBAL R *partials, LOCAL_PTR sum_t *scratch)
{
    sum_t mine = {{0}};
    mine.v[0] = first;
    mine.v[1] = second;
    mine = group_sum(mine, scratch);
    if (ITEM_X == 0) {
        partials[GROUP_X * CG_SUMS] = mine.v[0];
        partials[GROUP_X * CG_SUMS + 1] = mine.v[1];
    }
}

#if PRECOND == 2
/* Row `i` of M^-1 v, of a tile that starts at row `first` of `rows`; v is the tile's. */
DEVICE T cg_block_row(GLOBAL const T *inverse, LOCAL_PTR const T *v, i64 first, i32 i, i64 rows)
{
    const i32 block = i / BLOCK, row = i - block * BLOCK;
    const i64 number = (i64)((u64)first / BLOCK) + block;
    GLOBAL const T *mine = inverse + number * (BLOCK * BLOCK) + row;
    T sum = T_make(0, 0);
    ROLLED
    for (i32 j = 0; j < BLOCK; j++)
        if (first + block * BLOCK + j < rows)
            sum = T_fma(mine[j * BLOCK], v[block * BLOCK + j], sum);
    return sum;
}
#endif
