/* fused_rows.h: A M^-1 x, row by row, inside a kernel of a solver. M is the identity or diagonal.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * RUN 1, for CPUs: a group is one work-item and has a.run places one behind the other. RUN 0:
 * groups stride over blocks of WX / LANES places; LANES neighbouring lanes share a row of CSR and
 * all get its sum. FORMAT 0: the product is there already, as a vector that somebody else made;
 * places are its elements. All work-items come to every place that fused_first, _last and _step
 * walk over. Macros: sparse_row.h; WX, RUN; LANES 1 or as there.
 */
#include "fused_rows_args.h"
#if !defined(WX) || !defined(RUN) || !defined(LANES) || !defined(FORMAT) || !defined(SCALED)
#error "fused_rows.h needs WX, RUN, LANES, FORMAT and SCALED"
#endif
#if RUN && WX > 1
#error "where groups have runs they are one work-item"
#endif

#if FORMAT > 0
#include "sparse_row.h"
#else
typedef i32 sparse_index;
#endif

DEVICE i64 fused_first(fused_rows_args a)
{
#if RUN
    return GROUP_X * a.run;
#else
    (void)a;
    return GROUP_X * (WX / LANES);
#endif
}

DEVICE i64 fused_last(fused_rows_args a)
{
#if RUN
    const i64 end = (GROUP_X + 1) * a.run;
    return end < a.matrix.rows ? end : a.matrix.rows;
#else
    return a.matrix.rows;
#endif
}

DEVICE i64 fused_step(void)
{
    return RUN ? 1 : GROUPS_X * (WX / LANES);
}

/* The work-item's place, where its group stands at `base`. */
DEVICE i64 fused_place(i64 base)
{
    return base + ITEM_X / LANES;
}

/* Whether this work-item is the one that goes on with the row. */
DEVICE i32 fused_mine(fused_rows_args a, i64 place)
{
    return place < a.matrix.rows && ITEM_X % LANES == 0;
}

typedef struct fused_rows {
#if FORMAT > 0
    sparse_rows m;
    sparse_x x;
#else
    GLOBAL const T *product;
    i64 rows;
#endif
} fused_rows;

DEVICE fused_rows fused_rows_of(GLOBAL const sparse_index *start, GLOBAL const sparse_index *column,
                                GLOBAL const T *value, GLOBAL const sparse_index *order,
                                GLOBAL const T *scale, GLOBAL const T *x, GLOBAL const T *product,
                                fused_rows_args a)
{
    fused_rows f;
#if FORMAT > 0
    f.m = sparse_rows_of(start, column, value, order, a.matrix);
    f.x.at = x;
    f.x.ld = 0;
    f.x.columns = 1;
#if SCALED
    f.x.scale = scale;
#endif
    (void)product;
#else
    (void)start;
    (void)column;
    (void)value;
    (void)order;
    (void)x;
    f.product = product;
    f.rows = a.matrix.rows;
#endif
    (void)scale;
    return f;
}

/* The row of the matrix at a place. */
DEVICE i64 fused_row_at(fused_rows f, i64 place)
{
#if FORMAT > 0
    return sparse_row_at(f.m, place);
#else
    (void)f;
    return place;
#endif
}

/* Its product; 0 past the last place. */
DEVICE T fused_row(fused_rows f, i64 place)
{
#if FORMAT == 0
    return place < f.rows ? f.product[place] : T_make(0, 0);
#elif LANES > 1
    return sparse_row_lanes(f.m, place, f.x).v[0];
#else
    return place < f.m.a.rows ? sparse_row_sums(f.m, place, f.x).v[0] : T_make(0, 0);
#endif
}
