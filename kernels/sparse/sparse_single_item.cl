/* sparse_single_item.cl: Y := alpha A X + beta Y, A sparse: CSR, ELL, SELL; for CPUs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: one work-item per group. It has a.run rows one behind the other, and goes over them
 * once for each COLUMNS columns of X. Rows of ELL and SELL are summed ABREAST side by side, as they
 * lie in memory; a.run is a multiple of ABREAST, and CHUNK of SELL is one, too. No barriers.
 */
#include "scalars.h"
#include "sparse_mv_args.h"
#define UNROLL 1
#include "sparse_row.h"

#if FORMAT != 1 && !defined(ABREAST)
#error "sparse_single_item needs ABREAST"
#endif

typedef struct sparse_single_item_data {
    sparse_rows m;
    sparse_x x;
    GLOBAL T *y;
    i64 ldy;
    T alpha, beta;
} sparse_single_item_data;

DEVICE void sparse_single_item_store(sparse_single_item_data d, i64 place, sparse_sums sums)
{
    GLOBAL T *y = d.y + sparse_row_at(d.m, place);
    UNROLLED
    for (i32 k = 0; k < COLUMNS; k++)
        if (COLUMNS == 1 || k < d.x.columns)
            scaled_store(y + k * d.ldy, d.alpha, sums.v[k], d.beta);
}

#if FORMAT == 1
DEVICE void sparse_single_item_rows(sparse_single_item_data d, i64 from, i64 to)
{
    ROLLED
    for (i64 row = from; row < to; row++)
        sparse_single_item_store(d, row, sparse_row_sums(d.m, row, d.x));
}
#else
/* `rows` of them; ABREAST, where `whole` says so. */
DEVICE void sparse_single_item_block(sparse_single_item_data d, i64 from, i32 rows, const i32 whole)
{
    sparse_sums sums[ABREAST];
    const sparse_span span = sparse_row_span(d.m, from);
    UNROLLED
    for (i32 l = 0; l < ABREAST; l++)
        sums[l] = sparse_nothing();
    ROLLED
    for (sparse_index j = 0; j < span.count; j++) {
        const i64 at = span.at + j * sparse_step(d.m);
        UNROLLED
        for (i32 l = 0; l < ABREAST; l++) {
            if (whole || l < rows) {
                const sparse_index c = d.m.column[at + l];
                const T v = sparse_value(d.m.value[at + l]);
                UNROLLED
                for (i32 k = 0; k < COLUMNS; k++)
                    if ((COLUMNS == 1 || k < d.x.columns) && c >= 0)
                        sums[l].v[k] = T_fma(v, d.x.at[c + k * d.x.ld], sums[l].v[k]);
            }
        }
    }
    UNROLLED
    for (i32 l = 0; l < ABREAST; l++)
        if (whole || l < rows)
            sparse_single_item_store(d, from + l, sums[l]);
}

DEVICE void sparse_single_item_rows(sparse_single_item_data d, i64 from, i64 to)
{
    ROLLED
    for (; from + ABREAST <= to; from += ABREAST)
        sparse_single_item_block(d, from, ABREAST, 1);
    if (from < to)
        sparse_single_item_block(d, from, (i32)(to - from), 0);
}
#endif

KERNEL(sparse_single_item, 1, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, sparse_mv_args a)
{
    BEGIN();
    const i64 from = GROUP_X * a.run;
    const i64 to = from + a.run < a.matrix.rows ? from + a.run : a.matrix.rows;
    sparse_single_item_data d;
    d.m = sparse_rows_of(start, column, value, order, a.matrix);
    d.x.ld = a.ldx;
    d.ldy = a.ldy;
    d.alpha = alpha_of(alpha_at, a.scalars);
    d.beta = beta_of(beta_at, a.scalars);
    ROLLED
    for (i64 skipped = 0; skipped < a.columns; skipped += COLUMNS) {
        d.x.at = x + skipped * a.ldx;
        d.x.columns = a.columns - skipped < COLUMNS ? (i32)(a.columns - skipped) : COLUMNS;
        d.y = y + skipped * a.ldy;
        if (T_is_zero(d.alpha)) {
            ROLLED
            for (i64 place = from; place < to; place++)
                sparse_single_item_store(d, place, sparse_nothing());
        } else {
            sparse_single_item_rows(d, from, to);
        }
    }
}
