/* gebrd_columns.h: one panel of a bidiagonal reduction, column by column.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The columns and rows behind the panel are not changed. What they should be is A - V Y^H - X U^H:
 * V stands in the panel's columns of A, U^H in its rows, both with their ones. X and Y are in the
 * workspace. Row 0 of X and of Y belongs to row and column `first` of A.
 */
#ifndef GBL_GEBRD_COLUMNS_H
#define GBL_GEBRD_COLUMNS_H

#include "lapack/lapack.h"

typedef struct gbl_bidiagonal_room {
    void *X, *Y;      /* m and n rows, as many columns as a panel */
    void *row, *sums; /* n elements; as many as a panel has columns */
    int64_t ldx, ldy;
} gbl_bidiagonal_room;
gable_status gbl_bidiagonal_take(gable_context *ctx, const gbl_product_call *call, int64_t columns,
                                 gbl_bidiagonal_room *room);

/* Reduces columns and rows [first, first + count) of a matrix with m >= n: writes d, e, tauq and
 * taup of them, V and U^H into A, and X and Y. In A the places of d and e hold ones. d and e must
 * hold ones before. */
gable_status gbl_gebrd_columns(gable_context *ctx, const gbl_product_call *call, int64_t first,
                               int64_t count, const gbl_bidiagonal_room *room);

/* What the panels of a matrix with m >= n are made of: so many columns each. */
int gbl_gebrd_columns_parts(const gbl_product_call *call, int64_t block, gbl_part_call *parts);
/* Launches of a column. */
double gbl_gebrd_columns_launches(const gbl_product_call *call);

#endif
