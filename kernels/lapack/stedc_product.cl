/* stedc_product.cl: the products of all merges of a level, whose sizes stand in memory
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of each merge, the rows of each part: Q := W S, m rows, k columns and a number of terms that
 * stedc_deflate.cl has left in `sizes`. Columns behind k stay as they are. Tiles of C are summed in
 * registers, from tiles of both factors in local memory, terms in ascending order.
 *
 * Geometry: groups of WX x WY work-items, one per tile of WX TM x WY TN elements along x, a.across
 * of them along a column; merges along y, the upper part's product before the lower part's. Groups
 * beyond the sizes leave at once. Macros: WX, WY, TM, TN, TERMS. Barriers: two per TERMS terms,
 * which all work-items of a group reach.
 */
#if !defined(WX) || !defined(WY) || !defined(TM) || !defined(TN) || !defined(TERMS)
#error "stedc_product needs WX, WY, TM, TN and TERMS"
#endif
#include "stedc.h"

#define LANES     (WX * WY)
#define TILE_ROWS (WX * TM)
#define TILE_COLS (WY * TN)
#define PAD       (LANES > 1 ? 1 : 0) /* so that neighbours do not meet in a bank */

/* The factors' tiles from term p on; zeros outside. */
DEVICE void load_tiles(GLOBAL const R *W, GLOBAL const R *S, i64 ldw, i64 lds, i32 rows,
                       i32 columns, i32 terms, LOCAL_PTR R *w, LOCAL_PTR R *v)
{
    ROLLED
    for (i32 t = ITEM_X; t < TILE_ROWS * TERMS; t += LANES) {
        const i32 i = t % TILE_ROWS, p = t / TILE_ROWS;
        w[t] = i < rows && p < terms ? W[i + p * ldw] : 0;
    }
    ROLLED
    for (i32 t = ITEM_X; t < TILE_COLS * TERMS; t += LANES) {
        const i32 p = t % TERMS, j = t / TERMS;
        v[j + p * (TILE_COLS + PAD)] = j < columns && p < terms ? S[p + j * lds] : 0;
    }
}

KERNEL(stedc_product, LANES, 1, 1)
(GLOBAL const R *RESTRICT W, GLOBAL const R *RESTRICT S, GLOBAL const i64 *RESTRICT sizes,
 GLOBAL R *RESTRICT Q, stedc_args a)
{
    LOCAL R w[TILE_ROWS * TERMS];
    LOCAL R v[(TILE_COLS + PAD) * TERMS];
    BEGIN();
    const i64 merge = GROUP_Y / 2;
    const merge_span s = span_of_merge(a, merge);
    const i64 start = GROUP_Y % 2 == 0 ? s.first : s.middle;
    GLOBAL const i64 *const size = sizes + STEDC_SIZES * merge + GROUP_Y % 2 * 3;
    const i32 m = (i32)size[0], n = (i32)size[1], k = (i32)size[2];
    const i32 over = (i32)GROUP_X / (i32)a.across,
              i0 = ((i32)GROUP_X - over * (i32)a.across) * TILE_ROWS, j0 = over * TILE_COLS;
    if (i0 >= m || j0 >= n)
        return;
    const i32 x = ITEM_X % WX, y = ITEM_X / WX;
    GLOBAL const R *const left = W + start + i0 + s.first * a.ldw;
    GLOBAL const R *const right = S + start + (s.first + j0) * a.lds;
    R sums[TN][TM];
    UNROLLED
    for (i32 j = 0; j < TN; j++) {
        UNROLLED
        for (i32 i = 0; i < TM; i++)
            sums[j][i] = 0;
    }
    ROLLED
    for (i32 p = 0; p < k; p += TERMS) {
        BARRIER(); /* the tiles before may still be read */
        load_tiles(left + p * a.ldw, right + p, a.ldw, a.lds, m - i0, n - j0, k - p, w, v);
        BARRIER();
        ROLLED
        for (i32 t = 0; t < TERMS; t++) {
            R at[TM], with[TN];
            UNROLLED
            for (i32 i = 0; i < TM; i++)
                at[i] = w[x + i * WX + t * TILE_ROWS];
            UNROLLED
            for (i32 j = 0; j < TN; j++)
                with[j] = v[y + j * WY + t * (TILE_COLS + PAD)];
            UNROLLED
            for (i32 j = 0; j < TN; j++) {
                UNROLLED
                for (i32 i = 0; i < TM; i++)
                    sums[j][i] = R_fma(at[i], with[j], sums[j][i]);
            }
        }
    }
    UNROLLED
    for (i32 j = 0; j < TN; j++) {
        UNROLLED
        for (i32 i = 0; i < TM; i++) {
            const i32 row = i0 + x + i * WX, column = j0 + y + j * WY;
            if (row < m && column < n)
                Q[start + row + (s.first + column) * a.ldq] = sums[j][i];
        }
    }
}
