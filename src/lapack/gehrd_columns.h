/* gehrd_columns.h: a panel of gehrd, made of calls.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEHRD_COLUMNS_H
#define GBL_GEHRD_COLUMNS_H

#include "lapack/panel_steps.h"
#include "lapack/reflect.h"

/* What all panels of a call use. Row 0 of V and Y belongs to the row below the panel's first
 * diagonal element. */
typedef struct gbl_gehrd_room {
    gbl_steps steps;
    gbl_reflectors panel; /* V, ones on its diagonal and zeros above, and T; m and k of the panel */
    void *Y;              /* A V T of the rows of V */
    int64_t ldy;
    void *small; /* three rows of a panel */
    int64_t block;
} gbl_gehrd_room;

/* Reduces columns first ... first + count - 1 of A in the rows below `first`, up to row `end`,
 * which is not one of them. The rest of A is as the panels before have left it, and stays. Fills V,
 * T, Y and tau of its columns. room->panel says how many rows and columns there are. */
gable_status gbl_gehrd_columns(const gbl_product_call *call, const gbl_gehrd_room *room,
                               int64_t first, int64_t end);

/* What its columns cost: the parts from `count` on, of all panels together; `order` rows and
 * columns are reduced. */
int gbl_gehrd_columns_parts(const gbl_product_call *call, int64_t order, int64_t block,
                            gbl_part_call *parts, int count);
/* Launches for one column. */
#define GBL_GEHRD_COLUMN_LAUNCHES 11

#endif
