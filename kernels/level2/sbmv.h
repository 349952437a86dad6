/* sbmv.h: what the sbmv kernels share: blocks, where partial sums stand, and the scalars.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is ROWS rows and the k + ROWS columns that meet them: those before its last row (lower)
 * or behind its first (upper). It is walked in pieces of COLUMNS columns. A piece leaves a partial
 * sum for each of its columns, at its own number; a share of a block leaves one for each row.
 * Macros: ITEMS; WX, lanes along the rows; ROWS; COLUMNS; UPPER 0 or 1.
 */
#include "sbmv_args.h"

#if !defined(ITEMS) || !defined(WX) || !defined(ROWS) || !defined(COLUMNS) || !defined(UPPER)
#error "sbmv kernels need ITEMS, WX, ROWS, COLUMNS and UPPER"
#endif
#define WY     (ITEMS / WX)
#define ITEM_R (ITEM_X % WX)
#define ITEM_C (ITEM_X / WX)

/* The first column of a block; the first ones of a lower band do not exist. */
DEVICE i64 sbmv_first_column(sbmv_args a, i64 block)
{
    return block * ROWS - (UPPER ? 0 : a.k);
}

/* Where the partial sums of a block's columns stand, and those of a share's rows. */
DEVICE i64 sbmv_columns_at(sbmv_args a, i64 block)
{
    return block * a.pieces * COLUMNS;
}

DEVICE i64 sbmv_rows_at(sbmv_args a, i64 block, i64 share)
{
    return (block * a.shares + share) * ROWS;
}

DEVICE T sbmv_alpha(GLOBAL const R *at, sbmv_args a)
{
    return a.alpha_on_device ? T_make(at[0], at[T_REALS - 1]) : T_make(a.alpha_re, a.alpha_im);
}

DEVICE T sbmv_beta(GLOBAL const R *at, sbmv_args a)
{
    return a.beta_on_device ? T_make(at[0], at[T_REALS - 1]) : T_make(a.beta_re, a.beta_im);
}

DEVICE T sbmv_add(T a, T b)
{
    return T_fma_real(1, a, b);
}
